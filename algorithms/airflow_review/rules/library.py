"""The rule library: loaded from `rules/*.json`, overridden by a mine's folder, cut to a day.

Adding a formula, a table or a threshold means adding a record to a file. A mine's folder holds files of the same
shape; a record there replaces the record of the same id here on the days it covers. Its `library.json` names mine
and edition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar, cast

from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.messages.catalogue import Text, say
from algorithms.airflow_review.model import RuleRef, RuleSource
from algorithms.airflow_review.rules.decoding import (
    SECTIONS,
    decode_marker,
    decode_quantity,
    decode_record,
)
from algorithms.airflow_review.rules.fields import Json
from algorithms.airflow_review.rules.folder import Files, read_folder, read_mine_folder
from algorithms.airflow_review.rules.laid_over import laid_over
from algorithms.airflow_review.rules.records import (
    Constant,
    Floor,
    Formula,
    Marker,
    Origin,
    Quantity,
    Record,
    Span,
    SpeedLimit,
    Table,
)
from algorithms.airflow_review.rules.rule_error import RuleError
from algorithms.airflow_review.rules.shape import HEAD_FILE, check_fields, check_file, items_of
from algorithms.airflow_review.value_class import dataclass

_FOLDER: Final = Path(__file__).parent
RecordType = TypeVar("RecordType", bound=Record)
Decoded = TypeVar("Decoded")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """All rules in force. `records` keeps file order, so the first of several fitting records wins."""

    source: RuleSource
    records: tuple[Record, ...]
    markers: Mapping[str, Marker]
    quantities: Mapping[str, Quantity]
    library: Mapping[str, Record] = field(default_factory=dict)  # ours by id, also those a mine has replaced
    own_quantities: frozenset[str] = frozenset()  # keys a mine has added; documents are read for coefficients only
    own_line: Text | None = None  # whose rules lie over ours and how many records they replace and add
    data: Mapping[str, Json] = field(default_factory=dict)  # file name without suffix → content, mine's over ours
    _by_id: Mapping[str, Record] = field(init=False, repr=False, compare=False)
    _by_kind: Mapping[type[Record], tuple[Record, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the records: a review looks them up thousands of times."""
        by_kind: dict[type[Record], tuple[Record, ...]] = {}
        for record in self.records:
            by_kind[type(record)] = (*by_kind.get(type(record), ()), record)
        object.__setattr__(self, "_by_kind", by_kind)
        object.__setattr__(self, "_by_id", {record.id: record for record in reversed(self.records)})

    def on(self, day: date | None) -> RuleSet:
        """The rules in force on `day` (a plan's first day); without a day, those without an end."""
        records = tuple(record for record in self.records if record.holds_on(day))
        return replace(self, records=records)

    def constant(self, identity: str) -> Constant:
        """The constant with this id; a missing one is a broken library."""
        return self._one(identity, Constant)

    def ref(self, identity: str) -> RuleRef:
        """What a finding says of the rule behind it."""
        return self._one(identity, Record).ref

    def formulas(self, place_type: PlaceType | None) -> tuple[Formula, ...]:
        """The methods of a type of place."""
        return tuple(record for record in self._all(Formula) if place_type in record.place_types)

    def tables(self, place_type: PlaceType | None = None) -> tuple[Table, ...]:
        """The library's own bracket tables."""
        return tuple(record for record in self._all(Table) if place_type is None or place_type in record.place_types)

    def spans(self, coefficient: str, place_type: PlaceType | None) -> tuple[Span, ...]:
        """The intervals of a coefficient for a type of place."""
        return tuple(
            record
            for record in self._all(Span)
            if record.coefficient == coefficient and place_type in record.place_types
        )

    def speed_limits(self, place_type: PlaceType | None) -> tuple[SpeedLimit, ...]:
        """The speed limits that may hold for a type of place."""
        return tuple(record for record in self._all(SpeedLimit) if place_type in record.place_types)

    def floors(self, place_type: PlaceType | None) -> tuple[Floor, ...]:
        """The least airflows that may hold for a type of place."""
        return tuple(record for record in self._all(Floor) if place_type in record.place_types)

    def parameter_markers(self) -> dict[str, tuple[str, ...]]:
        """The vocabulary allowed for each marker (R-PIT-16); the extraction template offers nothing else."""
        return {name: tuple(marker.values) for name, marker in self.markers.items()}

    def _all(self, kind: type[RecordType]) -> tuple[RecordType, ...]:
        return cast("tuple[RecordType, ...]", self._by_kind.get(kind, ()))

    def _one(self, identity: str, kind: type[RecordType]) -> RecordType:
        found = self._by_id.get(identity)
        if not isinstance(found, kind):
            raise RuleError(say("rule.not_in_force", id=identity, edition=self.source.edition))
        return found


