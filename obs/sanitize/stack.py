"""Frames of stack traces of Python, Java, Node, Go, .NET, PHP, Ruby, Rust and C++, and the names of code they carry."""

from __future__ import annotations

import re
from typing import Final

from obs.sanitize.path import SOURCE
from obs.sanitize.rule import AFTER, BEFORE, Rule, rule

_NAME: Final = r"[A-Za-z_$][A-Za-z0-9_$]{0,127}"
_DOTTED: Final = rf"(?<![A-Za-z0-9_$.@/-])(?:{_NAME}\.){{2,16}}"
_ARGUMENTS: Final = r"\((?:[^()\n]|\([^()\n]{0,200}\)){0,400}\)"
_DOCUMENT: Final = re.compile(r"\.(?:pdf|docx?|xlsx?|csv|txt|md|png|jpe?g|json|html?|zip|ya?ml|xml)$", re.IGNORECASE)

_FILE: Final = re.compile(
    rf"\.(?:{SOURCE}|pptx?|gif|bmp|svg|gz|tar|db|log|cfg|ini|toml|css|parquet|dwg|dxf|onnx|pt)$", re.IGNORECASE
)


def _qualified_holds(found: re.Match[str]) -> bool:
    text = found.group()
    return _DOCUMENT.search(text) is None and ("_" in text or "(" in text or re.search(r"\.[A-Z]", text) is not None)


