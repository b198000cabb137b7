"""Whether the recognition extra is installed, asked without loading any of it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Final

_PACKAGES: Final = {"rapidocr": "rapidocr", "onnxruntime": "onnxruntime", "cv2": "opencv-python-headless"}


@cache
def missing_packages() -> tuple[str, ...]:
    """The packages of the extra that are not installed."""
    return tuple(package for module, package in _PACKAGES.items() if find_spec(module) is None)
