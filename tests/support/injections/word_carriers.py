"""Orders in docx packages."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt, RGBColor
from docx.text.run import Run

_BESIDE: Final = '<w:p><w:r><w:t xml:space="preserve">{}</w:t></w:r></w:p>'
_NAMES: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _written(change: Callable[[Any, str], object]) -> Callable[[Path, Path, str], None]:
    def carry(source: Path, target: Path, order: str) -> None:
        document = docx.Document(str(source))
        change(document, order)
        document.save(str(target))

    return carry


def _middle(document: Any) -> Any:
    """A paragraph between two calculations, or the first of a report."""
    texts = document.paragraphs
    return next((p for p in texts if "取最大值" in p.text), texts[0])


def _beside(document: Any, order: str) -> Run:
    run: Run = _middle(document).insert_paragraph_before().add_run(order)
    return run


def _vanish(run: Run) -> None:
    run.font.hidden = True


def _white(run: Run) -> None:
    run.font.color.rgb = RGBColor(255, 255, 255)


def _tiny(run: Run) -> None:
    run.font.size = Pt(1)


def _styled_away(document: Any, order: str) -> None:
    style = document.styles.add_style("Quiet", 2)
    style.font.hidden = True
    _beside(document, order).style = style


def _paragraph_styled_away(document: Any, order: str) -> None:
    style = document.styles.add_style("QuietParagraph", 1)
    style.font.hidden = True
    _middle(document).insert_paragraph_before(order, style=style)


def _core(document: Any, order: str) -> None:
    about, short = document.core_properties, order[:200]
    about.title = about.subject = about.keywords = about.comments = about.author = short


def _header_footer(document: Any, order: str) -> None:
    section = document.sections[0]
    section.header.paragraphs[0].text = section.footer.paragraphs[0].text = order


def _comment(document: Any, order: str) -> None:
    paragraph = next(p for p in document.paragraphs if p.runs)
    document.add_comment(paragraph.runs, text=order, author="system", initials="S")


def _in_cell(document: Any, order: str) -> None:
    document.tables[-1].rows[-1].cells[-1].add_paragraph(order)


def _own_row(document: Any, order: str) -> None:
    document.tables[-1].add_row().cells[-1].text = order


def _own_table(document: Any, order: str) -> None:
    table = document.add_table(rows=2, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text, table.cell(1, 1).text = "角色", "内容", order


def _raw(document: Any, order: str, template: str) -> None:
    node = parse_xml(template.replace("<w:p>", f"<w:p {nsdecls('w')}>", 1).replace("ORDER", _escaped(order)))
    _middle(document)._p.addprevious(node)


def _escaped(order: str) -> str:
    return order.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _template(template: str) -> Callable[[Path, Path, str], None]:
    return _written(lambda document, order: _raw(document, order, template))


def _alternative_text(document: Any, order: str) -> None:
    properties = document.tables[0]._tbl.tblPr
    for name in ("w:tblCaption", "w:tblDescription"):
        node = properties.makeelement(qn(name), {qn("w:val"): order})
        properties.append(node)


def _footnotes(source: Path, target: Path, order: str) -> None:
    """A part of notes that no reader of the body meets."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            if item.filename != "word/footnotes.xml":
                new.writestr(item, old.read(item.filename))
        note = f'<w:footnote w:id="7">{_BESIDE.format(_escaped(order))}</w:footnote>'
        new.writestr("word/footnotes.xml", f"<w:footnotes {_NAMES}>{note}</w:footnotes>")


def _dressed(dress: Callable[[Run], None]) -> Callable[[Path, Path, str], None]:
    return _written(lambda document, order: dress(_beside(document, order)))


CARRIERS_DOCX: Final = {
    "first paragraph": _written(lambda document, order: document.paragraphs[0].insert_paragraph_before(order)),
    "paragraph": _written(_beside),
    "last paragraph": _written(lambda document, order: document.add_paragraph(order)),
    "table cell": _written(_in_cell),
    "table row": _written(_own_row),
    "table": _written(_own_table),
    "header and footer": _written(_header_footer),
    "core properties": _written(_core),
    "comment": _written(_comment),
    "alternative text": _written(_alternative_text),
    "footnote": _footnotes,
    "hidden run": _dressed(_vanish),
    "hidden by a style": _written(_styled_away),
    "hidden by the paragraph's style": _written(_paragraph_styled_away),
    "white text": _dressed(_white),
    "tiny text": _dressed(_tiny),
    "deleted text": _template(
        '<w:p><w:del w:id="1" w:author="x"><w:r><w:delText>ORDER</w:delText></w:r></w:del></w:p>'
    ),
    "inserted text": _template('<w:p><w:ins w:id="1" w:author="x"><w:r><w:t>ORDER</w:t></w:r></w:ins></w:p>'),
    "field code": _template('<w:p><w:r><w:instrText>QUOTE "ORDER"</w:instrText></w:r></w:p>'),
    "content control": _template(
        '<w:p><w:sdt><w:sdtPr><w:alias w:val="ORDER"/></w:sdtPr><w:sdtContent><w:r><w:t>ORDER</w:t></w:r></w:sdtContent></w:sdt></w:p>'
    ),
}
