"""Measures and tests on tables of value by response, the response and its moments, exact numbers."""
