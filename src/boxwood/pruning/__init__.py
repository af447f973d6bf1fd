"""Trees in, smaller trees out: which nodes become leaves, by cost, by validation, or by a limit of leaves."""
