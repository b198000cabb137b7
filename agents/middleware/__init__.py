"""Middleware of our own: one hook, one reason, sync and async."""
