"""Scanned pages to the same blocks as printed ones: picture, grid, recognised text. An extra; see docs/decisions/0009-ocr.md."""
