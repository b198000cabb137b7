"""What can go wrong around a tool, by who can mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from typing_extensions import override


class ToolError(Exception):
    """A business error the model or the user can mend: bad argument, nothing found, file unreadable.

    The message is written by us and names the thing and the value; another library's words are never passed on.
    """

    def __init__(
        self, message: str, *, hint: str = "", code: str = "tool_error", values: Mapping[str, object] | None = None
    ) -> None:
        """Make the error.

        Args:
            message: A sentence; with `values` a template for them, `"没有第 {page} 页"`.
            hint: What to do instead.
            code: Stable word for programs.
            values: What stands in the template; each is cleaned by itself before it is shown, the template is not.
        """
        # Whoever catches this is busy with a failure already: what is no text, as a tool may give it, becomes one here.
        self.template = str(message)
        self.values = values or {}
        self.hint = str(hint or "")
        self.code = str(code or "tool_error")
        super().__init__(self.template.format_map(self.values) if values else self.template)

    @property
    def message(self) -> str:
        """The whole sentence, uncleaned."""
        return str(self)

    def shown(self, clean: Callable[[str], str]) -> str:
        """The sentence as others may see it."""
        if not self.values:
            return clean(self.template)
        return _CleaningFormatter(clean).vformat(self.template, (), self.values)


class _CleaningFormatter(Formatter):
    """Fills a template; each value is cleaned as it will stand there, decimals and all."""

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean

    @override
    def format_field(self, value: Any, format_spec: str) -> str:
        return self._clean(str(super().format_field(value, format_spec)))


class ToolPermissionError(Exception):
    """The caller may not do this. The model and the user learn no more than that; `detail` is for the audit."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class ToolSystemError(Exception):
    """A fault of ours inside a tool; log and audit hold the detail under `incident_id`, nobody else sees it."""

    def __init__(self, incident_id: str) -> None:
        super().__init__(incident_id)
        self.incident_id = incident_id


class ToolRegistrationError(ValueError):
    """A tool or feature is declared wrongly; the start stops here."""


class UnknownToolError(LookupError):
    """A tool is asked for by a name that no feature registered."""
