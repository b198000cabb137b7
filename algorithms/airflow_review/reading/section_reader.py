"""Reads the sections of the calculation chapter into a `Chapter`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from typing import Final

from algorithms.airflow_review.documents.document import Document, Doubt, Table
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.extract import CalculationExtract, Mention, PlaceExtract, SpeedCheckExtract
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.reading.calculation_table import (
    calculations_in_row,
    calculations_in_table,
    calculations_of_row,
    method_columns,
    parameters_beside,
)
from algorithms.airflow_review.reading.chapter import Chapter, ChapterOfPlace
from algorithms.airflow_review.reading.equations import Group, Relation, relations_of
from algorithms.airflow_review.reading.grid import Grid, read_grid
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.known_names import squeeze_mapped
from algorithms.airflow_review.reading.methods import introduces, method_of, methods_in
from algorithms.airflow_review.reading.mine_level import (
    is_mine_total,
    system_of,
    take_calculation,
    take_stated,
    take_words,
)
from algorithms.airflow_review.reading.operator_repair import repaired_expression
from algorithms.airflow_review.reading.paragraphs import Paragraph, read_paragraphs
from algorithms.airflow_review.reading.parameters import (
    Parameter,
    attributes_in_text,
    is_parameter_table,
    parameters_in_row,
    parameters_in_table,
    parameters_in_text,
)
from algorithms.airflow_review.reading.place_type import type_of_name
from algorithms.airflow_review.reading.plan_columns import column_key
from algorithms.airflow_review.reading.section_result import printed_flow, take_equation, take_sentence
from algorithms.airflow_review.reading.sections import PlaceHeadings, Section, SectionKind, split_sections
from algorithms.airflow_review.reading.speed_check import speed_check_of
from algorithms.airflow_review.reading.system_names import SystemNames
from algorithms.airflow_review.reading.text import fold, normal_name, squeeze
from algorithms.airflow_review.reading.turned_table import grid_of_places
from algorithms.airflow_review.value_class import dataclass

FLOW: Final = "m3/min"
_GAS_FLOW: Final = "m3/min gas"  # the result of an emission's own calculation is no airflow
_CHECK_WORDS: Final = re.compile(r"验算|校验|校核|检验|核验")
# 按最低风速验算 and 按最低风速计算：Q其他 announce a method of roads
_LEAST_SPEED_METHOD: Final = re.compile(r"按[^=,;。]{0,6}最[低小]风速[^=,;。:]{0,4}:?(?:Q[^=,;。]{0,8})?$")
_KEPT_CONTEXTS: Final = 4


def read_chapter(
    document: Document, places: Sequence[PlaceExtract], systems: SystemNames, closing: frozenset[int]
) -> Chapter:
    """Walk the document's sections and collect calculations, checks, parameters and results of every place.

    `closing` are the indexes of the distribution tables; they end a section.
    """
    chapter = Chapter(document=document, distributed=places)
    headings = PlaceHeadings([place.name for place in places], [place.system for place in places])
    for section in split_sections(read_paragraphs(document.blocks), headings, closing):
        _SectionReader(chapter=chapter, section=section, headings=headings, systems=systems).read()
    return chapter


@dataclass(slots=True, kw_only=True)
class _SectionReader:
    """Reads one section; remembers the words and the formula printed before a calculation."""

    chapter: Chapter
    section: Section
    headings: PlaceHeadings
    systems: SystemNames
    contexts: list[str] = field(default_factory=list)  # phrases since the last calculation, newest last
    formula: str = ""
    where: str = ""
    checking: bool = False
    only: int | None = None  # the only place of the section's kind, once it has a calculation here

    @property
    def _file(self) -> str:
        return self.chapter.document.file

    @property
    def _said(self) -> ChapterOfPlace | None:
        return None if self.section.place is None else self.chapter.places[self.section.place]

    @property
    def _type(self) -> PlaceType | None:
        place = self.section.place
        return self.section.type if place is None else self.chapter.distributed[place].type

    def read(self) -> None:
        """All blocks of the section, in order."""
        heading = self.section.heading
        if heading is not None and self._said is not None:
            self._said.type = self.section.type
            self._said.evidence.extend(heading.evidence(self._file, ""))
        if heading is not None and self.section.name:
            evidence = heading.evidence(self._file, "")
            kind = type_of_name(self.section.name) or self.section.type
            self.chapter.mentions.append(Mention(name=self.section.name, type=kind, status="计算", evidence=evidence))
        if self.section.kind is not SectionKind.PLACE:
            self.chapter.general.extend([heading] if heading is not None else [])
            self.chapter.general.extend(self.section.blocks)
        for block in self.section.blocks:
            if isinstance(block, Table):
                self._table(block)
            else:
                self._paragraph(block)
        for index in self.section.also:
            if self._said is not None:
                self.chapter.places[index] = self._said

    def _table(self, table: Table) -> None:
        grid = grid_of_places(self._file, table, column_key, lambda text: self._place_of(text) is not None)
        grid = grid or read_grid(self._file, table, column_key, needed=1)
        if grid is not None and grid.column("place") is not None and self._rows_of_places(grid):
            return
        if self._said is None:
            return
        found = calculations_in_table(self._file, table, self._type)
        self._said.calculations.extend(found)
        self._said.parameters.extend(parameters_beside(self._file, table, found))
        if not found and is_parameter_table(table):
            _take_parameters(self._said, parameters_in_table(self._file, table))

    def _rows_of_places(self, grid: Grid) -> bool:
        """A table with one row for each place: results of methods, equations, parameters; True if it was one."""
        column, methods = grid.column("place"), method_columns(grid)
        head = [f"{c.header.label}({c.header.unit})" if c.header.unit else c.header.label for c in grid.columns]
        head = ["" if index == column or index in methods else label for index, label in enumerate(head)]
        result = _result_column(grid, methods)
        met: Counter[str] = Counter()
        known: list[tuple[int, int]] = []
        goes_on: list[tuple[int, int]] = []  # rows of further methods below the only row that names their place
        names_first = any(grid.text(row, column) for row in list(grid.body())[:1])  # and not in the middle of its rows
        for row in grid.body():
            name = self._place_of(grid.text(row, column))
            if name is not None:
                known.append((row, self.headings.nth(name, met[name])))
                met[name] += 1
            elif known and names_first and not grid.text(row, column):
                goes_on.append((row, known[-1][1]))
        for row, index in known:
            said = self.chapter.places[index]
            said.type = said.type or self.section.type
            found = calculations_of_row(grid, row, methods, self.chapter.distributed[index].type)
            if not found:
                found = calculations_in_row(grid.file, grid.table, row, self.chapter.distributed[index].type)
            said.calculations.extend(found)
            _take_parameters(said, parameters_in_row(grid.file, grid.table, row, head))
            said.required = grid.printed(row, result, FLOW) or said.required
        for row, index in goes_on:
            kind = self.chapter.distributed[index].type
            self.chapter.places[index].calculations.extend(calculations_in_row(grid.file, grid.table, row, kind))
        return bool(known)

    def _place_of(self, name: str) -> str | None:
        found = self.headings.finder.find(squeeze_mapped(name))
        return found[0].name if found and found[0].name == normal_name(name) else None

    def _paragraph(self, paragraph: Paragraph) -> None:
        """Clauses with relation signs first; what is left of the paragraph is read as words."""
        text = paragraph.text
        self._note_checking(text)
        words, before = text, 0
        relations = relations_of(text)
        for relation in relations:
            self._add_context(fold(text)[before : relation.start])
            if self._relation(paragraph, relation):
                words = words.replace(relation.text, "", 1)
            before = relation.end
        if words is text or squeeze(words):
            self._words(paragraph, words, relations)
        self._add_context(fold(text)[before:])

    def _add_context(self, text: str) -> None:
        if text.strip():
            self.contexts.append(self._without_names(text))

    def _note_checking(self, text: str) -> None:
        plain = squeeze(text)
        if _CHECK_WORDS.search(plain):
            self.checking = True
        elif re.match(r"^(?:[①-⑳◆●(\d])", plain) and introduces(plain):
            self.checking = False

    def _without_names(self, text: str) -> str:
        mapped = squeeze_mapped(text)
        plain = mapped.text
        for found in reversed(self.headings.finder.find(mapped)):
            plain = plain[: found.start] + plain[found.end :]
        return plain

    def _words(self, paragraph: Paragraph, text: str, relations: Sequence[Relation]) -> None:
        """What a paragraph says besides its calculations: formula, 式中, result, parameters, attributes."""
        if re.match(r"^(?:式中|其中)", squeeze(text)):
            self.where = text.strip()
        self.formula = _general_formula(relations) or self.formula
        evidence = paragraph.evidence(self._file, "")
        said = self._said if self.only is None else self.chapter.places[self.only]
        if said is None:
            take_words(self.chapter, paragraph)
            return
        take_sentence(said, text, evidence, (self._without_names(context) for context in (*self.contexts, text)))
        method = next((m for context in reversed(self.contexts) for m in methods_in(context)), None)
        said.parameters.extend(parameters_in_text(text, evidence, method))
        for key, value in attributes_in_text(text):
            said.attributes.setdefault(key, value)

    def _relation(self, paragraph: Paragraph, relation: Relation) -> bool:
        """Take a clause with relation signs; True when it is a calculation or a check."""
        equation = relation.equation
        if equation is not None and equation.result is not None and equation.expression:
            self._calculation(paragraph, relation, equation)
            return True
        check = speed_check_of(relation, self._file, paragraph)
        if check is not None and self._said is not None:
            self._said.checks.append(check)
            return True
        if equation is not None:
            self._stated(paragraph, relation, equation)
        return False

    def _stated(self, paragraph: Paragraph, relation: Relation, equation: Group) -> None:
        """`label = number unit`: the result a section ends with, a subtotal, the mine's total."""
        evidence = paragraph.evidence(self._file, relation.text)
        if self._said is not None:
            take_equation(self._said, equation, evidence, self.contexts[-2:])
            return
        printed = printed_flow(equation, evidence)
        if printed is not None:
            system = system_of(self.systems, relation, paragraph)
            in_mine_section = self.section.kind is SectionKind.MINE
            take_stated(self.chapter, equation, printed, relation, system, in_mine_section=in_mine_section)

    def _calculation(self, paragraph: Paragraph, relation: Relation, equation: Group) -> None:
        result = equation.result
        if result is None or result.value is None:
            return
        is_flow = result.unit in {"", FLOW, "m3/s", "m3/h"}
        expression, repaired = repaired_expression(equation.expression, result.value)
        numeric = tuple(piece.body for piece in equation.pieces if piece.is_numeric)
        calculation = CalculationExtract(
            method=self._method(equation, expression, is_flow=is_flow),
            label=equation.label,
            expression=expression,
            parts=(expression, *numeric[1:]),
            stated=result.value,
            unit=_GAS_FLOW if is_flow and equation.label.startswith("q") else result.unit or FLOW,
            formula=equation.formula or self.formula,
            where=self.where or " ".join(self.contexts[-2:]).strip(),
            repaired=repaired,
            evidence=paragraph.evidence(self._file, relation.text),
        )
        if repaired:
            self._doubt(calculation, equation.expression)
        self._give(calculation, paragraph, relation)
        self.contexts.clear()
        self.formula, self.where = "", ""

    def _method(self, equation: Group, expression: str, *, is_flow: bool) -> Method:
        if equation.result is not None and equation.result.unit == "m2":
            return Method.AREA
        if not is_flow or equation.label.startswith("q"):
            return Method.OTHER
        head = equation.pieces[0]
        own = () if head.is_numeric else (self._without_names(head.text),)  # 局扇法 Q=360+15×14.4
        return method_of((*own, *reversed(self.contexts[-_KEPT_CONTEXTS:])), expression, self._type)

    def _only_place_of_type(self) -> int | None:
        """The place a heading like 采煤工作面需风量 means in a mine that has one such place."""
        if self.section.type is None or self.section.kind is not SectionKind.OTHER or self.section.name:
            return None
        same = [i for i, place in enumerate(self.chapter.distributed) if place.type is self.section.type]
        return same[0] if len(same) == 1 else None

    def _doubt(self, calculation: CalculationExtract, printed: str) -> None:
        message = say("doubt.plus_for_division", expression=calculation.expression, stated=calculation.stated)
        self.chapter.doubts.append(Doubt.of(message, printed, page=calculation.evidence[0].page))

    def _give(self, calculation: CalculationExtract, paragraph: Paragraph, relation: Relation) -> None:
        """Give a calculation to its place, to the places its line names, or to the mine."""
        if self._said is not None and is_mine_total(calculation.label):
            take_calculation(self.chapter, calculation, "", relation.text)
            return
        if self._said is not None:
            is_checked = self.checking and _is_bound(calculation) and not self._is_least_speed(calculation, relation)
            if calculation.method is Method.SPEED_MAX or is_checked:
                self._said.checks.append(_as_check(calculation, " ".join(self.contexts)))
            else:
                self._said.calculations.append(calculation)
            return
        only = self._only_place_of_type()
        names = self._names_near(paragraph, relation)
        if only is not None:
            self.only = only
            self.chapter.places[only].calculations.append(calculation)
        elif names and self.section.kind is not SectionKind.MINE:
            for name in names:
                self.chapter.places[self.headings.first(name)].calculations.append(calculation)
        else:
            system = system_of(self.systems, relation, paragraph) or ""
            take_calculation(self.chapter, calculation, system, paragraph.text)

    def _is_least_speed(self, calculation: CalculationExtract, relation: Relation) -> bool:
        """按最低风速验算 among the methods of a road is one of them: what it gives, the road needs."""
        if self._type is not PlaceType.OTHER_ROADWAY or calculation.method is not Method.SPEED_MIN:
            return False
        own = squeeze(relation.text).partition("=")[0]
        return any(_LEAST_SPEED_METHOD.search(squeeze(context)) for context in (own, *self.contexts))

    def _names_near(self, paragraph: Paragraph, relation: Relation) -> tuple[str, ...]:
        """The places a calculation is about: those of its own sentence, else the last one named before, else any."""
        text = fold(paragraph.text)
        start = max(text.rfind(mark, 0, relation.start) for mark in ";。") + 1
        ends = [at for mark in ";。" if (at := text.find(mark, relation.end)) >= 0]
        sentence = text[start : min(ends, default=len(text))]
        for part, last_only in ((sentence, False), (text[:start], True), (text, False)):
            names = tuple(dict.fromkeys(found.name for found in self.headings.finder.find(squeeze_mapped(part))))
            if names:
                return names[-1:] if last_only else names
        return ()


