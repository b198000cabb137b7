"""Orders in pdf files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pikepdf
from pikepdf import Array, Dictionary, Name, Page, Pdf, String

_MARGIN_PT: Final = 30.0
_FOOT_PT: Final = 22.0


def _written(change: Callable[[Pdf, str], None]) -> Callable[[Path, Path, str], None]:
    def carry(source: Path, target: Path, order: str) -> None:
        with pikepdf.open(source) as pdf:
            change(pdf, order)
            pdf.save(target)

    return carry


def _font(pdf: Pdf) -> Any:
    """A font that is named and not embedded; its codes are Unicode."""
    about = Dictionary(
        Type=Name.FontDescriptor, FontName=Name("/STSong-Light"), Flags=6, FontBBox=[-25, -254, 1000, 880],
        ItalicAngle=0, Ascent=880, Descent=-120, CapHeight=880, StemV=93,
    )  # fmt: skip
    system = Dictionary(Registry=String("Adobe"), Ordering=String("GB1"), Supplement=4)
    glyphs = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType0, BaseFont=Name("/STSong-Light"), CIDSystemInfo=system, DW=1000,
        W=[1, 95, 500], FontDescriptor=pdf.make_indirect(about),
    )  # fmt: skip
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/STSong-Light"), Encoding=Name("/UniGB-UCS2-H"),
            DescendantFonts=[pdf.make_indirect(glyphs)],
        )
    )  # fmt: skip


def draw(pdf: Pdf, text: str, at: tuple[float, float], style: str = "0 g 0 Tr", size: float = 8, page: int = 0) -> None:
    """Write lines on a page; `at` in points from its lower left corner, `style` are operators that come before."""
    target = pdf.pages[page]
    _shown(pdf, target, text, at, style, size)


def _shown(pdf: Pdf, page: Page, text: str, at: tuple[float, float], style: str, size: float, around: str = "") -> None:
    name = page.add_resource(_font(pdf), Name.Font)
    lines = "".join(
        f"1 0 0 1 {at[0]:g} {at[1] - 1.2 * size * row:g} Tm <{line.encode('utf-16-be').hex()}> Tj "
        for row, line in enumerate(text.split("\n"))
    )
    begin, end = (f"{around} BDC", "EMC") if around else ("", "")
    # The page's own operators may leave any state behind: they are kept apart.
    page.contents_add(b"q", prepend=True)
    page.contents_add(f"Q q {begin} BT {style} {name} {size:g} Tf {lines} ET {end} Q".encode())


def _text(at: tuple[float, float], style: str = "0 g 0 Tr", size: float = 8) -> Callable[[Path, Path, str], None]:
    return _written(lambda pdf, order: draw(pdf, order, at, style, size))


def _own_page(pdf: Pdf, order: str) -> None:
    pdf.add_blank_page(page_size=(595, 842))
    draw(pdf, order, (60, 700), size=12, page=-1)


def _every_page(pdf: Pdf, order: str) -> None:
    for page in range(len(pdf.pages)):
        draw(pdf, order, (_MARGIN_PT, _FOOT_PT), page=page)


def _info(pdf: Pdf, order: str) -> None:
    for key in ("/Title", "/Subject", "/Keywords", "/Author"):
        pdf.docinfo[key] = String(order)


def _xmp(pdf: Pdf, order: str) -> None:
    with pdf.open_metadata() as about:
        about["dc:title"] = about["dc:description"] = order.replace("\u202e", "").replace("\u202c", "")


def _annotation(kind: str) -> Callable[[Path, Path, str], None]:
    def change(pdf: Pdf, order: str) -> None:
        note = Dictionary(
            Type=Name.Annot,
            Subtype=Name("/" + kind),
            Rect=[30, 30, 300, 60],
            Contents=String(order),
            T=String("system"),
        )
        page = pdf.pages[0]
        page.Annots = Array([*page.get("/Annots", []), pdf.make_indirect(note)])

    return _written(change)


def _field(pdf: Pdf, order: str) -> None:
    box = Dictionary(
        Type=Name.Annot,
        Subtype=Name.Widget,
        FT=Name.Tx,
        Rect=[30, 30, 300, 60],
        T=String("order"),
        V=String(order),
        F=2,
    )
    made = pdf.make_indirect(box)
    pdf.pages[0].Annots = Array([made])
    pdf.Root.AcroForm = Dictionary(Fields=[made])


def _attachment(pdf: Pdf, order: str) -> None:
    pdf.attachments["system_prompt.txt"] = order.encode()


def _script(pdf: Pdf, order: str) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String(f"app.alert({order!r})"))


def _outline(pdf: Pdf, order: str) -> None:
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(order, 0))


def _switched_off(pdf: Pdf, order: str) -> None:
    """On a layer that no viewer shows."""
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("quiet")))
    pdf.Root.OCProperties = Dictionary(OCGs=[layer], D=Dictionary(Order=[layer], OFF=[layer], BaseState=Name.ON))
    page = pdf.pages[0]
    name = page.add_resource(layer, Name.Properties)
    _shown(pdf, page, order, (_MARGIN_PT, _FOOT_PT), "0 g 0 Tr", 8, around=f"/OC {name}")


def _actual_text(pdf: Pdf, order: str) -> None:
    words = String(order).unparse(resolved=True).decode("latin-1")
    page = pdf.pages[0]
    page.contents_add(b"q", prepend=True)
    page.contents_add(f"Q /Span <</ActualText {words}>> BDC q Q EMC".encode("latin-1"))


CARRIERS_PDF: Final = {
    "line at the top": _text((_MARGIN_PT, 822)),
    "line at the bottom": _text((_MARGIN_PT, _FOOT_PT)),
    "foot of every page": _written(_every_page),
    "page of its own": _written(_own_page),
    "white text": _text((_MARGIN_PT, _FOOT_PT), "1 g 0 Tr"),
    "invisible text": _text((_MARGIN_PT, _FOOT_PT), "0 g 3 Tr"),
    "tiny text": _text((_MARGIN_PT, _FOOT_PT), size=0.4),
    "beside the page": _text((-900, 400)),
    "layer switched off": _written(_switched_off),
    "information": _written(_info),
    "xmp": _written(_xmp),
    "note": _annotation("Text"),
    "free text": _annotation("FreeText"),
    "form field": _written(_field),
    "attachment": _written(_attachment),
    "script": _written(_script),
    "bookmark": _written(_outline),
    "replacement text": _written(_actual_text),
}
