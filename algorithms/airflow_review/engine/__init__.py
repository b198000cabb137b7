"""Judging: re-computation, sums, comparison; plain functions over extracts and rules."""
