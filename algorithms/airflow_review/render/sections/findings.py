"""Chapter 3: every finding with clause, evidence and what clears it."""

from __future__ import annotations

from algorithms.airflow_review.model import Finding, Review, Severity
from algorithms.airflow_review.render.blocks import Block, Card, Cell, Column, Heading, Paragraph, Section, Table
from algorithms.airflow_review.render.figures import evidence_text, finding_value
from algorithms.airflow_review.render.sections.conclusion import TONE_OF_SEVERITY, counts_sentence
from algorithms.airflow_review.render.words import Words

_LOUDEST_FIRST = (Severity.BLOCKING, Severity.ERROR, Severity.WARNING, Severity.MANUAL)


def findings_section(review: Review, words: Words) -> Section:
    """Cards for what needs an answer, loudest first; a table for the notes."""
    blocks: list[Block] = [Paragraph(text=counts_sentence(review, words))]
    for severity in _LOUDEST_FIRST:
        group = [finding for finding in review.findings if finding.severity is severity]
        if group:
            name = words.name("severity", severity)
            blocks.append(Heading(text=words.say("findings.group", name=name, count=len(group))))
            blocks += [_card(finding, words) for finding in group]
    notes = [finding for finding in review.findings if finding.severity is Severity.NOTE]
    if notes:
        name = words.name("severity", Severity.NOTE)
        blocks += [Heading(text=words.say("findings.group", name=name, count=len(notes))), _notes_table(notes, words)]
    if not review.findings:
        blocks.append(Paragraph(text=words.say("findings.none")))
    return Section(key="findings", title=words.say("section.findings"), blocks=tuple(blocks))


def rule_text(finding: Finding, words: Words) -> str:
    """Rule, edition and clause; a clause nobody has checked is said to be so."""
    if finding.rule is None:
        return words.say("none")
    return words.say(
        "finding.rule", id=finding.rule.id, edition=finding.rule.edition, clause=words.rule(finding.rule.clause)
    )


def evidence_texts(finding: Finding, words: Words) -> str:
    """All places of evidence, one after the other."""
    if not finding.evidence:
        return words.say("evidence.missing")
    return words.say("evidence.list_join").join(evidence_text(item, words) for item in finding.evidence)


def _card(finding: Finding, words: Words) -> Card:
    title = words.say(
        "finding.title",
        id=finding.id,
        kind=words.name("kind", finding.kind),
        subject=words.subject(finding.subject_name or finding.subject),
    )
    facts = [(words.say("finding.message"), words.choose(finding.message, finding.message_en))]
    if finding.stated is not None or finding.expected is not None:
        values = words.say(
            "finding.values",
            stated=finding_value(finding, "stated", words),
            expected=finding_value(finding, "expected", words),
        )
        facts.append((words.say("finding.values_label"), values))
    facts += [
        (words.say("finding.evidence"), evidence_texts(finding, words)),
        (words.say("finding.rule_label"), rule_text(finding, words)),
        (
            words.say("finding.clears_when"),
            words.choose(finding.clears_when, finding.clears_when_en) or words.say("none"),
        ),
    ]
    if finding.cause:
        facts.append((words.say("finding.cause"), finding.cause))
    return Card(title=title, facts=tuple(facts), tone=TONE_OF_SEVERITY[finding.severity], anchor=finding.id)


def _notes_table(notes: list[Finding], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.id"), width=6),
        Column(title=words.say("column.kind"), width=13),
        Column(title=words.say("column.object"), width=18),
        Column(title=words.say("finding.message"), width=36),
        Column(title=words.say("finding.evidence"), width=30),
        Column(title=words.say("finding.rule_label"), width=24),
    )
    rows = tuple(
        (
            Cell(text=finding.id),
            Cell(text=words.name("kind", finding.kind)),
            Cell(text=words.subject(finding.subject_name or finding.subject)),
            Cell(text=words.choose(finding.message, finding.message_en)),
            Cell(text=evidence_text(finding.evidence[0], words) if finding.evidence else words.say("evidence.missing")),
            Cell(text=rule_text(finding, words)),
        )
        for finding in notes
    )
    return Table(columns=columns, rows=rows)
