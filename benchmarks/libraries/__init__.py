"""One adapter a library: how its users would fit the tree a problem asks for."""
