"""Chapter 6: the calculation sheet of every place."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from algorithms.airflow_review.model import Calculation, CheckStatus, Place, Review
from algorithms.airflow_review.render.blocks import Block, Cell, Column, Heading, Paragraph, Section, Table, Tone
from algorithms.airflow_review.render.excel_formula import ExcelFormula, exact_formula, rounded_formula
from algorithms.airflow_review.render.figures import figure, first_spot, number_cell
from algorithms.airflow_review.render.words import Words

TONE_OF_STATUS = {CheckStatus.OK: Tone.GOOD, CheckStatus.MISMATCH: Tone.BAD, CheckStatus.MANUAL: Tone.MANUAL}


def calculations_section(review: Review, words: Words) -> Section:
    """One sheet per place: its figures, every printed calculation beside its re-computation, its speed check."""
    names = {system.id: system.name for system in review.plan.systems}
    blocks: list[Block] = [Paragraph(text=words.say("calculations.sentence"))]
    for place in review.plan.places:
        blocks.append(Heading(text=place.name, anchor=place.id))
        blocks.append(Paragraph(text=_place_sentence(place, names, words)))
        if place.calculations:
            blocks.append(_sheet(place.calculations, words))
        else:
            blocks.append(Paragraph(text=words.say("calculations.none"), tone=Tone.MANUAL))
        speed = _speed_sentence(place, words)
        if speed:
            blocks.append(Paragraph(text=speed, tone=_speed_tone(place)))
    return Section(key="calculations", title=words.say("section.calculations"), blocks=tuple(blocks), is_wide=True)


def status_cell(status: CheckStatus, words: Words) -> Cell:
    """The outcome of a re-computation in words."""
    return Cell(text=words.name("status", status), tone=TONE_OF_STATUS[status])


def _place_sentence(place: Place, names: dict[str, str], words: Words) -> str:
    return words.say(
        "calculations.place",
        type=words.name("type", place.type),
        system=names.get(place.system or "", place.system or words.say("none")),
        stated=figure(place.stated_required_m3_min, words),
        required=figure(place.required_m3_min, words),
        source=words.name("required_source", place.required_source),
        planned=figure(place.planned_m3_min, words),
        evidence=first_spot(place.evidence, words),
    )


def _sheet(calculations: tuple[Calculation, ...], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.label"), width=9),
        Column(title=words.say("column.method"), width=11),
        Column(title=words.say("column.expression"), width=26),
        Column(title=words.say("column.inputs"), width=22),
        Column(title=words.say("column.stated"), width=9, numeric=True),
        Column(title=words.say("column.recomputed"), width=12, numeric=True),
        Column(title=words.say("column.rounded"), width=9, numeric=True),
        Column(title=words.say("column.unit"), width=8),
        Column(title=words.say("column.variant"), width=18),
        Column(title=words.say("column.status"), width=12),
        Column(title=words.say("column.evidence"), width=17),
    )
    return Table(columns=columns, rows=tuple(_sheet_row(calculation, words) for calculation in calculations))


def _sheet_row(calculation: Calculation, words: Words) -> tuple[Cell, ...]:
    inputs = words.say("list.join").join(_input_text(name, value, words) for name, value in calculation.inputs.items())
    status = status_cell(calculation.status, words)
    if calculation.rounding is not None:
        rounding = words.name("rounding", calculation.rounding)
        status = replace(status, text=words.say("status.with_rounding", status=status.text, rounding=rounding))
    return (
        Cell(text=calculation.label or words.say("none")),
        Cell(text=words.name("method", calculation.method)),
        Cell(text=calculation.expression),
        Cell(text=inputs or words.say("none")),
        number_cell(calculation.stated, words),
        _exact_cell(calculation, words),
        _rounded_cell(calculation, words),
        Cell(text=words.name("unit", calculation.unit)),
        _variant_cell(calculation, words),
        status,
        Cell(text=first_spot(calculation.evidence, words)),
    )


def _input_text(name: str, value: Decimal, words: Words) -> str:
    """A substituted value in the field's words with its unit; a key the table does not know is shown as it is."""
    key = f"input.{name}"
    return words.say(key, value=figure(value, words)) if key in words.texts else f"{name}={figure(value, words)}"


def _exact_cell(calculation: Calculation, words: Words) -> Cell:
    """The engine's value; the formula goes along only where it is the same value (a variant may differ from print)."""
    cell = number_cell(calculation.recomputed, words)
    exact = exact_formula(calculation.expression)
    if exact is None or cell.number is None or figure(_decimal(exact), words) != cell.text:
        return cell
    return replace(cell, formula=exact.text)


def _rounded_cell(calculation: Calculation, words: Words) -> Cell:
    rounded = rounded_formula(calculation.expression, calculation.stated)
    if rounded is None:
        return Cell(text=words.say("none"))
    return replace(number_cell(_decimal(rounded), words), formula=rounded.text)


def _decimal(formula: ExcelFormula) -> Decimal:
    return Decimal(formula.value.numerator) / formula.value.denominator


def _variant_cell(calculation: Calculation, words: Words) -> Cell:
    if calculation.variant is None:
        return Cell(text=words.say("none"))
    # A basis that was only inferred from the result must be looked at by a person.
    is_inferred = calculation.variant_selection == "inferred_from_stated_calculation"
    text = words.say(
        "variant.with_selection",
        variant=words.name("variant", calculation.variant),
        selection=words.name("selection", calculation.variant_selection),
    )
    return Cell(text=text, tone=Tone.MANUAL if is_inferred else Tone.PLAIN)


def _speed_sentence(place: Place, words: Words) -> str | None:
    check = place.speed_check
    if check is None:
        return None
    return words.say(
        "calculations.speed",
        area=figure(check.area_m2, words),
        speed=figure(check.v_m_s, words),
        low=figure(check.min, words),
        high=figure(check.max, words),
        status=words.name("status", check.status),
    )


def _speed_tone(place: Place) -> Tone:
    check = place.speed_check
    return Tone.PLAIN if check is None or check.status is CheckStatus.OK else TONE_OF_STATUS[check.status]