RULES: Final[tuple[Rule, ...]] = (
    # Python
    rule(
        r"File\s{1,4}[\"'][^\"'\n]{1,512}[\"']?(?:,\s{0,4}line\s{1,4}\d{1,7})?(?:,\s{0,4}(?:in|code)\s{1,4}[^\s,\"'，。；]{1,256})?(?:\n[ \t]{4}[^\n]{0,400}){0,4}",
        needs=("file",),
        case=True,
    ),
    rule(r"line \d{1,7},? (?P<secret>(?:in|code) [A-Za-z_<][A-Za-z0-9_.<>]{0,127})", needs=("line ",)),
    rule(r"(?:^|\n)[^\n]{1,400}\n[ \t]{0,80}[~^]{2,400}[^\n]{0,80}", needs=("^^", "~~")),
    rule(
        rf"\.{SOURCE}(?::\d{{1,7}}){{1,2}}[\"')]?(?P<secret>[ ,]{{0,3}}(?:in|at|在|->)[ ]?[`'‘]?{_NAME}(?:\.{_NAME}){{0,8}}(?:\(\))?[`'’]?)",
        needs=(".",),
    ),
    rule(
        r"(?:在|函数|方法|调用)[ ]?(?P<secret>[a-z_][a-z0-9]{0,40}_[a-z0-9_]{1,80}(?:\(\))?)[ ]?(?:中|内|里|抛|时|方法|函数|出错|报错|失败)",
        needs=("在", "函数", "方法", "调用"),
    ),
    rule(
        BEFORE
        + r"(?:cannot import name|from|No module named|module|package|in module|import)[ ][\"'‘](?P<secret>[A-Za-z_][A-Za-z0-9_.]{1,200})[\"'’]",
        needs=('"', "'", "‘"),
    ),
    rule(
        r"<(?:frame|function|bound method|built-in|class|module|coroutine|code object)[ ][^<>\n]{1,300}>?",
        needs=("<",),
    ),
    rule(r"<[A-Za-z_][A-Za-z0-9_.]{1,200} (?:object )?at 0x[0-9a-f]{4,16}>", needs=(" at 0x",)),
    rule(_DOTTED + _NAME + r"(?:\(\))?(?![A-Za-z0-9_@/-])", _qualified_holds, needs=(".",)),
    # Two parts are code where one is no word: plan_store.load_rows, PlanService.save
    rule(
        r"(?<![A-Za-z0-9_$.@/\\-])(?:[a-z][a-z0-9]{0,40}_[a-z0-9_]{1,80}\.[a-z_][a-z0-9_]{2,80}|[a-z][a-z0-9]{1,40}\.[a-z][a-z0-9]{0,40}_[a-z0-9_]{1,80}|(?:[A-Z][a-z0-9]{1,40}){2,6}\.[a-z][A-Za-z0-9_]{2,80})(?:\(\))?(?![A-Za-z0-9_@/-]|\.[A-Za-z0-9])",
        lambda found: _FILE.search(found.group()) is None and _DOCUMENT.search(found.group()) is None,
        needs=(".",),
        case=True,
    ),
    # Java and the .NET framework: a name with its arguments
    rule(
        BEFORE
        + r"(?:[A-Za-z0-9_.@-]{0,64}/{1,2})?(?:com|org|net|cn|io|java|javax|jakarta|jdk|sun|kotlin|scala|edu|gov|dev|me|android|akka|reactor|oracle|ch|de|system|microsoft)"
        rf"(?:\.{_NAME}){{2,16}}(?:\.<(?:cl)?init>)?(?:{_ARGUMENTS})?",
        needs=(".",),
    ),
    rule(
        r"(?:\bat|\b in|在|於)\s{1,4}(?:async |new )?(?P<secret>[A-Za-z_$<][A-Za-z0-9_$.<>`\[\]|,+/@-]{1,255}"
        + _ARGUMENTS
        + r"(?:\s{1,4}(?:in|位置)\s{1,4}[^\s:]{0,3}:?[^\n:]{1,300}:(?:line|行号)?\s?\d{1,7})?)",
        lambda found: re.search(r"[.$<]|:\d", found["secret"]) is not None,
        needs=("(",),
    ),
    rule(
        rf"(?<![A-Za-z0-9_$.@/-])(?:[A-Z][A-Za-z0-9_`]{{0,127}}\.){{1,16}}(?:<[A-Za-z0-9_$]{{0,64}}>[A-Za-z0-9_|$]{{0,32}}\.)?[A-Za-z_][A-Za-z0-9_`]{{0,127}}(?:<[^<>\n]{{0,128}}>|\[[^\[\]\n]{{0,128}}\])?{_ARGUMENTS}",
        case=True,
        needs=("(",),
    ),
    rule(
        rf"(?<![A-Za-z0-9_$.@/-]){_NAME}(?:\.{_NAME}){{0,16}}\([A-Z][A-Za-z0-9_]{{0,127}}\.(?:java|kt|scala|groovy)(?::\d{{1,7}})?\)",
        case=True,
        needs=("(",),
    ),
    rule(
        r"[A-Za-z_][A-Za-z0-9_.]{0,255}, Version=[0-9.]{1,32}(?:, Culture=[A-Za-z-]{1,16})?(?:, PublicKeyToken=[0-9A-Za-z]{1,32})?",
        needs=("version=",),
    ),
    rule(
        r"(?<![A-Za-z0-9_./-])(?:com|org|net|cn|io|java|javax|edu|gov)(?:/[A-Za-z_][A-Za-z0-9_$-]{0,127}){2,16}(?:\.[A-Za-z]{1,10})?(?![A-Za-z0-9_])",
        needs=("/",),
    ),
    rule(r"bean (?:with )?named? (?P<secret>'[^'\n]{1,128}')", needs=("bean",)),
    rule(
        r"Command (?P<secret>'[^\n]{1,2000}'|\[[^\n]{1,2000}\]) (?:returned|timed out|died|failed)", needs=("command",)
    ),
    # Node
    rule(
        r"(?:\bat )?(?:async |new )?[A-Za-z_$][A-Za-z0-9_$.<>\[\] ]{0,127} \((?:[^()\n]|\([^()\n]{0,400}\)){1,800}:\d{1,7}(?::\d{1,7})?\)",
        needs=("(",),
    ),
    rule(
        r"\bat (?:async |new )?[A-Za-z_$<][A-Za-z0-9_$.<>\[\] ]{0,127} \((?:<anonymous>|native|index \d{1,4}|node:[^()\n]{1,200})\)",
        needs=("at ",),
    ),
    rule(r"\(?node:[a-z_/]{1,128}(?::\d{1,7}){1,2}\)?", needs=("node:",)),
    # Go
    rule(
        r"(?<![A-Za-z0-9_./-])(?:[A-Za-z0-9_.-]{1,128}/){0,16}[A-Za-z0-9_-]{1,128}\.\(\*?[A-Za-z0-9_]{1,128}(?:\[[^\]\n]{0,64}\])?\)(?:\.[A-Za-z0-9_]{1,128}){1,8}(?:\([^()\n]{0,400}\))?",
        needs=("(",),
    ),
    rule(
        r"(?<![A-Za-z0-9_./-])(?:[A-Za-z0-9_.-]{1,128}/){0,16}[a-z0-9_-]{1,128}\.[A-Za-z_][A-Za-z0-9_]{0,127}(?:\.func\d{1,4}|\.\d{1,3}|\.gowrap\d{1,3}){0,4}\((?:0x[0-9a-f]{1,16}|\{|\.\.\.)[^\n()]{0,400}\)(?:\n[ \t]{1,8}[^\n]{1,400})?",
        needs=("(",),
    ),
    rule(r"created by (?P<secret>[A-Za-z0-9_./()*-]{1,300}(?: in goroutine \d{1,8})?)", needs=("created by",)),
    rule(
        r"(?<![A-Za-z0-9_./-])(?:[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_.-]{1,64}/)(?:[A-Za-z0-9_.-]{1,128}/){0,16}[A-Za-z0-9_-]{1,128}\.[A-Za-z_][A-Za-z0-9_]{0,127}",
        lambda found: _DOCUMENT.search(found.group()) is None,
        needs=("/",),
    ),
    rule(r"(?<![A-Za-z0-9_.])main\.[A-Za-z_][A-Za-z0-9_.]{0,127}\(\)", needs=("main.",)),
    rule(r"(?:pc|addr|fp|sp|rip|ip)=0x[0-9a-f]{1,16}", needs=("=0x",)),
    rule(r"\+0x[0-9a-f]{1,16}", needs=("+0x",)),
    rule(BEFORE + r"0x[0-9a-f]{9,16}" + AFTER, needs=("0x",)),
    # PHP, Ruby, Rust
    rule(
        r"(?:^|(?<=[\n ]))#\d{1,3}\s{1,4}[^\n]{1,400}",
        lambda found: re.search(r"\.[a-z]{1,4}\(\d|[{:(>]", found.group()) is not None,
        needs=("#",),
    ),
    rule(
        r"(?<![A-Za-z0-9_\\])\\?(?:[A-Z][A-Za-z0-9_]{0,127}\\{1,2}){1,16}[A-Za-z_][A-Za-z0-9_]{0,127}(?:(?:->|::)[A-Za-z_{][A-Za-z0-9_{}]{0,127}(?:\([^()\n]{0,400}\))?)?",
        needs=("\\",),
        case=True,
    ),
    rule(
        r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]{0,127}(?:->|::)[A-Za-z_][A-Za-z0-9_:]{0,127}\([^()\n]{0,400}\)",
        needs=("->", "::"),
    ),
    # Names of code behind the word for what they are: method payWage, resource wageService#payWage
    rule(
        r"(?<![A-Za-z])(?:method|function|attribute|property|class|bean|resource|entity|program|include|job|trigger|model|task|service|script|macro|mapper|component|controller|handler|interface)"
        r"(?: with(?: the)?(?: given)? name| named| called)?[ ][\"'`\[(]?(?P<secret>[A-Za-z_][A-Za-z0-9_]{1,127}(?:[.#:$][A-Za-z_][A-Za-z0-9_]{0,127}){0,8}(?:/\d{1,2})?)(?![A-Za-z0-9_/-])",
        lambda found: (
            re.search(r"[a-z][A-Z]|[A-Z]_[A-Z]|[a-z0-9]\.[A-Z]|[#:$]|\w_\w+\.\w|^_", found["secret"]) is not None
        ),
        needs=(
            "method",
            "function",
            "attribute",
            "property",
            "class",
            "bean",
            "resource",
            "entity",
            "program",
            "include",
            "job",
            "trigger",
            "model",
            "task",
            "service",
            "script",
            "macro",
            "mapper",
            "component",
            "controller",
            "handler",
            "interface",
        ),
    ),
    rule(
        r"has no (?:attribute|property|member|field) (?P<secret>[\"'][A-Za-z_][A-Za-z0-9_]{0,127}[\"'])",
        needs=("has no ",),
    ),
    rule(r"\bat <[a-z]{1,16}>(?::\d{1,7}){1,2}", needs=("at <",)),
    rule(
        r"(?:KeyError: |(?:environment|env)(?: variable)?[ :]{1,2}|环境变量[ ：:]{0,2})(?P<secret>[\"'“]?[A-Z][A-Z0-9]{0,63}(?:_[A-Z0-9]{1,63}){1,8}[\"'”]?)",
        needs=("keyerror", "env", "环境变量"),
    ),
    # A line of code, as tracebacks show it
    rule(
        r"(?:^|\n)[ \t]{4,40}(?P<secret>(?:raise|return|await|yield|assert|throw|self\.|this\.)[^\n]{1,400})",
        lambda found: (
            re.search(r"[(=._]\w?", found["secret"]) is not None
            and re.search(r"[A-Za-z_]\(|[A-Za-z_]\.[A-Za-z_]|\s=\s", found["secret"]) is not None
        ),
        needs=("raise", "return", "await", "yield", "assert", "throw", "self.", "this."),
    ),
    # Mangled names, Objective-C, Erlang, R, Julia
    rule(BEFORE + r"_?(?:\$s|_?Z[NKLR]?)[0-9][A-Za-z0-9_$.]{6,512}", needs=("$s", "_z"), case=True),
    rule(
        r"[-+]\[[A-Za-z_][A-Za-z0-9_]{2,127}(?:\([A-Za-z_]{0,64}\))? [A-Za-z_][A-Za-z0-9_:]{1,255}\]",
        needs=("-[", "+["),
    ),
    rule(
        r"(?<![A-Za-z0-9_/:.-])[a-z][a-z0-9_]{1,63}:[a-z][a-z0-9_]{1,63}/\d{1,2}(?![A-Za-z0-9_/.])",
        needs=(":",),
        case=True,
    ),
    rule(r"Error in (?P<secret>[A-Za-z_.][A-Za-z0-9_.:$]{0,127}\([^\n]{0,400}?\)) ?:", needs=("error in ",)),
    rule(r"(?:^|\n)Calls: (?P<secret>[^\n]{1,200}? -> [^\n]{1,200})", needs=("calls: ",)),
    rule(r"(?:^|\n)[ \t]{0,8}\[\d{1,3}\] (?P<secret>[A-Za-z_][A-Za-z0-9_.!]{0,127}\([^\n]{0,400})", needs=("] ",)),
    # Rust and C++: audit::chain::append, 3: relay::flush
    rule(
        BEFORE
        + r"(?:[A-Za-z_][A-Za-z0-9_<>]{0,127}::){2,16}(?:[A-Za-z_~][A-Za-z0-9_<>]{0,127}|\{\{[a-z#0-9]{1,32}\}\})(?:::\{\{[a-z#0-9]{1,32}\}\})?",
        needs=("::",),
    ),
    rule(
        r"(?:^|\n)\s{0,8}#?\d{1,3}:?\s{1,4}(?:0x[0-9a-f]{1,16}\s{1,4}(?:-|in)?\s{0,4})?(?P<secret><?[A-Za-z_][A-Za-z0-9_<>]{0,127}::[^\n]{1,400})",
        needs=("::",),
    ),
    rule(r"(?<=in )[`'‘](?P<secret>[A-Za-z_][A-Za-z0-9_#:.<>?! ]{0,127})['’]", needs=("in `", "in '", "in ‘")),
)
