"""What every parser returns: one document as blocks in reading order.

The parsers (pdf, docx, txt, xlsx, csv) differ in how they look; everything after them sees this shape only.
Text is kept as printed. A quote taken from a block is therefore verbatim text of the source.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from algorithms.airflow_review.documents.straightening import Straightening
from algorithms.airflow_review.messages.catalogue import Text
from algorithms.airflow_review.value_class import dataclass


class DocumentKind(StrEnum):
    """The container a document came in."""

    PDF = "pdf"
    DOCX = "docx"
    TEXT = "txt"
    XLSX = "xlsx"
    XLS = "xls"
    CSV = "csv"


# x0, top, x1, bottom in points, origin at the upper left corner of the page as it is read (after rotation).
BBox = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a rebuilt table.

    A merged cell appears at every place it covers with the same `key`; `origin` is true at its first place only,
    so a value that was filled down is never counted twice (R-PIT-15).
    """

    text: str
    key: tuple[int, int]  # (row, column) of the merge's first cell inside the table
    origin: bool = True
    bbox: BBox | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a table; every row of a table has the same number of cells."""

    cells: tuple[Cell, ...]
    page: int | None = None  # 1-based; None where the container has no pages
    bbox: BBox | None = None
    line: int | None = None  # 1-based line of a txt or csv file

    @property
    def texts(self) -> tuple[str, ...]:
        """The cells' texts, merged values repeated."""
        return tuple(cell.text for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table, stitched over page breaks; repeated header rows of later pages are dropped."""

    index: int  # 1-based in the document
    rows: tuple[Row, ...]
    sheet: str | None = None
    ruled: bool = True  # False where the grid was inferred from gaps
    printed_rows: tuple[Row, ...] = ()  # of a turned table, whose `rows` are the columns as printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One visual line of text outside tables: a heading, a sentence's part, a formula."""

    text: str
    page: int | None = None
    bbox: BBox | None = None
    line: int | None = None  # 1-based line (txt) or paragraph (docx)
    size: float | None = None  # font size in points where known
    is_formula: bool = False  # True for a linearised equation object (OMML)


Block = Line | Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A place where the text layer had to be repaired, or where two extractors disagree (`other` is not None)."""

    message: str
    quote: str
    message_en: str = ""  # empty where an older extract has none
    page: int | None = None
    table: int | None = None
    row: int | None = None
    other: str | None = None  # what a second extractor reads there; the quote is what was read
    needs_check: bool = False  # a value that may be misread: a person must look, a note is not enough

    @classmethod
    def of(
        cls,
        message: Text,
        quote: str,
        *,
        page: int | None = None,
        table: int | None = None,
        row: int | None = None,
        other: str | None = None,
        needs_check: bool = False,
    ) -> Doubt:
        """A doubt said in both languages."""
        return cls(
            message=message.zh,
            message_en=message.en,
            quote=quote,
            page=page,
            table=table,
            row=row,
            other=other,
            needs_check=needs_check,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a parser found in a file."""

    blocks: tuple[Block, ...]
    pages: int | None = None
    doubts: tuple[Doubt, ...] = ()
    scanned_pages: tuple[int, ...] = ()
    recognized_pages: tuple[int, ...] = ()
    straightenings: tuple[Straightening, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A parsed document."""

    file: str  # base name, as shown to people
    sha256: str
    kind: DocumentKind
    pages: int | None  # number of pages (pdf) or sheets (xlsx, xls); None for docx, txt, csv
    blocks: tuple[Block, ...]
    doubts: tuple[Doubt, ...] = field(default=())
    scanned_pages: tuple[int, ...] = ()  # 1-based; pictures whose text was not read
    recognized_pages: tuple[int, ...] = ()  # 1-based; the text comes from a picture, by recognition
    straightenings: tuple[Straightening, ...] = ()  # of pages whose boxes are those of the straightened page

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables in reading order."""
        return tuple(block for block in self.blocks if isinstance(block, Table))

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines outside tables in reading order."""
        return tuple(block for block in self.blocks if isinstance(block, Line))


class InputProblem(StrEnum):
    """Why a file cannot be read; the class names of the hostile fixtures."""

    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    TOO_LARGE = "too_large"
    WRONG_TYPE = "wrong_type"
    EMPTY = "empty"
    NO_TEXT = "no_text"
    TIMEOUT = "timeout"
    MISSING = "missing"


class InputError(Exception):
    """A document that cannot be read: names the file, the reason and what to do."""

    def __init__(
        self, problem: InputProblem, file: str, message: str, hint: str, message_en: str = "", hint_en: str = ""
    ) -> None:
        self.problem, self.file, self.message, self.hint = problem, file, message, hint
        self.message_en, self.hint_en = message_en or message, hint_en or hint
        super().__init__(f"{file}：{message}{hint}")

    @classmethod
    def of(cls, problem: InputProblem, file: str, message: Text, hint: Text) -> InputError:
        """A refusal said in both languages."""
        return cls(problem, file, message.zh, hint.zh, message.en, hint.en)

    def sentence(self, lang: str) -> str:
        """File, reason and remedy in one line."""
        return f"{self.file}: {self.message_en} {self.hint_en}" if lang == "en" else str(self)

    # The decorator that would mark this comes with typing_extensions, which costs the parsing process as much as a small file.
    def __reduce__(self) -> tuple[type[InputError], tuple[InputProblem, str, str, str, str, str]]:  # type: ignore[explicit-override]
        """Survive the way back from the parsing subprocess."""
        return (InputError, (self.problem, self.file, self.message, self.hint, self.message_en, self.hint_en))
