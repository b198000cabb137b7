"""Statements and the names of tables, columns, constraints, schemas and accounts of a database."""

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


_ORDINARY: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "has",
        "have",
        "had",
        "in",
        "on",
        "at",
        "of",
        "for",
        "to",
        "from",
        "with",
        "and",
        "or",
        "not",
        "no",
        "does",
        "do",
        "did",
        "can",
        "cannot",
        "could",
        "may",
        "must",
        "should",
        "will",
        "would",
        "which",
        "whose",
        "row",
        "rows",
        "cell",
        "cells",
        "name",
        "names",
        "header",
        "headers",
        "column",
        "columns",
        "index",
        "field",
        "fields",
        "entry",
        "data",
        "value",
        "values",
        "page",
        "pages",
        "number",
        "numbers",
        "file",
        "files",
        "empty",
        "missing",
        "invalid",
        "already",
        "exists",
        "found",
        "format",
        "type",
        "title",
        "list",
        "level",
        "size",
        "order",
        "by",
        "if",
        "when",
        "where",
        "as",
        "there",
        "only",
        "one",
        "two",
        "each",
        "every",
        "all",
        "any",
        "of",
        "per",
        "legend",
        "caption",
        "view",
    ]
)


def _object_holds(found: re.Match[str]) -> bool:
    name = found["secret"].strip("`\"'“”‘’[]() ")
    return (
        re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.:$#`\"'\[\]-]{0,200}", name) is not None and name.lower() not in _ORDINARY
    )


def _identifier_holds(found: re.Match[str]) -> bool:
    name = found["secret"].strip("`\"'“”‘’")
    if re.match(r"\s{0,2}(?:不能为空|缺失|必填|为必填|格式|应为|必须|是必)", found.string[found.end("secret") :]):
        return False  # a field of a form
    return (
        re.search(r"[_.]", name) is not None
        and _object_holds(found)
        and re.search(r"\.(?:pdf|docx?|xlsx?|csv|txt|md|json|png|jpe?g)$", name, re.IGNORECASE) is None
    )


def _not_ordinary(found: re.Match[str]) -> bool:
    return found["secret"].strip("`\"'“”‘’[]").lower() not in _ORDINARY


_CHINESE_KIND: Final = r"(?:数据库表|数据表|临时表|分区表|表空间|库表|表名?|字段名?|列名?|主键|外键|唯一键|唯一索引|索引|唯一约束|检查约束|外键约束|约束|视图|序列|模式|数据库|库名?|触发器|存储过程|集合|实例|键空间|角色|物化视图)"
_ENGLISH_KIND: Final = (
    r"(?:relation|table|column|field|constraint|index|schema|database|view|sequence|trigger|procedure|collection|keyspace|tablespace|catalog|namespace|ns|primary key|foreign key|unique key|key|"
    r"object|object name|column name|table name|partition|topic|queue|stream|bucket|materialized view|identifier|domain|synonym|package|cluster|measurement|operator|alias|secret|config ?map|pod|deployment|stateful ?set|volume|container|service account|prepared statement|cursor|savepoint)"
)

