"""Words flow; a sentence with a number or the verb of an effect is held from there to its end, verified, then released."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from agents.guards.folding import fold
from agents.guards.sentences import find_end

MAX_HELD_CHARS: Final = 400
MAX_HELD_S: Final = 2.0

State = Literal["free", "verified", "unverified", "correction"]

NUMERAL: Final = re.compile(
    r"\d|[零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟半]|[\u00bc-\u00be\u2150-\u218b\u2460-\u249b\u3220-\u3229\u3280-\u3289]"
    r"|(?<![a-z])(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen"
    r"|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|half|halves|thirds?|quarters?"
    r"|dozens?|twice|double|doubled|triple|tripled|thrice)(?![a-z])"
)
"""A numeral of any script in folded text; 一 within an idiom too, which costs a short wait and nothing else."""

_WINDOW: Final = 80
"""Characters before the newest one in which a word that holds the sentence may begin."""
_LAG: Final = 3
"""Newest characters that are kept back, for the beginning of such a word."""
_END_WINDOW: Final = 12
_LABEL_REACH: Final = 4
"""Characters between a label and its numeral for which the label waits."""
_LONGEST_SENTENCE: Final = 4_000
_WORD_TAIL: Final = re.compile(r"[^\W\d_]*$")
_CJK: Final = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch that goes to the user.

    Attributes:
        text: As the model wrote it; in a `correction` the words of the guard.
        state: `free`: nothing to verify. `verified`: held and found right. `unverified`: released because it was long, late or the guard
            failed. `correction`: stands for a held stretch that was found wrong, or follows one that was out already.
    """

    text: str
    state: State


