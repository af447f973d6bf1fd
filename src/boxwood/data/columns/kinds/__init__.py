"""The kinds of features as objects, one file each; dates, times and durations are :mod:`..temporal`."""
