"""Metering of model calls."""
