"""What a page is made of before pages are joined to a document."""

from __future__ import annotations

from dataclasses import field

from algorithms.airflow_review.documents.document import BBox
from algorithms.airflow_review.documents.straightening import Straightening
from algorithms.airflow_review.value_class import dataclass


@dataclass(slots=True, kw_only=True)
class PageCell:
    """A cell of a page's table, possibly merged."""

    text: str
    bbox: BBox | None = None
    rows: int = 1
    columns: int = 1


@dataclass(slots=True, kw_only=True)
class PageRow:
    """One row: for each column the cell that covers it; a merged cell is the same object at all its places."""

    cells: list[PageCell]
    page: int
    bbox: BBox


@dataclass(slots=True, kw_only=True)
class PageTable:
    """A table as far as it stands on one page."""

    rows: list[PageRow]
    borders: tuple[float, ...]  # x of the column borders [pt]
    ruled: bool
    has_loose_labels: bool = False  # words between rows whose extent is uncertain

    @property
    def top(self) -> float:
        """Upper edge [pt]."""
        return self.rows[0].bbox[1]


@dataclass(slots=True, kw_only=True)
class PageLine:
    """One line of text outside tables."""

    text: str
    bbox: BBox
    size: float

    @property
    def top(self) -> float:
        """Upper edge [pt]."""
        return self.bbox[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """One line of a scanned page as the models read it."""

    bbox: BBox
    raw: str  # as recognised
    text: str  # as used: words of mining put right
    confidence: float  # of the least certain character, 0 … 1


@dataclass(slots=True, kw_only=True)
class Page:
    """One page: its blocks in reading order."""

    number: int
    height: float
    glyphs: int = 0
    is_invisible: bool = False  # the text lies unseen over a picture
    picture_share: float = 0.0  # of the page's area
    has_rules: bool = False
    recognized: list[Recognition] | None = None  # None: the text was printed, not read from a picture
    straightening: Straightening | None = None  # of a recognised page
    blocks: list[PageTable | PageLine] = field(default_factory=list)
