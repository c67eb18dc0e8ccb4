"""Benchmarks: scripts that print a table beside a baseline measured in the same run."""
