"""The parts of a docx package that hold its text, parsed without touching network or entities."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from algorithms.airflow_review.documents import refusal

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MAIN = re.compile(
    rb'PartName="/?([^"]+)"[^>]*document\.(?:macroEnabled\.)?main\+xml|document\.(?:macroEnabled\.)?main\+xml"[^>]*PartName="/?([^"]+)"'
)

__all__ = ["MC", "Element", "M", "W", "WordPackage", "setting"]


class WordPackage:
    """Reads the parts of one docx file."""

    def __init__(self, data: bytes, file: str) -> None:
        self._file = file
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            types = self._archive.read("[Content_Types].xml")
        except (zipfile.BadZipFile, KeyError, OSError) as error:
            raise refusal.damaged(file) from error
        found = _MAIN.search(types)
        self._main = (found[1] or found[2]).decode() if found else "word/document.xml"

    def body(self) -> Element:
        """The body of the main part.

        Raises:
            InputError: there is none, or it is not well-formed.
        """
        root = self.part(self._main)
        body: Element | None = None if root is None else root.find(f"{W}body")
        if body is None:
            raise refusal.damaged(self._file)
        return body

    def beside(self, name: str) -> Element | None:
        """A part in the folder of the main part, such as numbering.xml, if there is one."""
        return self.part(f"{self._main.rpartition('/')[0]}/{name}")

    def part(self, name: str) -> Element | None:
        """The root of a part, None if there is no such part.

        Raises:
            InputError: the part is not well-formed.
        """
        parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
        try:
            root: Element = etree.fromstring(self._archive.read(name), parser)
        except KeyError:
            return None
        except (etree.XMLSyntaxError, zipfile.BadZipFile, OSError) as error:
            raise refusal.damaged(self._file) from error
        return root


def setting(node: Element | None, path: str, default: str = "") -> str:
    """The `w:val` of a property below a node, e.g. `tcPr/gridSpan`."""
    if node is None:
        return default
    found = node.find("/".join(W + step for step in path.split("/")))
    return default if found is None else str(found.get(f"{W}val", default))
