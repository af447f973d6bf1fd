"""Builds, audits and tests the wheels of Linux on one machine: `make wheels`."""
