"""What can end a turn from inside the agent, in words for the user; the trace stays in the cause."""

from __future__ import annotations


class TurnError(Exception):
    """A turn cannot go on. `code` is stable, `message` and `hint` are shown as they stand."""

    def __init__(self, code: str, message: str, hint: str, *, retryable: bool = False) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.hint = hint
        self.retryable = retryable


class ModelCallError(TurnError):
    """The language model could not be reached, refused, or broke off; what was streamed before stays valid."""


class UnreadableAnswerError(Exception):
    """What came back is no answer of a language model."""


class EmptyAnswerError(Exception):
    """The language model answered with nothing."""


class RunLimitError(TurnError):
    """The run used up the model calls it may make."""


class SyncRunError(RuntimeError):
    """An agent was run by `invoke` or `stream`. Calls are judged and recorded by the async server alone."""

    def __init__(self) -> None:
        super().__init__(
            "agents and their tools run asynchronously only: use ainvoke or astream instead of invoke or stream"
        )


class DecisionError(ValueError):
    """A person's decision does not fit what is pending; nothing was stored, it can be given again."""

    def __init__(self, interrupt_id: str, reason: str) -> None:
        super().__init__(f"{interrupt_id}: {reason}")
        self.interrupt_id = interrupt_id
        self.reason = reason


class WorkspaceIdentityError(Exception):
    """Nobody said whose workspace is meant. Neither OSError nor RuntimeError, so no tool answers it politely."""


class WorkspacePathError(ValueError):
    """A path leads out of the session's workspace or cannot be a path at all."""
