"""The sources that find the best splits of a depth and route rows: in memory, from tables, in parts, on a cluster."""
