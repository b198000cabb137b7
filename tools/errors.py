"""What can go wrong around a tool, by who can mend it."""

from __future__ import annotations


class ToolError(Exception):
    """A business error the model or the user can mend: bad argument, nothing found, file unreadable.

    The message is shown to the model and the user as it stands, so it names the thing and the value.
    """

    def __init__(self, message: str, *, hint: str = "", code: str = "tool_error") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


class ToolSystemError(Exception):
    """A fault of ours inside a tool; the log holds the trace under `incident_id`, nobody else sees it."""

    def __init__(self, incident_id: str) -> None:
        super().__init__(incident_id)
        self.incident_id = incident_id


class ToolRegistrationError(ValueError):
    """A tool or feature is declared wrongly; the start stops here."""


class UnknownToolError(LookupError):
    """A tool is asked for by a name that no feature registered."""
