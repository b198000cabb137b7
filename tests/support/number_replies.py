"""Labelled replies with numbers: reads the sets, runs the guard over them, counts what it found and what it flagged wrongly."""

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.guards.evidence.seen_result import SeenResult
from agents.guards.response_guard import ResponseGuard
from tools.critical_fields import CriticalField, FieldValue

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "governance"
HEAD = re.compile(r"@(\w+) (good|bad) \| (.*)")
WRONG = re.compile(r"⟦(.*?)⟧")


@dataclass
class Figures:
    """Counts over one set; `missed` and `false_alarms` name the cases, for the message of a failing test."""

    wrong: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    wrong_critical: int = 0
    found_critical: int = 0
    flags: int = 0
    good: int = 0
    alarmed: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)
    false_alarms: list[tuple[str, str]] = field(default_factory=list)

    @property
    def recall(self):
        return self.found.total() / self.wrong.total()

    @property
    def critical_recall(self):
        return self.found_critical / self.wrong_critical

    @property
    def precision(self):
        return 1 - len(self.false_alarms) / self.flags

    @property
    def alarm_rate(self):
        return self.alarmed / self.good

    def class_recall(self, kind):
        return self.found[kind] / self.wrong[kind]


def development_set():
    return json.loads((FOLDER / "numbers_dev.json").read_text(encoding="utf-8"))


def marked_set(name):
    """Replies of a text file whose wrong numbers stand in ⟦⟧; results and critical fields stand beside it by letter, or come from
    the development set by number."""
    tools = json.loads((FOLDER / "numbers_style_tools.json").read_text(encoding="utf-8"))
    development = _development_results()
    cases = []
    for number, block in enumerate((FOLDER / name).read_text(encoding="utf-8").split("\n%%\n")):
        if not block.strip():
            continue
        head, _, marked = block.partition("\n")
        letter, group, user_text = HEAD.findall(head)[0]
        if letter.isdigit():
            results, fields = development[int(letter)]
        else:
            results, fields = tools[letter]["results"], _critical_fields(tools[letter])
        reply, labels, at = "", [], 0
        for match in WRONG.finditer(marked):
            reply += marked[at : match.start()]
            labels.append({"span": [len(reply), len(reply) + len(match[1])], "label": "must_flag", "kind": "wrong"})
            reply, at = reply + match[1], match.end()
        cases.append(
            {
                "id": f"{letter}{number}",
                "group": group,
                "user_text": user_text,
                "reply": (reply + marked[at:]).rstrip("\n"),
                "labels": labels,
                "tool_results": results,
                "critical_fields": fields,
            }
        )
    return cases


def lined_set(name):
    """Replies of a file with one case per line, the spans of whose wrong numbers stand in `wrong`."""
    cases = [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
    for case in cases:
        case["labels"] = [{"span": span, "label": "must_flag", "kind": "wrong"} for span in case["wrong"]]
    return cases


def _development_results():
    """The results of the development set in the order in which they first come, with all their critical fields."""
    found: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {}
    for case in development_set():
        key = json.dumps(case["tool_results"], ensure_ascii=False, sort_keys=True)
        _, fields = found.setdefault(key, (case["tool_results"], []))
        fields += [entry for entry in case.get("critical_fields", ()) if entry not in fields]
    return list(found.values())


def _critical_fields(fixture):
    fields = [
        {"field": f"0:{path}", "label_terms": labels, "object_terms": objects}
        for path, labels, objects in fixture.get("critical", [])
    ]
    if "critical_rows" in fixture:
        rows, _, labels_of, names_of = fixture["critical_rows"]
        fields += [
            {"field": f"0:{rows}[{index}].{key}", "label_terms": labels, "object_terms": names}
            for index, names in names_of.items()
            for key, labels in labels_of.items()
        ]
    return fields


def value_at(data, path):
    for step in re.findall(r"[^.\[\]]+|\[\d+\]", path):
        data = data[int(step[1:-1])] if step.startswith("[") else data[step]
    return data


def patterns_of(case):
    """Critical fields of a case as patterns: those of one label and one key make one pattern over their rows."""
    grouped = defaultdict(list)
    for entry in case.get("critical_fields", ()):
        index, _, path = entry["field"].partition(":")
        key = (int(index), tuple(entry["label_terms"]), path.rpartition(".")[2])
        grouped[key].append((path, tuple(entry.get("object_terms", ()))))
    patterns: list[CriticalField] = []
    for (index, labels, key), places in grouped.items():
        result = case["tool_results"][index]
        patterns.append(
            CriticalField(
                name=f"{key}.{len(patterns)}",
                labels=labels,
                source_tools=frozenset({result["tool"]}),
                extract=_extractor(result["data"], places),
            )
        )
    return patterns


def _extractor(own, places):
    def extract(data):
        if data is own:
            for path, objects in places:
                if isinstance(value := value_at(data, path), int | float):
                    yield FieldValue(path, value, objects=objects)

    return extract


def verify(case):
    results = [SeenResult(result["tool"], result["data"]) for result in case["tool_results"]]
    return ResponseGuard().verify(case["reply"], results, patterns_of(case), case["user_text"])


def is_critical(label, case):
    """Whether a wrong number is stated for one of the case's critical fields."""
    text = case["reply"][max(0, label["span"][0] - 40) : label["span"][1] + 15].lower()
    return any(term.lower() in text for entry in case.get("critical_fields", ()) for term in entry["label_terms"])


def measure(cases):
    figures = Figures()
    for case in cases:
        flags = [verdict for verdict in verify(case) if verdict.is_flagged]
        wrong = [label for label in case["labels"] if label["label"] == "must_flag"]
        figures.flags += len(flags)
        for label in wrong:
            hit = any(flag.start < label["span"][1] and flag.end > label["span"][0] for flag in flags)
            figures.wrong[label["kind"]] += 1
            figures.found[label["kind"]] += hit
            if is_critical(label, case):
                figures.wrong_critical += 1
                figures.found_critical += hit
            if not hit:
                figures.missed.append((case["id"], case["reply"][slice(*label["span"])]))
        stray = [f for f in flags if not any(f.start < s[1] and f.end > s[0] for s in (w["span"] for w in wrong))]
        figures.false_alarms += [(case["id"], flag.text) for flag in stray]
        if case["group"] != "bad":
            figures.good += 1
            figures.alarmed += bool(stray)
    return figures
