"""The recognition models: pictures of lines to text with a confidence, and where on a page text stands.

Everything runs offline; the models are files of the `rapidocr` package. Nothing of it is imported before it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]

_THREADS: Final = 2
_SHORT_LINE: Final = [3, 48, 120]  # cells are short: a narrow input saves half of the time, longer lines widen it
_LONGEST_SIDE_PX: Final = 4000  # the default of 2000 would shrink an A4 page at 200 dpi
_DETECTOR: Final = "PP-OCRv6_det_small.onnx"
_READER: Final = "PP-OCRv6_rec_small.onnx"


@dataclass(frozen=True, slots=True)
class Recognized:
    """What a picture of one line says."""

    text: str
    confidence: float  # of the least certain digit, or character where there is no digit; 0 … 1


class Recognizer:
    """The loaded models; loading takes about a second, so one serves all pages of a document."""

    def __init__(self) -> None:
        import rapidocr  # late: half a second and 300 MB that only scans need

        models = Path(rapidocr.__file__).parent / "models"
        self._engine: Any = rapidocr.RapidOCR(
            params={
                "Global.use_cls": False,
                "Global.log_level": "critical",
                "Global.max_side_len": _LONGEST_SIDE_PX,
                "Global.return_word_box": True,  # brings the confidence of each character
                "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
                # By path: a name would be looked up, and fetched where it is not found.
                "Det.limit_type": "max",  # never enlarge a part of a page
                "Det.limit_side_len": _LONGEST_SIDE_PX,
                "Det.model_path": str(models / _DETECTOR),
                "Rec.model_path": str(models / _READER),
                "Rec.rec_img_shape": _SHORT_LINE,
            }
        )

    def read(self, lines: Sequence[Gray]) -> list[Recognized]:
        """The text of each picture of one line, in their order."""
        if not lines:
            return []
        found = self._engine.recognize_txt([np.repeat(line[:, :, None], 3, axis=2) for line in lines])
        return [
            Recognized(text.strip(), _confidence(text, word.confs))
            for text, word in zip(found.txts, found.word_results, strict=True)
        ]

    def find(self, page: Gray) -> list[tuple[int, int, int, int]]:
        """x0, top, x1, bottom [px] of the lines of text on an upright page."""
        found = self._engine(np.repeat(page[:, :, None], 3, axis=2), use_det=True, use_cls=False, use_rec=False)
        boxes = getattr(found, "boxes", None)
        if boxes is None:
            return []
        return [
            (int(box[:, 0].min()), int(box[:, 1].min()), int(np.ceil(box[:, 0].max())), int(np.ceil(box[:, 1].max())))
            for box in np.asarray(boxes)
        ]


def _confidence(text: str, of_characters: Sequence[float]) -> float:
    """Brackets and units are often unsure without harm: where there are digits they alone count, with their points."""
    if len(of_characters) != len(text):
        return min(of_characters, default=0.0)
    digits = [
        confidence for char, confidence in zip(text, of_characters, strict=True) if char.isdigit() or char in ".．,，"
    ]
    return min(digits or of_characters, default=0.0)
