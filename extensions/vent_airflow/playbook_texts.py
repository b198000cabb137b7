"""What the embedded model says during an airflow review. Every number comes out of a tool's payload."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

Payload = Mapping[str, Any]

ASK_BOTH: Final = (
    "开始研判需要两份资料，请用上传按钮添加：\n\n"
    "1. **配风计划**（pdf、docx 或 txt）\n2. **测风报表**（xlsx、xls、csv、pdf 或 docx）\n\n"
    "只有配风计划时，可以先单独审查计划。"
)


def ask_for_plan(report: str) -> str:
    """Only a report was uploaded."""
    return (
        f"已收到测风报表《{_name(report)}》，还缺 **配风计划**（pdf、docx 或 txt）。\n\n"
        "需风量要从配风计划复算，单凭测风报表不能判定风量是否满足。请上传配风计划后再发一次“请研判”。"
    )


def opening(plan: str, report: str | None) -> str:
    """What will be done, as a list."""
    steps = ["解析配风计划", "校验提取结果"]
    if report:
        steps.append("解析测风报表")
    steps += ["复算需风量与合计", "比较需风量、计划风量、实测风量" if report else "汇总计划审查结果", "写出报告"]
    listed = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    papers = f"配风计划《{_name(plan)}》"
    papers += f"，测风报表《{_name(report)}》" if report else "（还没有测风报表，先单独审查计划；实测风量不作判定）"
    return f"资料：{papers}。\n\n步骤：\n{listed}\n\n"


def told_preprocess(data: Payload) -> str:
    """After the plan was read."""
    counts = data["statistics"]
    text = (
        f"读出 {counts['places']} 个用风地点、{counts['systems']} 个回风系统、{counts['calculations']} 个算式，"
        f"计划执行期：{data['period']}。"
    )
    return text + (f"文字提取存疑 {counts['doubts']} 处。" if counts["doubts"] else "") + "\n\n"


def told_validate(data: Payload) -> str:
    """After the extraction was checked."""
    count = data["issues"]["count"]
    if not count:
        return "提取结果校验通过。\n\n"
    items = "\n".join(f"- {item['message']}" for item in data["issues"]["items"])
    return f"提取结果有 {count} 处须人工核对：\n{items}\n\n"


def told_report(data: Payload) -> str:
    """After the report was read."""
    counts = data["statistics"]
    totals = (
        f"总进风 {number(data['total_intake_m3_min'])}、总回风 {number(data['total_return_m3_min'])} m³/min，"
        f"测风时间：{data['window']}。"
    )
    return f"读出 {counts['readings']} 条测风记录、{counts['fans']} 台主要通风机，{totals}\n\n"


def told_verify(data: Payload) -> str:
    """After the plan was computed again."""
    counts = data["statistics"]
    return f"复算 {counts['calculations']} 个算式。{data['conclusion']['planned']}\n\n"


def told_compare(data: Payload) -> str:
    """After the comparison."""
    return f"{data['conclusion']['measured']}\n\n"


def failed(title: str, payload: Payload) -> str:
    """A tool could not do it; nothing is tried again."""
    hint = payload.get("hint") or ""
    text = f"**{title}没有完成**：{payload.get('error') or '工具没有给出原因'}"
    return f"{text}{'' if text.endswith('。') else '。'}{hint}".rstrip()


def closing(review: Payload, report: Payload) -> str:
    """The final text: verdict, counts, shortages, doubtful values, where the files are."""
    return "\n\n".join(part for part in (conclusion(review), shortages(review), doubts(review), files(report)) if part)


def conclusion(review: Payload) -> str:
    """Verdict, counts, and how mine, systems and fans stand."""
    sentences = review["conclusion"]
    lines = [f"## {sentences['verdict']}", "", f"- {sentences['measured']}", f"- {sentences['planned']}"]
    lines += [f"- {sentences['findings']}", f"- 计划执行期：{review['period']}"]
    if review["measured_window"]:
        lines.append(f"- 测风时间：{review['measured_window']}（{review['alignment']}）")
    if review["wholes"]:
        lines += ["", *_standing_table(review["wholes"])]
    return "\n".join(lines)


def shortages(review: Payload) -> str:
    """Objects that get, or are planned, less than they need."""
    parts = []
    for key, title in (("shortages", "实测风量低于需风量"), ("planned_shortages", "计划风量低于需风量")):
        found = review[key]
        if found["count"]:
            heading = f"**{title}：{found['count']} 个**{_omitted(found)}"
            parts.append("\n".join([heading, "", *_standing_table(found["items"])]))
    return "\n\n".join(parts)


def doubts(review: Payload) -> str:
    """Findings that need an answer, then what is not judged."""
    parts = []
    found = review["findings"]
    if found["count"]:
        items = [
            f"- {item['id']} {item['severity_text']} · {item['kind']} · {item['subject']}：{item['message']}"
            f"（{'；'.join(item['evidence']) or '无原文依据'}）"
            for item in found["items"]
        ]
        parts.append("\n".join([f"**待处理的问题：{found['count']} 项**{_omitted(found)}", "", *items]))
    open_objects = review["not_judged"]
    if open_objects["count"]:
        items = [
            f"- {item['name']}：未判定（{item['reason'] or '没有可比较的数据'}）" for item in open_objects["items"]
        ]
        parts.append("\n".join([f"**未判定的对象：{open_objects['count']} 个**{_omitted(open_objects)}", "", *items]))
    return "\n\n".join(parts)


def files(report: Payload) -> str:
    """Where the report is."""
    listed = "\n".join(f"- `{item['path']}`" for item in report["files"])
    return f"报告文件（可在文件列表中下载）：\n\n{listed}"


def ask_to_publish(report: Payload) -> str:
    """Before a report is handed over."""
    open_checks = f"其中 {report['open_checks']} 项仍待人工复核。" if report["open_checks"] else ""
    return f"请求发布《{report['name']}》。\n\n{report['summary']}。{open_checks}发布后不能撤回，需要您批准。\n\n"


def published(payload: Payload) -> str:
    """After it was, or was not."""
    if not payload.get("ok"):
        return f"没有发布：{payload.get('error')}"
    data = payload["data"]
    listed = "\n".join(f"- `{item['path']}`" for item in data["files"])
    return f"已发布，发布人 {data['published_by']}，摘要值 `{data['review_sha256']}`：\n\n{listed}"


def answer_shortages(review: Payload) -> str:
    """Which places are short, after a review."""
    return shortages(review) or f"{review['conclusion']['measured']}\n\n{review['conclusion']['planned']}"


def answer_doubts(review: Payload) -> str:
    """What needs a person, after a review."""
    return doubts(review) or "没有待处理的问题，也没有未判定的对象。"


def answer_place(review: Payload, name: str) -> str:
    """All that the digest holds on one object."""
    keys = ("wholes", "shortages", "planned_shortages")
    rows = [row for key in keys for row in _items(review[key]) if row["name"] == name]
    notes = [item for item in review["findings"]["items"] if item["subject"] == name]
    lines = [*_standing_table(rows[:1]), ""] if rows else []
    lines += [f"- {item['id']} {item['severity_text']} · {item['kind']}：{item['message']}" for item in notes]
    lines += [f"- 未判定（{item['reason']}）" for item in review["not_judged"]["items"] if item["name"] == name]
    return "\n".join([f"**{name}**", "", *lines])


def known_names(review: Payload) -> list[str]:
    """Names a question may mean, longest first."""
    rows = [
        row["name"] for key in ("wholes", "shortages", "planned_shortages", "not_judged") for row in _items(review[key])
    ]
    return sorted({*rows, *(item["subject"] for item in review["findings"]["items"])}, key=len, reverse=True)


def number(value: object) -> str:
    """A figure of a payload as it is; None is a dash."""
    if value is None:
        return "—"
    text = str(value)
    return text.removesuffix(".0")


def _items(found: Any) -> Sequence[Payload]:
    items: Sequence[Payload] = found["items"] if isinstance(found, Mapping) else found
    return items


def _standing_table(rows: Iterable[Payload]) -> list[str]:
    lines = [
        "| 对象 | 需风量 | 计划风量 | 实测风量 | 余量 | 实测/需风 | 判定 | 依据 |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |",
    ]
    for row in rows:
        figures = (
            number(row[key]) for key in ("required_m3_min", "planned_m3_min", "measured_m3_min", "margin_m3_min")
        )
        cells = (row["name"], *figures, row["ratio"], row["verdict"], "；".join(row["evidence"]) or "—")
        lines.append("| " + " | ".join(_cell(str(cell)) for cell in cells) + " |")
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _omitted(found: Payload) -> str:
    return f"（此处列出前 {len(found['items'])} 个，其余见报告）" if found["omitted"] else ""


def _name(path: str) -> str:
    return PurePosixPath(path).name
