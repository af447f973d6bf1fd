"""Sources of rows: they find the best splits of a level and route rows, in memory, in parts or on a cluster."""
