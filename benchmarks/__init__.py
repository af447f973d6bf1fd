"""Timing of boxwood and its peers, paired in one run; never part of the tests."""