def load_rules(folder: Path | str | None = None) -> RuleSet:
    """Our library, with a mine's `folder` over it; raises `RuleError` on what the validator refuses."""
    from algorithms.airflow_review.rules.validate import check_rules  # late: the validator reads this module's types

    files = read_folder(_FOLDER)
    own = read_mine_folder(Path(folder)) if folder is not None else {}
    names = _content(files, "names")
    for name, (_, content) in own.items():
        check_file(name, content, names)
    rules = _assemble(files, own)
    check_rules(rules)
    return rules


def _assemble(files: Files, own: Files) -> RuleSet:
    ours, theirs = _records(files, is_own=False), _records(own, is_own=True)
    markers, own_markers = (_decoded(folder, "markers", decode_marker, is_own=folder is own) for folder in (files, own))
    quantities, own_quantities = (
        _decoded(folder, "quantities", decode_quantity, is_own=folder is own) for folder in (files, own)
    )
    all_names = sorted({*files, *own})
    records = laid_over(ours, theirs)
    own_line = _own_line(_head(own), records) if own else None
    return RuleSet(
        source=_source(files, own, own_line),
        own_line=own_line,
        records=records,
        library={record.id: record for record in ours},
        markers={marker.name: marker for marker in (*markers, *own_markers)},
        quantities={quantity.key: quantity for quantity in (*quantities, *own_quantities)},
        own_quantities=frozenset(q.key for q in own_quantities) - frozenset(q.key for q in quantities),
        data={name: _laid_over(_content(files, name), _content(own, name)) for name in all_names},
    )


def _content(files: Files, name: str) -> Json:
    empty: Json = {}
    return files[name][1] if name in files else empty


def _laid_over(ours: Json, theirs: Json) -> Json:
    """The mine's file over ours; its aliases are added to ours, they replace nothing."""
    aliases = [*ours.get("aliases", ()), *theirs.get("aliases", ())]
    return {**ours, **theirs, **({"aliases": aliases} if aliases else {})}


def _records(files: Files, *, is_own: bool) -> tuple[Record, ...]:
    edition = _edition(files)
    return tuple(
        record
        for section in SECTIONS
        for record in _decoded_list(
            files,
            section,
            lambda item, file, section=section: decode_record(  # type: ignore[misc]
                section, item, str(_content(files, file).get("edition") or edition), f"{file}.json"
            ),
            is_own=is_own,
        )
    )


def _decoded(files: Files, section: str, decode: Callable[[Json], Decoded], *, is_own: bool) -> tuple[Decoded, ...]:
    return tuple(_decoded_list(files, section, lambda item, _: decode(item), is_own=is_own))


def _decoded_list(
    files: Files, section: str, decode: Callable[[Json, str], Decoded], *, is_own: bool
) -> Iterator[Decoded]:
    """Every item of a list in all files; what is refused is told with file, list and item."""
    for name, (_, content) in files.items():
        for where, item in items_of(name, section, content):
            try:
                if is_own:
                    check_fields(section, item)
                yield decode(item, name)
            except RuleError as error:
                raise RuleError(say("rule.at", where=where, what=error.text)) from error


def _edition(files: Files) -> str:
    return str(_head(files).get("edition") or "unnamed") if files else ""


def _head(files: Files) -> Json:
    return _content(files, HEAD_FILE)


def _source(files: Files, own: Files, own_line: Text | None) -> RuleSource:
    digest = sha256()
    for folder in (files, own):
        for name, (raw, _) in folder.items():
            digest.update(name.encode() + b"\0" + raw + b"\0")
    head, over = _head(files), _head(own)
    edition = "+".join(part for part in (_edition(files), _edition(own)) if part)
    sources = (*map(str, head.get("sources", ())), *map(str, over.get("sources", ())))
    if own_line is not None:
        sources = (*sources, own_line.zh)
    identity = f"{over.get('id') or head.get('id') or 'rules'}@{digest.hexdigest()[:12]}"
    mine = over.get("mine") or head.get("mine")
    return RuleSource(id=identity, edition=edition, mine=None if mine is None else str(mine), sources=sources)


def _own_line(head: Json, records: tuple[Record, ...]) -> Text:
    """Whose rules lie over ours, and how many records they replace and add."""
    replaced, added = (
        len({record.id for record in records if record.origin is origin}) for origin in (Origin.REPLACES, Origin.ADDS)
    )
    return say("rule.own_line", mine=head["mine"], edition=head["edition"], replaced=replaced, added=added)
