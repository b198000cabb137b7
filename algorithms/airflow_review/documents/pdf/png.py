"""Pixels as a PNG file: three chunks and zlib, which is less than a picture library for one format would cost to load."""

from __future__ import annotations

import struct
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BIT_RGB: Final = (8, 2, 0, 0, 0)
_LEVEL: Final = 6


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG of `pixels`, shape `(height, width, 3)`, red, green, blue."""
    height, width, _ = pixels.shape
    # Each line starts with the number of its filter: 0, none.
    lines = np.zeros((height, 1 + 3 * width), np.uint8)
    lines[:, 1:] = pixels.reshape(height, 3 * width)
    head = struct.pack(">2I5B", width, height, *_EIGHT_BIT_RGB)
    body = zlib.compress(lines.tobytes(), _LEVEL)
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
