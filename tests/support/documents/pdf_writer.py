"""Writes small pdf files for tests: text at exact places, rules, pictures, turned pages.

The font is STSong-Light, named but not embedded, with Unicode codes; every glyph is one em wide, ASCII half an em.
Lengths are points, the origin is the upper left corner of the page, y runs down; text stands on its baseline.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, field
from pathlib import Path

A4 = (595.0, 842.0)


def width_of(text: str, size: float) -> float:
    """How wide the text is drawn."""
    return sum(0.5 if char.isascii() else 1.0 for char in text) * size


@dataclass
class PdfPage:
    """One page; its drawing calls are written in the order they are made."""

    width: float = A4[0]
    height: float = A4[1]
    rotate: int = 0
    operators: list[str] = field(default_factory=list)
    origin: tuple[float, float] = (0.0, 0.0)  # lower left corner of the page's box
    form: list[str] = field(default_factory=list)  # operators of a form object named X1
    tilt: float = 0.0  # degrees, counter-clockwise, of everything about the page's middle

    def text(self, x: float, y: float, text: str, size: float = 9.0, angle: float = 0.0, mode: int = 0) -> None:
        """Text that starts at x, y; `angle` in degrees, counter-clockwise; mode 3 is invisible."""
        turn = math.radians(angle + self.tilt)
        at_x, at_y = self._placed(x, y)
        cos, sin = math.cos(turn), math.sin(turn)
        code = text.encode("utf-16-be").hex().upper()
        self.operators.append(
            f"BT /F1 {size:g} Tf {mode} Tr {cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} {at_x:.3f} {at_y:.3f} Tm <{code}> Tj ET"
        )

    def rule(self, x0: float, y0: float, x1: float, y1: float, width: float = 0.5, gray: float = 0.0) -> None:
        """A stroked line."""
        (a, b), (c, d) = self._placed(x0, y0), self._placed(x1, y1)
        self.operators.append(f"{gray:g} G {width:g} w {a:.3f} {b:.3f} m {c:.3f} {d:.3f} l S 0 G")

    def bar(self, x0: float, y0: float, x1: float, y1: float, gray: float = 0.0) -> None:
        """A filled rectangle: a thin one is how some programs draw rules, a broad one is shading."""
        corners = [self._placed(x, y) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        path = " l ".join(f"{x:.3f} {y:.3f}" for x, y in corners).replace(" l ", " m ", 1)
        self.operators.append(f"{gray:g} g {path} l h f 0 g")

    def picture(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """A grey picture."""
        self.operators.append(f"q {x1 - x0:g} 0 0 {y1 - y0:g} {x0:g} {self.height - y1:g} cm /I1 Do Q")

    def _placed(self, x: float, y: float) -> tuple[float, float]:
        turn = math.radians(self.tilt)
        dx, dy = x - self.width / 2, self.height / 2 - y
        return (
            self.width / 2 + dx * math.cos(turn) - dy * math.sin(turn),
            self.height / 2 + dx * math.sin(turn) + dy * math.cos(turn),
        )


def sideways(page: PdfPage, rotate: int) -> PdfPage:
    """The page's drawing turned to run upwards along the left side of the same sheet."""
    turned = PdfPage(width=page.height, height=page.width, rotate=rotate)
    turned.operators = [f"0 1 -1 0 {page.height:g} 0 cm", *page.operators]
    return turned


def write_pdf(path: Path, pages: list[PdfPage]) -> Path:
    """Writes the pages as one file."""
    font = 3 + 3 * len(pages)
    objects: list[bytes] = [b"<</Type/Catalog/Pages 2 0 R>>"]
    kids = " ".join(f"{3 + 3 * at} 0 R" for at in range(len(pages)))
    objects.append(f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode())
    for at, page in enumerate(pages):
        body = zlib.compress("\n".join(page.operators).encode())
        form = "\n".join(page.form).encode()
        (left, low), fonts = page.origin, f"<</F1 {font} 0 R>>"
        named = f"/XObject<</I1 {font + 3} 0 R/X1 {5 + 3 * at} 0 R>>"
        objects += [
            f"<</Type/Page/Parent 2 0 R/MediaBox[{left:g} {low:g} {left + page.width:g} {low + page.height:g}]/Rotate {page.rotate}"
            f"/Resources<</Font{fonts}{named}>>/Contents {4 + 3 * at} 0 R>>".encode(),
            f"<</Length {len(body)}/Filter/FlateDecode>>stream\n".encode() + body + b"\nendstream",
            f"<</Type/XObject/Subtype/Form/BBox[0 0 2000 2000]/Resources<</Font{fonts}>>/Length {len(form)}>>stream\n".encode()
            + form
            + b"\nendstream",
        ]
    system = "<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>"
    objects += [
        f"<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[{font + 1} 0 R]>>".encode(),
        f"<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo{system}/DW 1000/W[1 95 500]/FontDescriptor {font + 2} 0 R>>".encode(),
        b"<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[-25 -254 1000 880]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 93>>",
        b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>stream\n\x80\nendstream",
    ]
    _write(path, objects)
    return path


def _write(path: Path, objects: list[bytes]) -> None:
    out = bytearray(b"%PDF-1.5\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
    path.write_bytes(out)
