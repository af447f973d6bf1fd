"""A letter to one person: what was decided, from which data, why, and what would have changed it."""
