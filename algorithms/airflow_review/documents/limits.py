"""How much one document may cost before it is refused."""

from __future__ import annotations

from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one document; beyond them reading ends with `too_large` or `timeout`."""

    file_bytes: int = 100_000_000
    memory_bytes: int = 1_500_000_000  # address space of the parsing process
    cpu_s: int = 30
    wall_s: float = 60.0
    inflated_bytes: int = 200_000_000  # sum over a zip container
    inflated_ratio: int = 100  # inflated to packed, asked of containers above ratio_free_bytes
    ratio_free_bytes: int = 10_000_000
    zip_entries: int = 2_000
    sheet_cells: int = 2_000_000  # rows × columns of the used range
    pages: int = 2_000
    page_glyphs: int = 200_000
    page_objects: int = 200_000
    ocr_pages: int = 0  # scanned pages that may be recognised; none: pictures of text stay unread


DEFAULT_LIMITS = Limits()
# The models alone take 1 GB, and a page 10 to 20 s of CPU on two cores.
OCR_LIMITS = Limits(memory_bytes=4_000_000_000, cpu_s=900, wall_s=600.0, ocr_pages=30)
