"""The refusals of the parsers: class, sentence and remedy, written once."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.airflow_review.documents.document import InputError, InputProblem
from algorithms.airflow_review.messages.catalogue import Text, listed, say


def encrypted(file: str) -> InputError:
    """The file opens with a password only."""
    return InputError.of(InputProblem.ENCRYPTED, file, say("refusal.encrypted"), say("refusal.encrypted.hint"))


def damaged(file: str, what: Text | None = None) -> InputError:
    """The file cannot be read, or only in part."""
    message = say("refusal.sentence", what=what or say("refusal.damaged"))
    return InputError.of(InputProblem.DAMAGED, file, message, say("refusal.damaged.hint"))


def too_large(file: str, what: Text) -> InputError:
    """Reading the file would take more memory than one document may take."""
    message = say("refusal.sentence", what=what)
    return InputError.of(InputProblem.TOO_LARGE, file, message, say("refusal.too_large.hint"))


def wrong_type(file: str, what: Text) -> InputError:
    """The content is not what the name says, or a type that is not read."""
    message = say("refusal.sentence", what=what)
    return InputError.of(InputProblem.WRONG_TYPE, file, message, say("refusal.wrong_type.hint"))


def empty(file: str, what: Text | None = None) -> InputError:
    """Nothing is in the file."""
    message = say("refusal.sentence", what=what or say("refusal.empty"))
    return InputError.of(InputProblem.EMPTY, file, message, say("refusal.empty.hint"))


def no_text(file: str, what: Text) -> InputError:
    """Pictures of text, no text."""
    hint = say("refusal.no_text.hint", install=say("refusal.install_ocr"))
    return InputError.of(InputProblem.NO_TEXT, file, say("refusal.no_text", what=what), hint)


def no_recognizer(file: str, packages: Sequence[str]) -> InputError:
    """A scan, and recognition is switched on but not installed."""
    message = say("refusal.no_recognizer", packages=listed(packages))
    hint = say("refusal.no_recognizer.hint", install=say("refusal.install_ocr"))
    return InputError.of(InputProblem.NO_TEXT, file, message, hint)


def timeout(file: str, seconds: float) -> InputError:
    """Reading took longer than it may."""
    message = say("refusal.timeout", seconds=seconds)
    return InputError.of(InputProblem.TIMEOUT, file, message, say("refusal.timeout.hint"))


def missing(file: str) -> InputError:
    """There is no such file."""
    return InputError.of(InputProblem.MISSING, file, say("refusal.missing"), say("refusal.missing.hint"))
