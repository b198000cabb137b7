"""The rule library: JSON files with sources and editions, and their loader."""
