"""Review an airflow plan, and a measurement report with it, without a server.

    python scripts/airflow_review.py PLAN [REPORT] [--rules DIR] [--settled FILE] [--out DIR] [--json FILE]
        [--compare OLD.json] [--ocr] [--lang zh|en]

Exit 0: a review was made, whatever it found. Exit 2: an input cannot be read; one line on stderr says which and why.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

PROJECT_ROOT = Path(__file__).resolve().parents[1]
if str(PROJECT_ROOT) not in sys.path:  # run as a file: only scripts/ is on the path
    sys.path.insert(0, str(PROJECT_ROOT))

if TYPE_CHECKING:
    from algorithms.airflow_review.changes import Changes
    from algorithms.airflow_review.model import Review, Settled
    from algorithms.airflow_review.rules.library import RuleSet

UNREADABLE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parse(arguments)
    # Imports below stand inside functions: `--help` and a wrong argument answer at once.
    from algorithms.airflow_review.documents.document import InputError
    from algorithms.airflow_review.rules.rule_error import RuleError
    from algorithms.airflow_review.settling import SettlingError

    try:
        return _run(options)
    except (InputError, RuleError) as error:
        reason = error.sentence(options.lang)
    except SettlingError as error:
        reason = str(error)
    except OSError as error:
        reason = f"{error.filename or options.plan}：{error.strerror or error}"
    except KeyboardInterrupt:
        print("已中断。", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the command promises one readable line and no traceback, for bugs too
        files = "、".join(path for path in (options.plan, options.report) if path)
        reason = f"{files}：无法完成研判（{type(error).__name__}：{error}）。请把文件和本行信息交给维护人员。"
    print(" ".join(reason.split()), file=sys.stderr)
    return UNREADABLE


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="airflow_review.py", description="配风计划与测风报表的风量研判。输入有误时退出码为 2。"
    )
    parser.add_argument("plan", metavar="PLAN", help="配风计划：pdf、docx、txt")
    parser.add_argument(
        "report", metavar="REPORT", nargs="?", help="测风报表：pdf、docx、xlsx、xls、csv；可缺，只审计划"
    )
    parser.add_argument("--rules", metavar="DIR", help="本矿规则目录，覆盖通用规则库")
    parser.add_argument("--settled", metavar="FILE", help="人工核定的数值（settled.json），研判前先替换")
    parser.add_argument(
        "--out", metavar="DIR", help="写出 review.json 与 report.md、docx、xlsx、html 的目录（比较时另有 changes.json）"
    )
    parser.add_argument("--json", metavar="FILE", help="只写 review.json 到该文件")
    parser.add_argument("--compare", metavar="OLD.json", help="上次研判的 review.json；列出与上次相比的变化")
    parser.add_argument(
        "--ocr",
        action="store_true",
        help='识别扫描页的文字（须先安装：.venv/bin/pip install ".[ocr]"）；结论须人工核对',
    )
    parser.add_argument("--lang", choices=("zh", "en"), default="zh", help="报告语言（默认 zh）")
    return parser.parse_args(arguments)


def _run(options: argparse.Namespace) -> int:
    from algorithms.airflow_review.pipeline import review
    from algorithms.airflow_review.rules.library import load_rules

    earlier = _earlier_review(options.compare) if options.compare else None
    settled = _settled(options.settled) if options.settled else ()
    # Reading the files, extracting each, judging, writing.
    with _Progress(steps=5 if options.report else 4) as progress:
        rules = load_rules(options.rules)
        result = review(
            options.plan, options.report, rules=rules, settled=settled, on_step=progress.tell, ocr=options.ocr
        )
        progress.tell("写出结果")
        changes = None if earlier is None else _changes(earlier, result, rules)
        written = _write(result, changes, options)
    _print_conclusion(result, changes, options.lang)
    if rules.own_line is not None:
        print(rules.own_line.in_language(options.lang))
    for path in written:
        print(path)
    return 0


def _earlier_review(path: str) -> Review:
    from algorithms.airflow_review.documents.document import InputError, InputProblem
    from algorithms.airflow_review.documents.refusal import missing
    from algorithms.airflow_review.messages.catalogue import say
    from algorithms.airflow_review.render.json_text import review_from_json_text

    source = Path(path)
    if not source.is_file():
        raise missing(source.name)
    try:
        return review_from_json_text(source.read_text(encoding="utf-8"))
    except ValueError as error:
        reason = str(error).splitlines()[0]
        message, hint = say("refusal.no_review", reason=reason), say("refusal.no_review.hint")
        raise InputError.of(InputProblem.WRONG_TYPE, source.name, message, hint) from error


def _settled(path: str) -> tuple[Settled, ...]:
    from algorithms.airflow_review.documents.refusal import missing
    from algorithms.airflow_review.settled_file import settled_from_json_text
    from algorithms.airflow_review.settling import SettlingError

    source = Path(path)
    if not source.is_file():
        raise missing(source.name)
    try:
        return settled_from_json_text(source.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, SettlingError) as error:
        raise SettlingError(f"{source.name}：{error}") from error


def _changes(earlier: Review, result: Review, rules: RuleSet) -> Changes:
    from algorithms.airflow_review.changes import find_changes
    from algorithms.airflow_review.engine.names import NameWords

    return find_changes(earlier, result, NameWords.of(rules.data["names"]))


def _write(result: Review, changes: Changes | None, options: argparse.Namespace) -> list[Path]:
    written: list[Path] = []
    if options.json:
        from algorithms.airflow_review.render.json_text import review_to_json_text

        target = Path(options.json)
        target.write_text(review_to_json_text(result), encoding="utf-8")
        written.append(target)
    if options.out:
        from algorithms.airflow_review.render.report_files import write_review

        written += write_review(result, options.out, options.lang, changes=changes)
    return written


def _print_conclusion(result: Review, changes: Changes | None, lang: str) -> None:
    from algorithms.airflow_review.render.changed import change_lines
    from algorithms.airflow_review.render.conclusion_text import conclusion_lines
    from algorithms.airflow_review.render.words import load_words

    words = load_words("en" if lang == "en" else "zh")
    for line in (*conclusion_lines(result, words), *(change_lines(changes, words) if changes is not None else ())):
        print(line)


class _Progress:
    """A bar on stderr while a person is watching; silent in pipes and logs."""

    def __init__(self, steps: int) -> None:
        self._bar = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            layout = "{desc} |{bar:30}| {n_fmt}/{total_fmt}（{elapsed}）"
            self._bar = tqdm(total=steps, initial=-1, file=sys.stderr, leave=False, bar_format=layout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def tell(self, step: str) -> None:
        """Name the step that begins now; the one before is done."""
        if self._bar is not None:
            self._bar.update(1)
            self._bar.set_description_str(step)


if __name__ == "__main__":
    gc.disable()  # one review, then the process ends: searching for cycles costs more than it frees
    sys.exit(main())
