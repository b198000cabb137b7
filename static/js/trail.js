// What the evidence drawer walks through: one entry for each place in a document, with what the review says about it.
import { language, word, hasWord } from "./i18n.js";

/** A number of the review as people write it; a dash for none. */
export const figure = (value) => (value === null || value === undefined ? "—" : Number(value).toLocaleString(language(), { maximumFractionDigits: 2 }));

const MINE = "\u77ff\u4e95"; // the subject of whatever belongs to no single place

/** What the review says in both languages, in the page's own. */
export const said = (item, field) => (language() === "en" && item[`${field}_en`]) || item[field];

/** What a finding or a compared row is about. */
export const nameOf = (item) => (item.subject === MINE ? word("whole_mine") : item.subject_name || item.subject);

/** Where it stands: file, page, sheet, table, row, column, or the line where neither page nor table leads there. */
export function locate(at, withColumn = false) {
  if (!at) return "—";
  const spot = [at.page && word("page_n", { n: at.page }), at.sheet, at.table && word("table_n", { n: at.table }), at.row && word("row_n", { n: at.row }),
    withColumn && at.column && word("column_n", { n: at.column }), !at.row && !at.page && at.line && word("line_n", { n: at.line })];
  return [at.file, ...spot].filter(Boolean).join(" ");
}

const exactly = (a, b) => ["file", "page", "sheet", "table", "row", "line", "quote"].every((key) => a[key] === b[key]) && String(a.bbox) === String(b.bbox);
const sameRow = (a, b) => a.row && ["file", "page", "sheet", "table", "row"].every((key) => a[key] === b[key]);
const unit = (value) => (hasWord(`unit_${value}`) ? word(`unit_${value}`) : value ?? "");
const quantity = (value, name) => (typeof value === "number" ? `${figure(value)} ${unit(name)}`.trim() : value);

/** Rows of [word, text, mark] about a printed calculation; `mark` is doubt where a person has to look. */
function calculationFacts(calculation) {
  const basis = calculation.variant && hasWord(`variant_${calculation.variant}`) ? word("basis_of", { variant: word(`variant_${calculation.variant}`), selection: word(`selection_${calculation.variant_selection}`) }) : null;
  const same = calculation.status === "ok";
  return [
    [word("calculation"), `${calculation.label} = ${calculation.expression} = ${figure(calculation.stated)}`],
    [word("recomputed"), `${quantity(calculation.recomputed, calculation.unit)} · ${word(`status_${calculation.status}`)}`, same ? "good" : "doubt"],
    [word("area_basis"), basis, calculation.variant_selection === "inferred_from_stated_calculation" ? "doubt" : ""],
  ];
}

const readingFacts = (reading) => [
  [word("station"), reading.station],
  [word("area"), quantity(reading.area_m2, "m2")], [word("speed"), quantity(reading.speed_m_s, "m/s")], [word("flow"), quantity(reading.flow_m3_min, "m3/min")],
  [word("temperature"), quantity(reading.temperature_c, "degC")], [word("ch4"), quantity(reading.ch4_pct, "pct")], [word("co2"), quantity(reading.co2_pct, "pct")],
];

/** What else the review knows of one place in a document. */
function factsAt(review, at) {
  const calculation = review.plan.places.flatMap((place) => place.calculations).find((item) => item.evidence.some((other) => exactly(other, at)));
  const reading = (review.report?.readings ?? []).find((item) => item.evidence.some((other) => sameRow(other, at)));
  return [...(calculation ? calculationFacts(calculation) : []), ...(reading ? readingFacts(reading) : [])];
}

const filled = (facts) => facts.filter(([, text]) => text !== null && text !== undefined && text !== "");

function entries(review, subject, message, evidence, facts) {
  const each = evidence.filter((at, index) => evidence.findIndex((other) => exactly(other, at)) === index);
  // Found when shown: a review has hundreds of places, a person looks at a few.
  return each.map((at) => ({ subject, message, at, facts: () => filled([...factsAt(review, at), ...facts]) }));
}

/** The entries of a finding, one for each of its places. */
export function findingEntries(review, finding) {
  const facts = [
    [word("stated"), quantity(said(finding, "stated"), finding.unit)], [word("expected"), quantity(said(finding, "expected"), finding.unit)],
    [word("rule"), finding.rule && word("rule_at", { id: finding.rule.id, edition: finding.rule.edition, clause: finding.rule.clause })],
    [word("clears_when"), said(finding, "clears_when")],
  ];
  return entries(review, nameOf(finding), said(finding, "message"), finding.evidence ?? [], facts);
}

/** The entries of a compared subject: its row in the report, its row in the plan, its printed calculations. */
export function comparisonEntries(review, row, name) {
  const place = review.plan.places.find((item) => item.id === row.subject) ?? review.plan.systems.find((item) => item.id === row.subject);
  const evidence = [...(row.evidence ?? []), ...(place?.evidence ?? []), ...(place?.calculations ?? []).flatMap((item) => item.evidence)];
  const facts = [
    [word("required"), quantity(row.required, "m3/min")], [word("planned"), quantity(row.planned, "m3/min")], [word("measured"), quantity(row.measured, "m3/min")],
    [word("verdict"), word(`verdict_of_${row.verdict}`)],
  ];
  return entries(review, name, said(row, "reason"), evidence, facts);
}
