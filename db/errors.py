"""What a caller of a store may want to catch; database errors are translated into these and nowhere else."""

from __future__ import annotations


class NotFoundError(Exception):
    """There is no such row, or it belongs to somebody else: the two are not told apart."""


class DuplicateError(Exception):
    """A row with this identity exists already."""


class ConflictError(Exception):
    """The row is not in the state that the change presumes."""


class BadCursorError(Exception):
    """The paging cursor was not made by this list."""
