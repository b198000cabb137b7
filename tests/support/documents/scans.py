"""Turns pages of a pdf into what a scanner makes of them: skewed, noisy JPEG pictures without a text layer."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from algorithms.airflow_review.documents.scan.packages import missing_packages

DPI = 200
# Told by name in the summary of skipped tests; the development lock holds the extra, so nothing is skipped there.
needs_ocr = pytest.mark.skipif(
    bool(missing_packages()), reason=f'NOT TESTED: pip install ".[ocr]" brings {", ".join(missing_packages())}'
)


def scanned_pictures(
    source: Path, pages: Sequence[int] | None = None, *, skew_deg: float = 0.7, noise: float = 12.0, quality: int = 80
) -> list[bytes]:
    """JPEG pictures of pages (numbers from 0; all by default), turned by `skew_deg`, with Gaussian noise of the given sigma."""
    chance = np.random.default_rng(2024)
    document = pypdfium2.PdfDocument(source)
    pictures = []
    for number in range(len(document)) if pages is None else pages:
        sheet = document[number].render(scale=DPI / 72, grayscale=True).to_pil().convert("L")
        turned = np.asarray(sheet.rotate(skew_deg, resample=Image.Resampling.BICUBIC, fillcolor=255), np.float64)
        noisy = np.clip(turned * 0.92 + 12 + chance.normal(0, noise, turned.shape), 0, 255).astype(np.uint8)
        buffer = io.BytesIO()
        Image.fromarray(noisy).save(buffer, "JPEG", quality=quality, dpi=(DPI, DPI))
        pictures.append(buffer.getvalue())
    document.close()
    return pictures


def write_scan(path: Path, pictures: Sequence[bytes], *, before: Path | None = None) -> Path:
    """A pdf with one picture a page; the pages of `before`, text and all, come first."""
    pdf = pikepdf.open(before) if before else pikepdf.new()
    with pdf:
        for picture in pictures:
            _add_page(pdf, picture)
        pdf.save(path)
    return path


def _add_page(pdf: Any, picture: bytes) -> None:
    with Image.open(io.BytesIO(picture)) as image:
        wide, high = image.size
    width_pt, height_pt = wide * 72 / DPI, high * 72 / DPI
    pdf.add_blank_page(page_size=(width_pt, height_pt))
    page = pdf.pages[-1]
    stream = pikepdf.Stream(pdf, picture)
    stream.Type, stream.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    stream.Width, stream.Height, stream.BitsPerComponent = wide, high, 8
    stream.ColorSpace, stream.Filter = pikepdf.Name.DeviceGray, pikepdf.Name.DCTDecode
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Scan=stream))
    page.Contents = pikepdf.Stream(pdf, f"q {width_pt} 0 0 {height_pt} 0 0 cm /Scan Do Q".encode())


def a_page(source: Path, number: int, target: Path) -> Path:
    """One page of a pdf (from 0) as a pdf of its own."""
    with pikepdf.open(source) as pdf, pikepdf.new() as one:
        one.pages.append(pdf.pages[number])
        one.save(target)
    return target
