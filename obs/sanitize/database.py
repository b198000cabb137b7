"""Names of tables, columns, constraints, schemas and other objects of a store."""

from __future__ import annotations

import re
from typing import Final

from obs.sanitize.rule import AFTER, BEFORE, Rule, rule
from obs.sanitize.words import NO_NAME


def _secret(found: re.Match[str]) -> str:
    return found["secret"] if "secret" in found.re.groupindex else found.group()


def _object_holds(found: re.Match[str]) -> bool:
    name = _secret(found).strip("`\"'“”‘’[]() ")
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.:$#`\"'\[\]-]{0,200}", name) is not None and name.lower() not in NO_NAME


def _identifier_holds(found: re.Match[str]) -> bool:
    name = _secret(found).strip("`\"'“”‘’")
    if re.match(r"\s{0,2}(?:不能为空|缺失|必填|为必填|格式|应为|必须|是必)", found.string[found.end() :][:16]):
        return False  # a field of a form
    return (
        re.search(r"[_.]", name) is not None
        and _object_holds(found)
        and re.search(r"\.(?:pdf|docx?|xlsx?|csv|txt|md|json|png|jpe?g)$", name, re.IGNORECASE) is None
    )


def _identifier_or_camel(found: re.Match[str]) -> bool:
    return re.search(r"\.(?:pdf|docx?|xlsx?|csv|txt|md|json|png|jpe?g)\W{0,2}$", found["secret"], re.IGNORECASE) is None


def _not_ordinary(found: re.Match[str]) -> bool:
    return found["secret"].strip("`\"'“”‘’[]").lower() not in NO_NAME


_CHINESE_KIND: Final = r"(?:数据库表|数据表|临时表|分区表|表空间|库表|表名?|字段名?|列名?|主键|外键|唯一键|唯一索引|索引|唯一约束|检查约束|外键约束|约束|视图名?|序列名?|模式名?|数据库名?|库名?|触发器|存储过程|集合|实例|键空间|角色|物化视图|关系|对象名?)"
_ENGLISH_KIND: Final = (
    r"(?:relation|table|column|field|constraint|index|schema|database|view|sequence|trigger|procedure|collection|keyspace|tablespace|catalog|namespace|ns|primary key|foreign key|unique key|key|"
    r"object|object name|column name|table name|partition|topic|queue|stream|bucket|materialized view|identifier|domain|synonym|package|cluster|measurement|operator|alias|secret|config ?map|pod|deployment|stateful ?set|volume|container|service account|prepared statement|cursor|savepoint|tenant|node|data ?set|entity|model|label|view|table/view)"
)

RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?<![A-Za-z]){_ENGLISH_KIND}(?:\(s\)|s|name)?[\"']?\s{{0,2}}(?:named |called |with name |[:=] ?)?(?P<secret>[\"'`‘“\[](?=[A-Za-z_])[A-Za-z0-9_.$# -]{{1,127}}[\"'`’”\]](?:\.[\"'`\[][A-Za-z0-9_$# -]{{1,127}}[\"'`\]]){{0,3}})",
        _object_holds,
        needs=('"', "'", "`", "‘", "“", "["),
    ),
    rule(
        rf"(?<![A-Za-z]){_ENGLISH_KIND}(?:\(s\)|s)?(?:[_ ]?name)?(?:\s{{0,2}}[:=]\s{{0,2}}|\s{{1,2}}(?:named |called |with name )?\(?)(?P<secret>[A-Za-z_][A-Za-z0-9_$#]{{0,127}}(?:[.:-]{{1,2}}[A-Za-z0-9_*][A-Za-z0-9_$#*-]{{0,127}}){{0,3}})",
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
        rf"{BEFORE}[A-Za-z0-9_]{{1,127}}_(?:pkey|fkey|idx|uniq|uidx|uindex|seq|ukey|pk|fk|uk|excl|ibfk_[0-9]{{1,3}}|fk_[a-z0-9_]{{1,60}}){AFTER}|{BEFORE}[A-Za-z0-9]{{1,60}}_[A-Za-z0-9_]{{1,60}}_index{AFTER}",
        needs=("_",),
    ),
    rule(
        r"(?<![A-Za-z])(?:function|procedure|routine)\s(?P<secret>[A-Za-z_][A-Za-z0-9_.]{0,127}\([^()\n]{0,200}\))",
        needs=("function", "procedure", "routine"),
    ),
    rule(r"(?P<secret>\"[A-Za-z_][A-Za-z0-9_$#]{0,127}\"): invalid identifier", needs=("invalid identifier",)),
    rule(r"\"[A-Za-z_][A-Za-z0-9_$#]{0,127}\"(?:\.\"[A-Za-z_][A-Za-z0-9_$#]{0,127}\"){1,3}", needs=('"."',)),
    rule(r"(?:key value is|键值为|键值)[ ]?[\"“]?(?P<secret>\([^\n]{1,500}\))", needs=("key value is", "键值")),
    # What a parser quotes of the data it could not take.
    rule(
        r"(?:(?:truncated|incorrect [a-z]{1,16}|invalid [a-z]{1,16}) value|invalid input (?:syntax|value) for (?:type |enum )?[a-z_ ]{1,40}): (?P<secret>'[^'\n]{1,500}'|\"[^\"\n]{1,500}\")",
        needs=("value: ", "invalid input"),
    ),
    rule(
        r"(?P<secret>[\"'“‘`\[](?=[A-Za-z0-9]{0,127}_)[A-Za-z_][A-Za-z0-9_$#]{2,127}[\"'”’`\]]) ?(?:does not exist|doesn't exist|already exists|not found|不存在|已存在|无效)",
        needs=("exist", "not found", "不存在", "已存在", "无效"),
    ),
    # The verdict before the name: Table unknown WAGE_ITEM, Table does not exist: wage
    rule(
        rf"(?<![A-Za-z]){_ENGLISH_KIND} (?:unknown|does not exist|not found|undefined|is undefined|missing)[:,]?[ ]{{1,2}}(?P<secret>[\"'`\[]?[A-Za-z_][A-Za-z0-9_$#.]{{2,127}}[\"'`\]]?)",
        lambda found: re.search(r"[_.]", found["secret"].rstrip(".")) is not None and _not_ordinary(found),
        needs=("unknown", "exist", "not found", "undefined", "missing"),
    ),
    rule(
        r"(?:cannot|can't|could not|unable to) (?:be )?(?:resolve|find|locate|determine)[^\n\"'`\[]{0,60}(?P<secret>[\"'`\[]{1,2}[A-Za-z_][A-Za-z0-9_$.]{2,127}[\"'`\]]{1,2})",
        lambda found: re.search(r"[_.]|[a-z][A-Z]", found["secret"]) is not None and _identifier_or_camel(found),
        needs=("resolve", "find", "locate", "determine"),
    ),
    rule(
        r"(?:table|column|relation|object|catalog|field)[^\n]{0,160}?(?:did you mean|perhaps you meant)[^\n\"'`]{0,40}(?P<secret>[\"'`][^\"'`\n]{2,127}[\"'`](?:(?:,| or) [\"'`][^\"'`\n]{2,127}[\"'`]){0,8})",
        needs=("mean", "meant"),
    ),
    rule(r"(?:input )?columns: (?P<secret>\[[^\[\]\n]{2,2000}\])", needs=("columns: [",)),
    rule(r"'`[^`'\n]{1,128}`(?:\.`[^`'\n]{1,128}`){0,3}'", needs=("'`",)),
    # Dotted names of which a part is no word: "PAYROLL.EMP_WAGE", HRM.EMP_WAGE
    rule(
        r"[\"'`][A-Za-z_][A-Za-z0-9_$]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_$]{0,127}){1,3}[\"'`]",
        _identifier_holds,
        needs=(".",),
    ),
    rule(
        BEFORE + r"(?:[A-Z][A-Z0-9_]{0,63}\.){1,3}[A-Z][A-Z0-9]{0,63}_[A-Z0-9_]{1,63}" + AFTER, needs=(".",), case=True
    ),
    rule(
        r"(?<![A-Za-z])(?:instance|cluster|bucket|database|host|server|node|queue|topic|project)s? \((?P<secret>[A-Za-z][A-Za-z0-9]{0,62}(?:[-_][A-Za-z0-9]{1,62}){1,8})\)",
        needs=(" (",),
    ),
    rule(
        BEFORE + r"(?:table|tablet|object|partition|database|schema|index)_id\s?[:=]\s?(?P<secret>\d{4,20})",
        needs=("_id",),
    ),
    rule(
        BEFORE
        + r"(?:bucket(?:name)?|(?:object[ _-]?)?key|object|prefix|container)[\"']?\s?[:=]\s?[\"']?(?P<secret>[a-z0-9][A-Za-z0-9_.-]{0,62}(?:[/-][A-Za-z0-9_.-]{1,128}){1,16})",
        needs=("bucket", "key", "object", "prefix", "container"),
    ),
    rule(
        BEFORE + r"(?:args|argv|arguments)[\"']?\s?[:=]\s?(?P<secret>[\[(]\s?[\"'][^\n\])]{1,2000}[\])])",
        needs=("arg",),
    ),
    # Paths of keys: user:session:88120417
    rule(
        r"(?<![A-Za-z])(?:key|键)[ ]{0,2}[:：=]?[ ]{0,2}[\"'“‘`\[]?(?P<secret>[A-Za-z_][A-Za-z0-9_.{}-]{0,63}(?::[A-Za-z0-9_.{}-]{1,64}){1,8})(?![A-Za-z0-9_:])",
        needs=("key", "键"),
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
        needs=("dbo.", "schema.", "catalog.", "toast.", "sys.", "mysql.", "master.", "tempdb.", "public."),
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
        r"(?<![A-Za-z0-9_-])(?:i|vpc|sg|subnet|ami|vol|eni|igw|ins|cdb|cvm|ecs|rds|rm|lb|disk|snap)-(?=[a-z]{0,16}[0-9])[0-9a-z]{8,20}(?![A-Za-z0-9_-])",
        needs=("-",),
    ),
    rule(r"(?:index|indices|alias|shard)\s?\[(?P<secret>[a-z0-9_.*-]{2,128})\]", needs=("[",)),
)