class StreamGate:
    """One answer on its way to the user.

    What is released, and as what, depends on the text alone, not on how the stream was cut: every character takes the same steps. Only the
    limit of time is the clock's.
    """

    def __init__(
        self,
        *,
        hold_words: re.Pattern[str] | None,
        verify: Callable[[str], str | None],
        clock: Callable[[], float],
        labels: re.Pattern[str] | None = None,
        on_give_up: Callable[[], None] = lambda: None,
        max_held_chars: int = MAX_HELD_CHARS,
        max_held_s: float = MAX_HELD_S,
    ) -> None:
        """Open a gate.

        Args:
            hold_words: Finds further words in folded text from which on a sentence is held: verbs of effects (`Lexicon.trigger_pattern`).
            verify: Takes a whole sentence; gives None if it may stand, else the text that stands in its place.
            clock: Seconds, monotonic.
            labels: Finds words in folded text that are held together with a numeral right behind them: 需风量为 1221.
            on_give_up: Told when a held stretch has been released unverified.
            max_held_chars: Characters after which a held stretch is released unverified.
            max_held_s: Seconds after which it is.
        """
        self._words = hold_words
        self._verify = verify
        self._clock = clock
        self._labels = labels
        self._on_give_up = on_give_up
        self._max_chars = max_held_chars
        self._max_s = max_held_s
        self.failures = 0
        """Sentences that the guard could not judge."""
        self.held = 0
        """Sentences that were held."""
        self.sentence_start = 0
        """Characters of the answer before the sentence that is being read."""
        self._sentence = ""
        self._start()

    def _start(self) -> None:
        self.sentence_start += len(self._sentence)
        self._sentence = ""
        self._folded = ""
        self._bounds: list[int] = [0]  # how long the folded sentence is before each character
        self._released = 0
        self._mode: Literal["free", "hold", "through"] = "free"
        self._since = 0.0

    @property
    def is_out(self) -> bool:
        """Whether the sentence that is being read goes to the user before it is verified."""
        return self._mode == "through"

    @property
    def released_chars(self) -> int:
        """How much of the sentence that is being read has gone to the user."""
        return self._released

    @property
    def shown_part(self) -> str:
        """What of it has gone to the user."""
        return self._sentence[: self._released]

    def feed(self, chunk: str) -> list[Piece]:
        """Take what the model wrote; give what may be shown now."""
        pieces = [*self._late()]
        for char in chunk:
            pieces += self._step(char)
        return _joined(pieces)

    def tick(self) -> list[Piece]:
        """Give what has been held too long; to be called when nothing arrives."""
        return _joined(self._late())

    def close(self) -> list[Piece]:
        """Give the rest at the end of the answer."""
        pieces: list[Piece] = []
        while (end := find_end(self._sentence, 0, complete=True)) is not None and end < len(self._sentence):
            pieces += self._cut(end)
        pieces += self._finish()
        return _joined(pieces)

    def _step(self, char: str) -> Iterator[Piece]:
        self._sentence += char
        self._folded += char if char.isascii() and not char.isupper() else fold(char).text
        self._bounds.append(len(self._folded))
        end = find_end(self._sentence, max(0, len(self._sentence) - _END_WINDOW), complete=False)
        if end is not None or len(self._sentence) >= _LONGEST_SENTENCE:
            yield from self._cut(end or len(self._sentence))
        elif self._mode == "free":
            yield from self._flow()
        elif self._mode == "through":
            yield self._release(len(self._sentence), "unverified")
        elif len(self._sentence) - self._released >= self._max_chars:
            yield from self._give_up()

    def _flow(self) -> Iterator[Piece]:
        """Release what no word that holds the sentence can begin in; hold from where one begins."""
        settled = len(self._sentence) - _unfinished(self._sentence)
        at = self._find(settled)
        free_until = len(self._sentence) - max(_LAG, len(self._sentence) - settled) if at is None else at
        if (label := self._label_before(free_until)) is not None:
            free_until, at = label, None if at is None else label
        if free_until > self._released:
            yield self._release(free_until, "free")
        if at is not None:
            self._mode = "hold"
            self._since = self._clock()
            self.held += 1

    def _label_before(self, place: int) -> int | None:
        """Where a label begins that ends shortly before a place, or goes on behind it, and of which nothing is out yet."""
        if self._labels is None:
            return None
        start, stop = self._bounds[self._released], self._bounds[place]
        for found in self._labels.finditer(self._folded, start):
            if found.start() < stop <= found.end() + _LABEL_REACH:
                return bisect_right(self._bounds, found.start()) - 1
        return None

    def _find(self, until: int) -> int | None:
        """Where the first numeral or word of an effect begins in the newest part of the sentence."""
        stop = self._bounds[until]
        start = max(0, stop - _WINDOW)
        patterns = (NUMERAL, self._words) if self._words else (NUMERAL,)
        found = [m.start() for pattern in patterns if (m := pattern.search(self._folded, start, stop))]
        return bisect_right(self._bounds, min(found)) - 1 if found else None

    def _cut(self, end: int) -> Iterator[Piece]:
        """End the sentence there; what follows begins the next one."""
        rest = self._sentence[end:]
        self._sentence = self._sentence[:end]
        yield from self._finish()
        for char in rest:
            yield from self._step(char)

    def _finish(self) -> Iterator[Piece]:
        if self._mode == "free" and (at := self._find(len(self._sentence))) is not None:
            # The last word was not finished before: `… was refunded.`
            if at > self._released:
                yield self._release(at, "free")
            self._mode = "hold"
            self.held += 1
        sentence, mode = self._sentence, self._mode
        if mode == "free":
            yield self._release(len(sentence), "free")
        else:
            yield from self._judged(sentence, is_out=mode == "through")
        self._start()

    def _judged(self, sentence: str, *, is_out: bool) -> Iterator[Piece]:
        state: State = "unverified" if is_out else "verified"
        instead = None
        try:
            instead = self._verify(sentence)
        except Exception:  # noqa: BLE001 - a broken guard must not cost the user the answer; it is counted and marked
            self.failures += 1
            state = "unverified"
        if instead is None or is_out:
            yield self._release(len(sentence), state)
        if instead is not None:
            yield Piece(instead, "correction")

    def _late(self) -> Iterator[Piece]:
        if self._mode == "hold" and self._clock() - self._since >= self._max_s:
            yield from self._give_up()

    def _give_up(self) -> Iterator[Piece]:
        self._mode = "through"
        piece = self._release(len(self._sentence), "unverified")
        self._on_give_up()
        yield piece

    def _release(self, until: int, state: State) -> Piece:
        piece = Piece(self._sentence[self._released : until], state)
        self._released = max(self._released, until)
        return piece


def _unfinished(text: str) -> int:
    """Characters of the word at the end that is still being written; Chinese words have no end to wait for."""
    found = _WORD_TAIL.search(text, max(0, len(text) - _WINDOW))
    tail = found.group() if found else ""
    last_cjk = max((m.end() for m in _CJK.finditer(tail)), default=0)
    return len(tail) - last_cjk


def _joined(pieces: list[Piece] | Iterator[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if not piece.text:
            continue
        if joined and joined[-1].state == piece.state != "correction":
            joined[-1] = Piece(joined[-1].text + piece.text, piece.state)
        else:
            joined.append(piece)
    return joined
