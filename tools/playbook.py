"""Playbooks: what the embedded model does next when no language model is configured.

An extension knows its own work, so it says which tool follows which; the embedded model only streams the text, makes
the call and asks again. The same tools run through the same graph as under a language model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tools.results import ToolPayload


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookResult:
    """One finished tool call: `status` is `ok` or `error`, `payload` the tool's whole answer."""

    name: str
    args: Mapping[str, Any]
    status: str
    payload: ToolPayload


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookView:
    """What a playbook may look at.

    Attributes:
        user_text: The user's last message, without attachments.
        files: Virtual paths of this session's uploads, oldest first.
        new_files: Those that came with the last message.
        results: Tool calls of this turn, oldest first.
        earlier: Tool calls of the turns before, oldest first.
        tools: Names of the tools that may be called.
    """

    user_text: str
    files: tuple[str, ...] = ()
    new_files: tuple[str, ...] = ()
    results: tuple[PlaybookResult, ...] = ()
    earlier: tuple[PlaybookResult, ...] = ()
    tools: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookStep:
    """The next step: stream `text`, then call `tool`; without a tool the turn ends after the text."""

    text: str = ""
    tool: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)


class Playbook(Protocol):
    """A set of rules for one kind of work."""

    @property
    def name(self) -> str:
        """Short name, for logs."""

    def next_step(self, view: PlaybookView) -> PlaybookStep | None:
        """The next step of the turn, or None if the message is not this playbook's business. Has no side effect."""
