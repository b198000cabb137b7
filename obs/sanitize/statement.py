"""Statements of SQL, whole or in the fragments parsers quote."""

from __future__ import annotations

import re
from typing import Final

from obs.sanitize.rule import AFTER, BEFORE, Rule, rule

_NAME: Final = r"[A-Za-z_\u4e00-\u9fff][A-Za-z0-9_$#\u4e00-\u9fff]{0,127}"
_QUOTED: Final = r"(?:`[^`\n]{1,128}`|\"[^\"\n]{1,128}\"|'[^'\n]{1,128}'|\[[^\]\n]{1,128}\]|\\\"[^\"\n]{1,128}\\\")"
_OBJECT: Final = rf"(?:{_QUOTED}|{_NAME})(?:\s?\.\s?(?:{_QUOTED}|{_NAME})){{0,3}}"
# A statement ends with its line; lines that go on with it are indented or begin with a word of SQL.
_NEXT: Final = (
    r"(?:\r?\n(?=[ \t]{1,40}\S|(?:from|where|and|or|join|left|right|inner|outer|full|cross|on|group|order|having|limit|offset|union|set|values|returning|select|as|using|when|then|else|end|case|"
    r"into|with|partition|window|for|not|in|exists|between|like|\)|\(|,)(?![A-Za-z]))[^\n]{0,2000})"
)
_REST: Final = rf"[^\n]{{0,8000}}{_NEXT}{{0,60}}"
_ARTICLES: Final = r"(?!(?:the|a|an|this|that|these|those|your|our|my|their|its|each|all|any|every|one|some|it|them|there|here|now|today)(?![A-Za-z0-9_]))"
_PROOF: Final = re.compile(
    r"[_*=`;(]|\b[A-Za-z]\w*\.\w|\b(?:where|join|group by|order by|limit|having|union|values|set|exists)\b|[\[\"']\w+[\]\"']",
    re.IGNORECASE | re.ASCII,
)
_KIND: Final = (
    r"(?:table|index|unique index|view|materialized view|schema|database|sequence|function|procedure|trigger|user|role|type|domain|extension|tablespace|synonym|package|column|constraint|collection|keyspace|"
    r"foreign table|temporary table|temp table|login|server|policy|publication|subscription|partition)"
)


def _upper_or_proven(found: re.Match[str]) -> bool:
    """Upper-case keywords, or signs that only SQL has: a sentence may select, update and delete too."""
    keywords = found["keyword"]
    letters = re.sub(r"[^A-Za-z]", "", keywords)
    return (
        letters.isupper() or _PROOF.search(found.group()[:300].replace(keywords, "", 1)) is not None or _mixed(letters)
    )


def _mixed(letters: str) -> bool:
    return re.search(r"[a-z][A-Z]", letters) is not None


def _upper(found: re.Match[str]) -> bool:
    return re.sub(r"[^A-Za-z]", "", found["keyword"]).isupper()


RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"{BEFORE}(?P<keyword>select)\s{{1,20}}(?:distinct\s|all\s|top\s)?(?:[^\n;。]{{1,3000}}?|[^;。]{{1,1500}}?)\s{{1,20}}from\s{{1,20}}{_ARTICLES}(?:{_OBJECT}|\(){_REST}",
        _upper_or_proven,
        needs=("select",),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>select)\s{{1,20}}(?:[a-z_]{{1,64}}\s?\(|\*|'|@|\d{{1,4}}\s?(?:;|,|$|\n)|[a-z]\w{{0,64}}\.){_REST}",
        needs=("select",),
    ),
    rule(rf"{BEFORE}(?P<keyword>SELECT)\s{{1,20}}[A-Za-z_`\"\[*]{_REST}", _upper, needs=("select",)),
    rule(
        rf"{BEFORE}(?P<keyword>insert\s{{1,20}}(?:ignore\s{{1,20}}|overwrite\s{{1,20}})?into|replace\s{{1,20}}into|merge\s{{1,20}}into|upsert\s{{1,20}}into|delete\s{{1,20}}from|truncate\s{{1,20}}table|insert overwrite table)\s{{1,20}}{_ARTICLES}{_OBJECT}{_REST}",
        _upper_or_proven,
        needs=("into", "delete", "truncate", "overwrite"),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>update)\s{{1,20}}(?:only\s|ignore\s)?{_OBJECT}(?:\s{{1,20}}(?:as\s{{1,20}})?{_NAME})?\s{{1,20}}set\s{{1,20}}{_OBJECT}\s{{0,20}}[=:]{_REST}",
        needs=("update",),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>UPDATE\s{{1,20}}{_OBJECT}(?:\s{{1,20}}{_NAME})?\s{{1,20}}SET){AFTER}{_REST}",
        _upper,
        needs=("update",),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>(?:create|alter|drop|comment on|rename|reindex|analyze|lock|refresh|describe|optimize|repair|undrop)\s{{1,20}}(?:or\s{{1,20}}replace\s{{1,20}}|global\s{{1,20}}|temporary\s{{1,20}}|temp\s{{1,20}}|external\s{{1,20}}|unlogged\s{{1,20}}){{0,2}}{_KIND}s?)\s{{1,20}}"
        rf"(?:if\s{{1,20}}(?:not\s{{1,20}})?exists\s{{1,20}}|concurrently\s{{1,20}})?(?!of\s){_ARTICLES}{_OBJECT}{_REST}",
        _upper_or_proven,
        needs=(
            "create",
            "alter",
            "drop",
            "comment",
            "rename",
            "reindex",
            "analyze",
            "lock",
            "refresh",
            "describe",
            "optimize",
            "repair",
        ),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>exec(?:ute)?|call)\s{{1,20}}(?:@\w{{1,32}}\s?=\s?)?(?=[a-z0-9_.\[\]\"]{{0,64}}[_.(])(?:{_OBJECT}){_REST}",
        needs=("exec", "call"),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>with)\s{{1,20}}(?:recursive\s{{1,20}})?{_OBJECT}\s{{0,20}}(?:\([^()\n]{{0,300}}\)\s{{0,20}})?as\s{{0,20}}(?:not\s|materialized\s){{0,2}}\(\s{{0,20}}(?:select|insert|update|delete|values|with|$){_REST}",
        needs=("with",),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>(?:GRANT|REVOKE)\s{{1,20}}[A-Z, ]{{1,100}}\s{{1,20}}ON)\s{{1,20}}{_OBJECT}{_REST}",
        _upper_or_proven,
        needs=("grant", "revoke"),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>(?:PRAGMA|EXPLAIN|DESCRIBE|DESC|SHOW\s(?:COLUMNS|INDEX|CREATE\sTABLE|TABLES)\s?(?:FROM)?|COPY|LOAD\sDATA|VACUUM|REFERENCES|SET\sPASSWORD|USE|LOCK\sTABLES?))\s{{1,20}}(?=[A-Za-z0-9_`\"\[.]{{0,64}}[_`\"\[.(]){_OBJECT}{_REST}",
        _upper,
        needs=("pragma", "explain", "desc", "show", "copy", "load", "vacuum", "references", "password", "use", "lock"),
    ),
    # Not SQL, but asked of a store all the same: Cypher, the shell of Mongo, filters of LDAP
    rule(
        rf"{BEFORE}(?:MATCH|MERGE|OPTIONAL MATCH|UNWIND|CREATE)\s{{1,4}}\([A-Za-z0-9_]{{0,64}}(?::[A-Za-z_`]|\)\s?[-<]){_REST}",
        needs=("match", "merge", "unwind", "create"),
        case=True,
    ),
    rule(
        rf"{BEFORE}db\.(?:getCollection\([^()\n]{{1,128}}\)|[A-Za-z_][A-Za-z0-9_.]{{0,127}})\.(?:find|insert|update|delete|remove|aggregate|count|distinct|replace|drop|create|bulk)[A-Za-z]{{0,16}}\({_REST}",
        needs=("db.",),
    ),
    rule(
        r"\([&|!]\([A-Za-z][^\n]{2,2000}\)|\((?:objectClass|sAMAccountName|uid|cn|mail|memberOf)=[^()\n]{1,256}\)",
        needs=("(&", "(|", "(!", "="),
    ),
    # Fragments: parsers quote the place where they stopped.
    rule(
        rf"{BEFORE}(?P<keyword>(?:FROM|JOIN|INTO)\s{{1,20}}{_OBJECT}(?:\s{{1,20}}(?:AS\s{{1,20}})?{_NAME})?\s{{1,20}}(?:WHERE|JOIN|ON|LEFT|INNER|GROUP|ORDER|LIMIT|SET|VALUES|USING|HAVING|FOR|UNION))(?![A-Za-z0-9_]){_REST}",
        lambda found: re.match(r"(?:FROM|JOIN|INTO)\s", found["keyword"]) is not None,
        case=False,
    ),
    rule(
        rf"{BEFORE}(?P<keyword>WHERE|HAVING|ON|AND)\s{{1,20}}\(?{_OBJECT}\s{{0,20}}(?:[=<>!]{{1,2}}|(?:NOT )?(?:LIKE|IN|IS|BETWEEN)(?![A-Za-z])){_REST}",
        _upper,
        needs=("where", "having", "on ", "and "),
    ),
    rule(rf"{BEFORE}(?P<keyword>(?:GROUP|ORDER)\s{{1,20}}BY)\s{{1,20}}{_OBJECT}{_REST}", _upper, needs=("by",)),
    rule(rf"{BEFORE}(?P<keyword>VALUES)\s{{0,20}}\({_REST}", _upper, needs=("values",)),
    rule(
        r"(?:to use near|syntax error (?:at or )?near|error near|near)\s{1,4}(?P<secret>'[^\n]{1,2000}'(?= at line)|\"[^\"\n]{1,2000}\"|'[^'\n]{1,2000}')",
        lambda found: re.search(r"[A-Za-z0-9]", found["secret"]) is not None,
        needs=("near",),
    ),
    rule(
        r"\[?(?:SQL|parameters|statement|Query|cached statement|bind(?:ing)?s?|params)\s?(?:statement)?[:=]\s{0,4}(?P<secret>(?=[\[({'\"]|select|insert|update|delete|with|create|alter|call|exec)[^\n]{2,8000}"
        + _NEXT
        + r"{0,60})",
        lambda found: "[" in found.group()[0] or re.search(r"[=,_(]", found["secret"]) is not None,
        needs=("sql", "parameters", "statement", "query", "bind", "params"),
    ),
    rule(
        r"(?:^|\n)\s{0,4}(?:LINE \d{1,5}|DETAIL|CONTEXT|STATEMENT|QUERY|WHERE|HINT)\s?:\s{0,4}(?P<secret>[^\n]{1,4000})",
        lambda found: re.search(r"[\"'`_(=]|function|SQL", found["secret"]) is not None,
        case=True,
    ),
    rule(r"ORA-\d{5}: (?:at|在) (?P<secret>\"[^\"\n]{1,128}\"(?:, line \d{1,7})?)", needs=("ora-",)),
)