def _result_column(grid: Grid, methods: Collection[int]) -> int | None:
    """The column of what a table of calculations ends with; 生产时需风量 is an input."""
    parameters = word_table("parameters", "plan_words")
    results = [
        index
        for key in ("required_weak", "required")
        for index, column in enumerate(grid.columns)
        if column.key == key and index not in methods and parameters.key_of(column.header.label) is None
    ]
    return results[-1] if results else None


def _take_parameters(said: ChapterOfPlace, found: Iterable[Parameter | tuple[str, str]]) -> None:
    for item in found:
        if isinstance(item, Parameter):
            said.parameters.append(item)
        else:
            said.attributes.setdefault(*item)


def _general_formula(relations: Sequence[Relation]) -> str:
    """`Q采=100×q采×K采通`, printed before the numbers are put in."""
    for relation in relations:
        equation = relation.equation
        if equation is not None and not equation.pieces[-1].is_numeric and "Q" in equation.label:
            return "=".join(piece.text for piece in equation.pieces).strip()
    return ""


def _is_bound(calculation: CalculationExtract) -> bool:
    """Within a speed check: `Qmin=60×0.25×15.5×70%=162.75`, `15×11.9=178.5`."""
    if calculation.method in {Method.SPEED_MIN, Method.OTHER}:
        return True
    return word_table("speed_bounds", "plan_words").key_of(calculation.label) is not None


def _as_check(calculation: CalculationExtract, context: str) -> SpeedCheckExtract:
    """A labelled bound (`Qmin=60×0.25×11.9=178.5`) as one side of a check."""
    bound = word_table("speed_bounds", "plan_words").key_of(f"{context}{calculation.label}")
    if calculation.method is Method.SPEED_MAX or bound == "high":
        return SpeedCheckExtract(
            high_expression=calculation.expression, high_m3_min=calculation.stated, evidence=calculation.evidence
        )
    return SpeedCheckExtract(
        low_expression=calculation.expression, low_m3_min=calculation.stated, evidence=calculation.evidence
    )
