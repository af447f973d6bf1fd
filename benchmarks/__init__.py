"""Timing of boxwood and its peers, paired in one process; never part of the tests."""
