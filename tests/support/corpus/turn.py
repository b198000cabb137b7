"""Turns a landscape pdf into portrait pages marked with a turn, as scanners and some printers do."""

from __future__ import annotations

from pathlib import Path

import pikepdf


def turn_pages(path: Path) -> None:
    """Every page keeps how it looks; its content is turned and /Rotate 90 turns it back."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for page in pdf.pages:
            box = [float(edge) for edge in page.mediabox]
            width, height = box[2] - box[0], box[3] - box[1]
            page.contents_add(f"q 0 1 -1 0 {height:g} 0 cm".encode(), prepend=True)
            page.contents_add(b"Q")
            page.mediabox = pikepdf.Array([0, 0, height, width])
            page.Rotate = 90
        pdf.save(path)
