"""Editing of a fitted tree by hand: eight verbs, the price of each, and a log that replays."""
