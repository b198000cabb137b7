"""Runs on the clock; empty until scheduled agents come."""
