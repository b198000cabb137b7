"""Pages as pictures: the frame stands where PDFium's own text search finds the quoted words, however the page is turned."""

from __future__ import annotations

import io
import math
import shutil
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from PIL import Image

from algorithms.airflow_review.documents.document import BBox, InputError, InputProblem
from algorithms.airflow_review.documents.limits import DEFAULT_LIMITS, Limits
from algorithms.airflow_review.documents.page_drawing import draw_page
from algorithms.airflow_review.documents.page_picture import PagePicture, PictureError, PictureProblem
from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.documents.pdf.picture import draw_pdf_page
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.report import read_report
from tests.support.corpus.turn import turn_pages
from tests.support.documents.pdf_search import characters_of
from tests.support.documents.pdf_writer import PdfPage, sideways, write_pdf

FIXTURES = Path("tests/fixtures/airflow")
PLAN = FIXTURES / "reference" / "plan.pdf"
REPORT = FIXTURES / "reference" / "report.pdf"
LAYOUTS = FIXTURES / "layouts"
SCALE = 2.0
SAMPLE = 8
ROOM_PT = 2.5  # margin of the frame and its line on each side


def pixels_of(picture: PagePicture) -> np.ndarray:
    """Shape `(height, width, 3)`, read by a decoder that is not ours."""
    return np.asarray(Image.open(io.BytesIO(picture.png)).convert("RGB")).astype(int)


def washed(pixels: np.ndarray) -> np.ndarray:
    """Where the frame or its wash colours the page, which is black on white otherwise."""
    found: np.ndarray = pixels.max(axis=2) - pixels.min(axis=2) > 20
    return found


def boxed_page(path: Path, number: int, *boxes: BBox) -> PagePicture:
    return draw_pdf_page(path.read_bytes(), path.name, number, boxes, SCALE, DEFAULT_LIMITS)


def assert_frames(path: Path, evidence: Evidence, turns: int = 0, tilt: float = 0.0) -> bool:
    """The picture frames the quote, and not much more; False where the search does not find the quote as it is printed."""
    assert evidence.page is not None
    assert evidence.bbox is not None
    pixels = pixels_of(boxed_page(path, evidence.page, evidence.bbox))
    height, width, _ = pixels.shape
    places = characters_of(path, evidence.page, evidence.quote, (width, height), turns)
    if not places:
        return False
    colour = washed(pixels)
    white = pixels.min(axis=2) == 255

    def lies_on_the_wash(place: Sequence[tuple[float, float, float, float]]) -> bool:
        return all(
            not white[int(top) : int(bottom) + 1, int(left) : int(right) + 1].any()
            for left, top, right, bottom in place
        )

    assert any(map(lies_on_the_wash, places)), f"{evidence.quote} is not framed on page {evidence.page}"
    x0, top, x1, bottom = evidence.bbox
    wide, high = (x1 - x0 + 2 * ROOM_PT) * SCALE, (bottom - top + 2 * ROOM_PT) * SCALE
    rows, columns = np.nonzero(colour)
    turn = math.radians(abs(tilt))
    assert np.ptp(columns) <= wide * math.cos(turn) + high * math.sin(turn) + 1
    assert np.ptp(rows) <= high * math.cos(turn) + wide * math.sin(turn) + 1
    return True


def evidence_of(path: Path) -> list[Evidence]:
    """What the reading of a plan cites: rows of places, calculations, sums."""
    extract = read_plan(parse_document(path))
    cited = [
        *chain.from_iterable(place.evidence for place in extract.places),
        *chain.from_iterable(sum_.evidence for place in extract.places for sum_ in place.calculations),
    ]
    return [item for item in dict.fromkeys(cited) if item.bbox is not None]


