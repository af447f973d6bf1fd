"""The explorer: one HTML file in which a tree can be explored, without server or network."""
