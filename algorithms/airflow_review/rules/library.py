"""The rule library: loaded from `rules/*.json`, overridden by a mine's folder, cut to a day.

Adding a formula, a table or a threshold means adding a record to a file. A mine's folder holds files of the same
shape; a record there replaces every record of the same id here. Its `library.json` names mine and edition.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar, cast

from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.model import RuleRef, RuleSource
from algorithms.airflow_review.rules.decoding import (
    SECTIONS,
    Json,
    RuleError,
    decode_marker,
    decode_quantity,
    decode_record,
)
from algorithms.airflow_review.rules.records import (
    Constant,
    Floor,
    Formula,
    Marker,
    Quantity,
    Record,
    Span,
    SpeedLimit,
    Table,
)
from algorithms.airflow_review.value_class import dataclass

_FOLDER: Final = Path(__file__).parent
_MAX_FILE_BYTES: Final = 2_000_000
RecordType = TypeVar("RecordType", bound=Record)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """All rules in force. `records` keeps file order, so the first of several fitting records wins."""

    source: RuleSource
    records: tuple[Record, ...]
    markers: Mapping[str, Marker]
    quantities: Mapping[str, Quantity]
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
        return RuleSet(
            source=self.source, records=records, markers=self.markers, quantities=self.quantities, data=self.data
        )

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
            raise RuleError(f"no {kind.__name__.lower()} {identity!r} in force in {self.source.edition}")
        return found


def load_rules(folder: Path | str | None = None) -> RuleSet:
    """Our library, with a mine's `folder` over it; raises `RuleError` on what the validator refuses."""
    from algorithms.airflow_review.rules.validate import check_rules  # late: the validator reads this module's types

    files = _read_folder(_FOLDER)
    own = _read_folder(Path(folder)) if folder is not None else {}
    rules = _assemble(files, own)
    check_rules(rules)
    return rules


def _read_folder(folder: Path) -> dict[str, tuple[bytes, Json]]:
    if not folder.is_dir():
        raise RuleError(f"规则目录不存在：{folder.name}。请检查 --rules 参数。")
    return {path.stem: _read_file(path) for path in sorted(folder.glob("*.json"))}


def _read_file(path: Path) -> tuple[bytes, Json]:
    if path.stat().st_size > _MAX_FILE_BYTES:
        raise RuleError(f"规则文件 {path.name} 过大。")
    raw = path.read_bytes()
    try:
        content = json.loads(raw.decode("utf-8-sig"))
    except ValueError as error:
        raise RuleError(f"规则文件 {path.name} 不是有效的 JSON：{error}") from error
    if not isinstance(content, dict):
        raise RuleError(f"规则文件 {path.name} 的最外层应为对象。")
    return raw, content


def _assemble(files: Mapping[str, tuple[bytes, Json]], own: Mapping[str, tuple[bytes, Json]]) -> RuleSet:
    ours, theirs = _records(files, _edition(files)), _records(own, _edition(own))
    replaced = {record.id for record in theirs}
    records = (*theirs, *(record for record in ours if record.id not in replaced))
    markers = {
        marker.name: marker
        for content in _contents(files, own)
        for marker in map(decode_marker, content.get("markers", ()))
    }
    quantities = {
        item.key: item
        for content in _contents(files, own)
        for item in map(decode_quantity, content.get("quantities", ()))
    }
    names = sorted({*files, *own})
    data = {name: _laid_over(_content(files, name), _content(own, name)) for name in names}
    return RuleSet(source=_source(files, own), records=records, markers=markers, quantities=quantities, data=data)


def _content(files: Mapping[str, tuple[bytes, Json]], name: str) -> Json:
    empty: Json = {}
    return files[name][1] if name in files else empty


def _laid_over(ours: Json, theirs: Json) -> Json:
    """The mine's file over ours; its aliases are added to ours, they replace nothing."""
    aliases = [*ours.get("aliases", ()), *theirs.get("aliases", ())]
    return {**ours, **theirs, **({"aliases": aliases} if aliases else {})}


def _contents(*folders: Mapping[str, tuple[bytes, Json]]) -> Iterator[Json]:
    return (content for folder in folders for _, content in folder.values())


def _records(files: Mapping[str, tuple[bytes, Json]], edition: str) -> tuple[Record, ...]:
    found = []
    for name, (_, content) in files.items():
        for section in SECTIONS:
            for item in content.get(section, ()):
                try:
                    found.append(decode_record(section, item, str(content.get("edition") or edition)))
                except RuleError as error:
                    raise RuleError(f"{name}.json: {error}") from error
    return tuple(found)


def _edition(files: Mapping[str, tuple[bytes, Json]]) -> str:
    return str(_head(files).get("edition") or "unnamed") if files else ""


def _head(files: Mapping[str, tuple[bytes, Json]]) -> Json:
    return _content(files, "library")


def _source(files: Mapping[str, tuple[bytes, Json]], own: Mapping[str, tuple[bytes, Json]]) -> RuleSource:
    digest = sha256()
    for folder in (files, own):
        for name, (raw, _) in folder.items():
            digest.update(name.encode() + b"\0" + raw + b"\0")
    head, over = _head(files), _head(own)
    edition = "+".join(part for part in (_edition(files), _edition(own)) if part)
    sources = (*map(str, head.get("sources", ())), *map(str, over.get("sources", ())))
    identity = f"{over.get('id') or head.get('id') or 'rules'}@{digest.hexdigest()[:12]}"
    mine = over.get("mine") or head.get("mine")
    return RuleSource(id=identity, edition=edition, mine=None if mine is None else str(mine), sources=sources)
