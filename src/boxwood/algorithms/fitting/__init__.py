"""From data to a fitted model: an algorithm's fit in memory, from a stream, from a code cache, on a cluster."""