def assert_most_are_framed(path: Path, cited: Sequence[Evidence], turns: int = 0, tilt: float = 0.0) -> None:
    cited = cited[:: max(1, len(cited) // SAMPLE)][:SAMPLE]  # every picture costs a fifth of a second
    found = [assert_frames(path, item, turns, tilt) for item in cited]
    # A name broken over two lines of its cell is one quote, and no line of the page.
    assert sum(found) >= 0.7 * len(cited) > 0


def tilted(source: Path, target: Path, degrees: float) -> Path:
    """The document as a scanner sees it: everything turned a little about the middle of each page."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    with pikepdf.open(source) as pdf:
        for page in pdf.pages:
            left, low, right, high = (float(edge) for edge in page.mediabox)
            x, y = (left + right) / 2, (low + high) / 2
            move = f"{x - cos * x + sin * y:.4f} {y - sin * x - cos * y:.4f}"
            page.contents_add(f"q {cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} {move} cm".encode(), prepend=True)
            page.contents_add(b"Q")
        pdf.save(target)
    return target


def test_the_frame_holds_the_quoted_words_of_the_reference_plan() -> None:
    assert_most_are_framed(PLAN, evidence_of(PLAN))


def test_the_frame_holds_the_quoted_words_of_a_report() -> None:
    readings = read_report(parse_document(REPORT)).readings
    cited = list(chain.from_iterable(reading.evidence for reading in readings))

    assert_most_are_framed(REPORT, cited)


@pytest.mark.parametrize("name", ["l01_names_first_unruled", "l03_continued", "l09_thousands", "l10_two_level"])
def test_the_frame_holds_the_quoted_words_of_each_layout(name: str) -> None:
    path = LAYOUTS / f"{name}.pdf"

    assert_most_are_framed(path, evidence_of(path))


@pytest.mark.parametrize(("name", "degrees"), [("l09_thousands", 1.0), ("l10_two_level", -1.5), ("l03_continued", 2.0)])
def test_the_frame_is_skewed_with_the_text_of_a_skewed_page(tmp_path: Path, name: str, degrees: float) -> None:
    path = tilted(LAYOUTS / f"{name}.pdf", tmp_path / "plan.pdf", degrees)

    assert_most_are_framed(path, evidence_of(path), tilt=degrees)


@pytest.mark.parametrize("name", ["l01_names_first_unruled", "l10_two_level"])
def test_a_page_marked_as_turned_is_shown_and_framed_upright(tmp_path: Path, name: str) -> None:
    path = Path(shutil.copy(LAYOUTS / f"{name}.pdf", tmp_path / "plan.pdf"))
    turn_pages(path)

    assert_most_are_framed(path, evidence_of(path))


def test_a_page_whose_text_runs_sideways_is_turned_upright_without_any_mark(tmp_path: Path) -> None:
    upright = PdfPage(width=842, height=595)
    upright.text(100, 200, "42105综采工作面需风量1221m³/min", size=12)
    upright.text(100, 400, "42106回风顺槽掘进工作面", size=12)
    path = write_pdf(tmp_path / "plan.pdf", [sideways(upright, rotate=0)])
    first, second = parse_document(path).lines
    cited = [Evidence(file="plan.pdf", page=1, bbox=line.bbox, quote=line.text) for line in (first, second)]

    assert_most_are_framed(path, cited, turns=1)
    assert pixels_of(boxed_page(path, 1)).shape == (595 * 2, 842 * 2, 3)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_a_page_without_text_is_shown_as_it_is_marked(tmp_path: Path, rotate: int) -> None:
    page = PdfPage(width=600, height=400, rotate=rotate)
    page.bar(0, 0, 60, 40)  # black in the upper left corner of the unturned sheet
    path = write_pdf(tmp_path / "plan.pdf", [page])

    pixels = pixels_of(boxed_page(path, 1))
    framed = washed(pixels_of(boxed_page(path, 1, (100.0, 50.0, 200.0, 90.0))))

    corner = {0: (0, 0), 90: (0, -1), 180: (-1, -1), 270: (-1, 0)}[rotate]
    assert pixels[corner].tolist() == [0, 0, 0]
    assert pixels.shape[:2] == ((800, 1200) if rotate % 180 == 0 else (1200, 800))
    rows, columns = np.nonzero(framed)
    middle = (rows.min() + rows.max()) / 2 / SCALE, (columns.min() + columns.max()) / 2 / SCALE
    assert middle == pytest.approx((70.0, 150.0), abs=1.0)


def test_a_page_box_off_the_origin_moves_no_frame(tmp_path: Path) -> None:
    page = PdfPage(origin=(100.0, -50.0))
    page.operators.append("1 0 0 1 100 -50 cm")
    page.text(200, 300, "42105综采工作面", size=12)
    path = write_pdf(tmp_path / "plan.pdf", [page])
    (line,) = parse_document(path).lines

    assert_most_are_framed(path, [Evidence(file="plan.pdf", page=1, bbox=line.bbox, quote=line.text)])


def test_several_places_are_framed_and_the_rest_is_untouched() -> None:
    cited = evidence_of(PLAN)
    page = cited[0].page
    assert page is not None
    boxes = [item.bbox for item in cited if item.page == page and item.bbox is not None][:3]

    plain, framed = pixels_of(boxed_page(PLAN, page)), pixels_of(boxed_page(PLAN, page, *boxes))

    assert len(boxes) == 3
    changed = (plain != framed).any(axis=2)
    allowed = np.zeros_like(changed)
    for x0, top, x1, bottom in boxes:
        edges = [(top - ROOM_PT) * SCALE, (bottom + ROOM_PT) * SCALE, (x0 - ROOM_PT) * SCALE, (x1 + ROOM_PT) * SCALE]
        low, high, left, right = (round(edge) for edge in edges)
        assert changed[low:high, left:right].mean() > 0.6
        allowed[low:high, left:right] = True
    assert not (changed & ~allowed).any()
    assert not washed(plain).any()


def test_a_very_large_page_comes_smaller_than_asked_for_and_says_so(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "plan.pdf", [PdfPage(width=14_000, height=10_000)])

    picture = draw_page(path, 1, scale=4.0)

    height, width, _ = pixels_of(picture).shape
    assert width * height <= 12_100_000
    assert picture.scale < 1
    assert width == pytest.approx(14_000 * picture.scale, abs=1)


@pytest.mark.parametrize(
    ("name", "number", "boxes", "problem"),
    [
        ("reference/plan.docx", 1, (), PictureProblem.NO_PAGES),
        ("reference/report.xlsx", 1, (), PictureProblem.NO_PAGES),
        ("reference/plan.txt", 1, (), PictureProblem.NO_PAGES),
        ("reference/plan.pdf", 64, (), PictureProblem.NO_SUCH_PAGE),
        ("reference/plan.pdf", 0, (), PictureProblem.NO_SUCH_PAGE),
        ("reference/plan.pdf", 1, ((600.0, 10.0, 700.0, 20.0),), PictureProblem.BOX_OFF_PAGE),
    ],
)
def test_what_is_not_there_is_said(name: str, number: int, boxes: tuple[BBox, ...], problem: PictureProblem) -> None:
    with pytest.raises(PictureError) as caught:
        draw_page(FIXTURES / name, number, boxes)

    assert caught.value.problem is problem
    assert caught.value.pages == (63 if name.endswith(".pdf") else None)


@pytest.mark.parametrize(
    ("name", "problem"), [("h01_encrypted", InputProblem.ENCRYPTED), ("h02_truncated", InputProblem.DAMAGED)]
)
def test_a_file_that_cannot_be_read_is_refused_in_words(name: str, problem: InputProblem) -> None:
    with pytest.raises(InputError) as caught:
        draw_page(FIXTURES / "hostile" / f"{name}.pdf", 1)

    assert caught.value.problem is problem
    assert caught.value.hint


def test_the_process_returns_the_picture_that_was_drawn() -> None:
    assert draw_page(PLAN, 9).png == boxed_page(PLAN, 9).png


def test_a_page_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    page = PdfPage()
    # Each fill covers the page: cheap to write, dear to draw.
    page.operators = ["q 0.5 g 0 0 595 842 re f Q 1 0 0 RG 0 0 m 595 842 l 0 842 l 595 0 l b* "] * 60_000
    path = write_pdf(tmp_path / "plan.pdf", [page])
    start = time.monotonic()

    with pytest.raises(InputError) as caught:
        draw_page(path, 1, scale=4.0, limits=Limits(cpu_s=2, wall_s=5.0))

    assert caught.value.problem is InputProblem.TIMEOUT
    assert time.monotonic() - start < 10