STATEMENTS: Final[tuple[Rule, ...]] = (
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
        needs=("grant", "revoke"),
    ),
    rule(
        rf"{BEFORE}(?P<keyword>(?:PRAGMA|EXPLAIN|DESCRIBE|DESC|SHOW\s(?:COLUMNS|INDEX|CREATE\sTABLE|TABLES)\s?(?:FROM)?|COPY|LOAD\sDATA|VACUUM|REFERENCES|SET\sPASSWORD|USE|LOCK\sTABLES?))\s{{1,20}}(?=[A-Za-z0-9_`\"\[.]{{0,64}}[_`\"\[.(]){_OBJECT}{_REST}",
        _upper,
        needs=("pragma", "explain", "desc", "show", "copy", "load", "vacuum", "references", "password", "use", "lock"),
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

OBJECTS: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?<![A-Za-z]){_ENGLISH_KIND}(?:\(s\)|s|name)?[\"']?\s{{0,2}}(?:named |called |with name |[:=] ?)?(?P<secret>[\"'`‘“\[](?=[A-Za-z_])[A-Za-z0-9_.$# -]{{1,127}}[\"'`’”\]](?:\.[\"'`\[][A-Za-z0-9_$# -]{{1,127}}[\"'`\]]){{0,3}})",
        _object_holds,
        needs=('"', "'", "`", "‘", "“", "["),
    ),
    rule(
        rf"(?<![A-Za-z]){_ENGLISH_KIND}(?:\(s\)|s)?(?:[_ ]?name)?(?:\s{{0,2}}[:=]\s{{0,2}}|\s{{1,2}}(?:named |called |with name )?\(?)(?P<secret>[A-Za-z_][A-Za-z0-9_$#]{{0,127}}(?:[.:-]{{1,2}}[A-Za-z_*][A-Za-z0-9_$#*-]{{0,127}}){{0,3}})",
        _identifier_holds,
        needs=("_", "."),
    ),
    rule(
        rf"(?:no such|unknown|undefined|invalid|missing|ambiguous|duplicate|unrecognized)\s(?:{_ENGLISH_KIND}|function|collation)(?: name)?\s?:?\s{{1,2}}(?P<secret>[\"'`\[]?[A-Za-z_][A-Za-z0-9_.$#-]{{0,127}}[\"'`\]]?)",
        lambda found: (
            _not_ordinary(found)
            and (":" in found.group() or "'" in found.group() or "[" in found.group() or "_" in found["secret"])
        ),
        needs=("no such", "unknown", "undefined", "invalid", "missing", "ambiguous", "duplicate", "unrecognized"),
    ),
    rule(
        r"(?<![A-Za-z])(?:relation|table|column|schema|database|index|view|sequence|collection|keyspace|role|topic|queue)\s(?P<secret>[A-Za-z_][A-Za-z0-9_.$#]{0,127})\s(?:does not|doesn't|already|is locked|not found|has no column|is corrupt|is full|cannot be|was not|is marked|already exists)",
        _not_ordinary,
        needs=("does", "already", "is ", "not ", "has no", "cannot", "was "),
    ),
    rule(
        r"(?:permission denied|access denied|not authorized|denied|权限不足)[^\n]{0,24}?\s(?:for|on|to|to access)\s(?:relation|table|schema|database|view|sequence|function|index|collection|object|column|bucket|topic)\s(?P<secret>[\"'`]?[A-Za-z_][A-Za-z0-9_.$#-]{0,127}[\"'`]?)",
        _not_ordinary,
        needs=("denied", "not authorized", "权限不足"),
    ),
    rule(
        r"(?:not authorized on|using database|switched to db|in database|on database|to database|from database|from schema|in schema|on schema)\s(?P<secret>[\"'`\[]?[A-Za-z_][A-Za-z0-9_.$#-]{0,127}[\"'`\]]?)",
        _not_ordinary,
        needs=("database", "authorized", "db", "schema"),
    ),
    rule(
        r"(?P<secret>[A-Za-z_][A-Za-z0-9_$]{0,127}(?:\.[A-Za-z_][A-Za-z0-9_$]{0,127}){1,2}(?:, ?[A-Za-z_][A-Za-z0-9_$]{0,127}(?:\.[A-Za-z_][A-Za-z0-9_$]{0,127}){1,2}){0,15})(?= (?:may not be NULL|is not unique|are not unique))",
        needs=("may not be null", "not unique"),
    ),
    rule(r"constraint failed: (?P<secret>[A-Za-z_][^\n，。；]{1,300})", needs=("constraint failed",)),
    rule(
        rf"{_CHINESE_KIND}[ ]?[:：]?[ ]?(?P<secret>[\"'“‘「【\[`《](?=[A-Za-z_])[A-Za-z0-9_.$#-]{{2,127}}[\"'”’」】\]`》])",
        _object_holds,
        needs=('"', "'", "“", "‘", "「", "【", "[", "`", "《"),
    ),
    rule(
        rf"{_CHINESE_KIND}(?:条件)?[ ]?(?:名?为|是|名)?[ ]?[:：=(（]?[ ]?(?P<secret>[A-Za-z_][A-Za-z0-9_$#]{{0,127}}(?:\.[A-Za-z_][A-Za-z0-9_$#]{{0,127}}){{0,3}})",
        _identifier_holds,
        needs=("_", "."),
    ),
    rule(
        rf"{BEFORE}(?:fk|pk|uq|ux|uk|idx|ix|ck|chk|df|tbl|tb|seq|sp|usp|xp|trg|tr|vw|mv|udf|dim|fact|stg|ods|dwd|dws|dwh|cte|uix|unq)_[A-Za-z0-9_$]{{2,127}}",
        needs=("_",),
    ),
    rule(
        rf"{BEFORE}(?:t|v|f)_[A-Za-z]{{2,63}}_[A-Za-z0-9_$]{{1,127}}{AFTER}|{BEFORE}t_(?:user|order|log|config|dict|role|menu|dept|file|job|task|account)s?{AFTER}",
        needs=("_",),
    ),
    rule(
        rf"{BEFORE}[A-Za-z0-9_]{{1,127}}_(?:pkey|fkey|idx|uniq|uidx|uindex|seq|ukey|pk|fk|uk|excl){AFTER}", needs=("_",)
    ),
    rule(
        r"(?<![A-Za-z])(?:function|procedure|routine)\s(?P<secret>[A-Za-z_][A-Za-z0-9_.]{0,127}\([^()\n]{0,200}\))",
        needs=("function", "procedure", "routine"),
    ),
    rule(r"(?P<secret>\"[A-Za-z_][A-Za-z0-9_$#]{0,127}\"): invalid identifier", needs=("invalid identifier",)),
    rule(r"\"[A-Za-z_][A-Za-z0-9_$#]{0,127}\"(?:\.\"[A-Za-z_][A-Za-z0-9_$#]{0,127}\"){1,3}", needs=('"."',)),
    rule(r"key value is (?P<secret>\([^\n]{1,500}\))", needs=("key value is",)),
    rule(
        r"(?<![A-Za-z0-9_])(?P<secret>[A-Za-z_][A-Za-z0-9_.-]{1,64}): authentication failed",
        _not_ordinary,
        needs=("authentication failed",),
    ),
    rule(
        r"(?:bucket|table|column|index|db|database|schema|topic|queue)[_ ]?name[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?P<secret>[A-Za-z_][A-Za-z0-9_.-]{1,127})",
        _not_ordinary,
        needs=("name",),
    ),
    rule(
        r"(?:columns?|fields?|keys?)\s?:?\s?(?P<secret>\([`\"'\[][A-Za-z_][^()\n]{0,500}\))",
        needs=("column", "field", "key"),
    ),
    rule(r"column[^\n]{0,24}? name (?P<secret>\"[A-Za-z_][A-Za-z0-9_.]{0,127}\")", needs=("column",)),
    rule(
        BEFORE
        + r"(?:dbo|information_schema|pg_catalog|pg_toast|sys|mysql|master|tempdb|public)\.[A-Za-z_][A-Za-z0-9_.$#]{1,127}",
        needs=(".",),
    ),
    rule(r"`[A-Za-z_][A-Za-z0-9_$]{0,127}`(?:\s?\.\s?`[A-Za-z_][A-Za-z0-9_$*]{0,127}`){1,2}", needs=("`",)),
    rule(
        r"(?:constraint|foreign key|references|primary key|unique key|key|index)\s?\(?`[^`\n]{1,128}`(?:,\s?`[^`\n]{1,128}`){0,8}\)?",
        needs=("`",),
    ),
    rule(r"duplicate entry (?P<secret>'[^\n]{0,500}?') for key", needs=("duplicate entry",)),
    rule(
        r"(?:Key|Failing row contains|Partition key of the failing row contains|键值?|主键) ?(?P<secret>\([^\n]{1,1000}\))",
        lambda found: re.search(r"[=,]|_", found["secret"]) is not None,
        case=True,
        needs=("(",),
    ),
    rule(r"dup key:? ?(?P<secret>\{[^\n]{1,500}\}?)", needs=("dup key",)),
    rule(r"to execute command (?P<secret>\{[^\n]{1,2000})", needs=("execute command",)),
    rule(
        r"(?:(?<![A-Za-z])(?:user|role|login|username|user name|account|principal|owner|uid|login name|登录名|用户名?|账号|帐号|角色))[\"']?[ ]{0,2}[:=]?[ ]{0,2}(?P<secret>['\"“‘「【](?=[A-Za-z_])[A-Za-z0-9_.@$:\\-]{2,128}['\"”’」】](?:@['\"]?[A-Za-z0-9_.%:-]{1,128}['\"]?)?)",
        lambda found: found["secret"].strip("'\"“”‘’「」【】").lower() not in {"true", "false", "none", "null"},
        needs=('"', "'", "“", "‘", "「", "【"),
    ),
    rule(
        r"(?:登录名|用户名?|账号|帐号|账户|user[ _]?name)[ ]{0,2}[:=：是为]?[ ]{0,2}(?P<secret>[A-Za-z][A-Za-z0-9_.-]{1,64})",
        lambda found: re.search("[0-9_]", found["secret"]) is not None,
        needs=("登录名", "用户", "账", "帐号", "user"),
    ),
    rule(
        r"(?<![A-Za-z])user(?:[ _]?name)?\s?:\s?(?P<secret>[A-Za-z_][A-Za-z0-9_.-]{2,64})(?=\s?(?:$|[,;)\]}'\"，。；）]))",
        _not_ordinary,
        needs=("user",),
    ),
    rule(
        r"(?:client|app|account|tenant|subscription|device|mch|corp|agent|open|union|user|secret|key)[_-]?(?:id|key)[\"']?\s?[=:]\s?[\"']?(?P<secret>[A-Za-z0-9][A-Za-z0-9_.-]{5,127})",
        lambda found: (
            re.search("[0-9]", found["secret"]) is not None and re.search("[A-Za-z]", found["secret"]) is not None
        ),
        needs=("id", "key"),
    ),
    rule(
        r"(?:函数|方法|模块|类|过程|程序包)[ ]?[“「\"'`]?(?P<secret>[A-Za-z_][A-Za-z0-9_]{0,127}(?:[._][A-Za-z0-9_]{1,127}){1,8}(?:\(\))?)",
        needs=("函数", "方法", "模块", "类", "过程", "程序包"),
    ),
    rule(
        r"(?<![A-Za-z])(?:db|dbname|database)[ ](?P<secret>[A-Za-z_][A-Za-z0-9_.-]{1,64})(?=[),;])",
        _not_ordinary,
        needs=("db", "database"),
    ),
    rule(
        r"(?<![A-Za-z])(?:bucket|topic|queue|index|exchange|vhost|namespace|pod|container|volume|stream|cluster|桶|主题|队列|命名空间)[ ]{0,2}[\"'\[]?(?P<secret>[a-z][a-z0-9]{1,62}(?:[-.][a-z0-9]{1,62}){1,8})",
        needs=("-", "."),
        case=True,
    ),
    rule(r"NoSuchBucket:? (?P<secret>[a-z0-9][a-z0-9.-]{2,62})", needs=("nosuchbucket",)),
    rule(BEFORE + r"[a-z][a-z0-9-]{1,60}-1[0-9]{9}(?![A-Za-z0-9_])", needs=("-1",)),
    rule(
        r"(?<![A-Za-z])(?:sudo|su|cron|CRON)(?:\[\d{1,7}\])?: \(?(?P<secret>[a-z_][a-z0-9_-]{1,31})\)? ",
        needs=("su", "cron"),
        case=True,
    ),
    rule(r"(?<![A-Za-z0-9_\\])[A-Z][A-Z0-9-]{1,15}\\{1,2}[A-Za-z][A-Za-z0-9_.$-]{2,64}", needs=("\\",), case=True),
    rule(r"(?:account|账号|账户)(?:[ _-]?id)?[ :=：]{0,3}(?P<secret>\d{12})(?![0-9])", needs=("account", "账")),
    rule(
        r"(?<![A-Za-z0-9_-])(?:i|vpc|sg|subnet|ami|vol|eni|igw|ins|cdb|cvm|ecs|rds|rm|lb|disk|snap)-(?=[a-z]{0,16}[0-9])[0-9a-z]{8,20}(?![A-Za-z0-9_-])",
        needs=("-",),
    ),
    rule(r"(?P<secret>'[A-Za-z0-9_.-]{1,64}'@'[A-Za-z0-9_.%:-]{1,128}')", needs=("'@'",)),
    rule(
        r"(?:authentication failed for|login failed for|access denied for|denied to|authenticate|logon denied for|invalid user|failed password for(?: invalid user)?)(?: user| role| account)?:? (?P<secret>[\"'“]?[A-Za-z_][A-Za-z0-9_.@\\$-]{1,64}[\"'”]?)",
        _not_ordinary,
        needs=("for", "denied", "authenticate", "invalid user"),
    ),
    rule(r"(?:index|indices|alias|shard)\s?\[(?P<secret>[a-z0-9_.*-]{2,128})\]", needs=("[",)),
)
