"""Evaluations: scenario files are driven through a whole server, and what happened is compared with what must."""
