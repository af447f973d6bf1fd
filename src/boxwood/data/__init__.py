"""Containers, files and streams read into typed columns with a schema; targets and weights; bundled data sets."""
