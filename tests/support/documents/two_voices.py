"""A pdf file in which one number says two things: its font maps one code to two characters, and engines take one each.

The drawn glyph is that of the code itself.
"""

from __future__ import annotations

from pathlib import Path

import pikepdf

_FONT = pikepdf.Name("/FX")
_MAP = (
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Twice def "
    "1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <{0:02X}> <{1:04X}> <{0:02X}> <{2:04X}> endbfchar "
    "endcmap end end"
)


def redraw(source: Path, target: Path, *, page: int, drawn: str, digit: str, told: tuple[str, str]) -> Path:
    """Draws the only string `drawn` of a page (1-based) in a font whose map tells `digit` as one of `told` and as the other.

    Raises:
        AssertionError: The string is drawn more than once on the page, or never.
    """
    with pikepdf.open(source) as pdf:
        here = pdf.pages[page - 1]
        cmap = pikepdf.Stream(pdf, _MAP.format(ord(digit), *map(ord, told)).encode())
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica, ToUnicode=cmap
        )
        # The pages share one dictionary of fonts: the others do not name this one.
        here.Resources.Font[_FONT] = pdf.make_indirect(font)
        done, last_font, redrawn = [], None, 0
        for operands, operator in pikepdf.parse_content_stream(here):  # type: ignore[misc]  # unpacks as a pair
            if str(operator) == "Tf":
                last_font = operands
            is_drawn = str(operator) == "Tj" and bytes(operands[0]) == drawn.encode()
            if is_drawn and last_font is not None:
                redrawn += 1
                done += [([_FONT, last_font[1]], pikepdf.Operator("Tf")), (operands, operator)]
                done.append((last_font, pikepdf.Operator("Tf")))
            else:
                done.append((operands, operator))
        assert redrawn == 1, f"{drawn} is drawn {redrawn} times"
        here.Contents = pdf.make_stream(pikepdf.unparse_content_stream(done))
        pdf.save(target)
    return target
