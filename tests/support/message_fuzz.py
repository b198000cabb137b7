"""A grammar of error messages: secret × wrapper × context × disguise, and what a reader could make of what is left."""

from __future__ import annotations

import html
import json
import random
import re
import string
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from tests.support.messages import Maker, survives

_WORDS = [
    "mine",
    "vent",
    "plan",
    "fan",
    "shaft",
    "roadway",
    "audit",
    "ticket",
    "refund",
    "worker",
    "badge",
    "gas",
    "sensor",
    "curve",
    "review",
    "quota",
    "order",
    "leave",
    "payroll",
    "supplier",
]
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


@dataclass(frozen=True, slots=True)
class Case:
    """`text` holds `carrier` somewhere, disguised; of `secrets` nothing may be readable afterwards."""

    text: str
    secrets: tuple[str, ...]
    recipe: str


class Grammar:
    """Cases of one seed, always the same."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.maker = Maker(seed)

    def case(self) -> Case:
        kind = self.random.choice(list(_CARRIERS))
        carrier, secrets = _CARRIERS[kind](self)
        disguises = [name for name, (_, kinds) in _DISGUISES.items() if kinds is None or kind in kinds]
        disguise = self.random.choice(disguises)
        wrapper, context = self.random.choice(_WRAPPERS), self.random.choice(list(_CONTEXTS))
        shown = _DISGUISES[disguise][0](self, carrier)
        return Case(_CONTEXTS[context](wrapper.replace("{}", shown)), secrets, f"{kind}/{disguise}/{context}/{wrapper}")

    def word(self) -> str:
        return self.random.choice(_WORDS)

    def name(self) -> str:
        return f"{self.word()}_{self.word()}{self.random.choice(['', '_v2', '_2026', '_tmp'])}"

    def camel(self) -> str:
        return self.word().capitalize() + self.word().capitalize()

    def number(self, low: int = 2, high: int = 254) -> int:
        return self.random.randint(low, high)

    def ipv4(self) -> str:
        return f"{self.random.choice([10, 172, 192, 203])}.{self.number()}.{self.number()}.{self.number()}"

    def ipv6(self) -> str:
        return self.random.choice(
            [
                f"2001:db8:{self.number():x}:{self.number():x}::{self.number():x}",
                f"fe80::{self.number():x}:{self.number(4096, 65000):x}",
                "fd" + ":".join(f"{self.number(4096, 65000):x}" for _ in range(8))[2:],
            ]
        )

    def host(self) -> str:
        return f"{self.word()}-{self.number()}.{self.word()}.{self.random.choice(['lan', 'internal', 'corp.example', 'svc.cluster.local', 'com.cn'])}"

    def folder(self) -> str:
        return "/".join(
            [
                self.random.choice(["/srv", "/opt", "/home", "/data", "/var/lib", "/mnt/nas"]),
                *(self.name() for _ in range(self.number(1, 3))),
            ]
        )

    def email(self) -> str:
        return f"{self.word()}.{self.word()}{self.number()}@{self.random.choice(['mail.example', 'corp.example', 'mine.com.cn'])}"


def _whole(text: str) -> tuple[str, tuple[str, ...]]:
    return text, (text,)


def _statement(g: Grammar) -> tuple[str, tuple[str, ...]]:
    table, column, value = g.name(), g.name(), g.number(1000, 99999)
    text = g.random.choice(
        [
            f"SELECT {column}, {g.name()} FROM {table} WHERE {column} = {value}",  # noqa: S608 - nobody runs it
            f"select {column} from {table} where {column}='{value}'",  # noqa: S608 - nobody runs it
            f"INSERT INTO {table} ({column}) VALUES ({value})",  # noqa: S608 - nobody runs it
            f"UPDATE {table} SET {column} = {value} WHERE id = 7",  # noqa: S608 - nobody runs it
            f"DELETE FROM {table} WHERE {column} = {value}",  # noqa: S608 - nobody runs it
            f"ALTER TABLE {table} ADD COLUMN {column} text",
            f"CREATE INDEX idx_{column} ON {table} ({column})",
        ]
    )
    return text, (text, table, column)


def _table(g: Grammar) -> tuple[str, tuple[str, ...]]:
    name = g.name()
    text = g.random.choice(
        [
            f'relation "{name}" does not exist',
            f"Table '{g.word()}.{name}' doesn't exist",
            f"no such table: {name}",
            f"表{name}被锁定",
            f"Unknown column '{name}' in 'field list'",
            f"permission denied for schema {name}",
            f"数据表 {name} 不存在",
        ]
    )
    return text, (name,)


def _constraint(g: Grammar) -> tuple[str, tuple[str, ...]]:
    name = f"{g.random.choice(['fk', 'uq', 'pk', 'ck', 'idx'])}_{g.name()}"
    return g.random.choice(
        [
            f'violates unique constraint "{name}"',
            f"唯一约束{name}冲突",
            f"constraint failed: {name}",
            f"for key '{name}'",
        ]
    ), (name,)


def _python_frame(g: Grammar) -> tuple[str, tuple[str, ...]]:
    path, function = f"{g.folder()}/{g.name()}.py", g.name()
    return f'File "{path}", line {g.number()}, in {function}', (path, function)


def _java_frame(g: Grammar) -> tuple[str, tuple[str, ...]]:
    name = f"com.{g.word()}.{g.word()}.{g.camel()}.{g.word()}"
    return f"at {name}({g.camel()}.java:{g.number()})", (name,)


def _node_frame(g: Grammar) -> tuple[str, tuple[str, ...]]:
    path, function = f"{g.folder()}/{g.word()}.ts", f"{g.word()}{g.camel()}"
    return f"at async {function} ({path}:{g.number()}:{g.number()})", (path, f"{function} (")


def _go_frame(g: Grammar) -> tuple[str, tuple[str, ...]]:
    name = f"{g.word()}.(*{g.camel()}).{g.camel()}"
    path = f"{g.folder()}/{g.word()}.go:{g.number()}"
    return f"{name}(0xc000{g.number(4096, 65000):x})\n\t{path} +0x{g.number():x}", (name, path)


def _net_frame(g: Grammar) -> tuple[str, tuple[str, ...]]:
    name = f"{g.camel()}.{g.camel()}.{g.camel()}.{g.camel()}"
    return f"at {name}(String {g.word()}) in C:\\src\\{g.name()}\\{g.camel()}.cs:line {g.number()}", (name,)


def _php_frame(g: Grammar) -> tuple[str, tuple[str, ...]]:
    path = f"{g.folder()}/{g.camel()}.php"
    return f"#0 {path}({g.number()}): App\\{g.camel()}->{g.word()}()", (path,)


def _windows_path(g: Grammar) -> tuple[str, tuple[str, ...]]:
    return _whole(
        "\\".join(
            [
                f"{g.random.choice('CDEF')}:",
                g.name(),
                g.name(),
                f"{g.word()}{g.number()}.{g.random.choice(['xlsx', 'db', 'log'])}",
            ]
        )
    )


def _dsn(g: Grammar) -> tuple[str, tuple[str, ...]]:
    password, host = g.maker.kind("pw"), g.host()
    scheme = g.random.choice(["postgresql", "mysql+pymysql", "redis", "mongodb+srv", "amqp", "clickhouse", "ftp"])
    return f"{scheme}://{g.name()}:{password}@{host}:{g.number(1024, 65000)}/{g.word()}", (password, host)


def _labelled(g: Grammar) -> tuple[str, tuple[str, ...]]:
    secret = g.maker.of(string.ascii_letters + string.digits, g.number(16, 40))
    name = g.random.choice(
        [
            "api_key=",
            "client_secret=",
            "password: ",
            "密码：",
            "密钥为",
            "access_token=",
            "secretKey=",
            '"token": "',
            "X-Api-Key: ",
            "令牌：",
        ]
    )
    return name + secret + ('"' if name.endswith('"') else ""), (secret,)


def _cookie(g: Grammar) -> tuple[str, tuple[str, ...]]:
    secret = g.maker.of(string.ascii_letters + string.digits, 32)
    return g.random.choice(["Cookie: sessionid=", "Set-Cookie: JSESSIONID=", "Cookie: lang=zh; sid="]) + secret, (
        secret,
    )


def _bearer(g: Grammar) -> tuple[str, tuple[str, ...]]:
    secret = g.maker.of(string.ascii_letters + string.digits + "-_", 36)
    return f"{g.random.choice(['Authorization: Bearer', 'bearer', 'Bearer'])} {secret}", (secret,)


def _pem(g: Grammar) -> tuple[str, tuple[str, ...]]:
    body = g.maker.sized("b64_", 88)
    kind = g.random.choice(["RSA ", "EC ", "", "OPENSSH "])
    return f"-----{'BEGIN'} {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----", (body,)


def _vendor(g: Grammar) -> tuple[str, tuple[str, ...]]:
    kinds = [
        "sk",
        "skhex",
        "skant",
        "ghp",
        "glpat",
        "xox",
        "stripe",
        "hf",
        "npm",
        "vault",
        "akia",
        "ltai",
        "akid",
        "aklt",
        "huawei",
        "aiza",
        "jwt",
    ]
    return _whole(g.maker.kind(g.random.choice(kinds)))


_CARRIERS: dict[str, Callable[[Grammar], tuple[str, tuple[str, ...]]]] = {
    "statement": _statement,
    "table": _table,
    "constraint": _constraint,
    "python frame": _python_frame,
    "java frame": _java_frame,
    "node frame": _node_frame,
    "go frame": _go_frame,
    "net frame": _net_frame,
    "php frame": _php_frame,
    "unix path": lambda g: _whole(f"{g.folder()}/{g.name()}.{g.random.choice(['db', 'log', 'yaml', 'docx'])}"),
    "home path": lambda g: _whole(f"~/.{g.word()}/{g.name()}"),
    "secret file": lambda g: _whole(f"{g.random.choice(['../../conf', './deploy', 'config'])}/.env.{g.word()}"),
    "windows path": _windows_path,
    "share": lambda g: _whole("\\\\" + "\\".join([f"nas{g.number()}", g.name(), g.name()])),
    "ipv4": lambda g: _whole(g.ipv4()),
    "ipv6": lambda g: _whole(g.ipv6()),
    "mapped": lambda g: (f"::ffff:{(address := g.ipv4())}", (address,)),
    "host": lambda g: _whole(f"{g.host()}:{g.number(1024, 65000)}"),
    "email": lambda g: _whole(g.email()),
    "mobile": lambda g: _whole(g.maker.kind("mobile")),
    "landline": lambda g: _whole(f"0{g.number(10, 99)}1-{g.number(2000000, 8999999)}"),
    "identity card": lambda g: _whole(g.maker.kind("cnid")),
    "vendor": _vendor,
    "bearer": _bearer,
    "labelled": _labelled,
    "cookie": _cookie,
    "dsn": _dsn,
    "pem": _pem,
}
_WRAPPERS = (
    "{}",
    "could not process {} in time",
    "RuntimeError: failed on {}",
    "psycopg.OperationalError: {} (attempt 3)",
    '(1045, "{}")',
    "处理失败：{}，请稍后重试",
    "在处理{}时出错",
    "无法连接{}",
    "“{}”校验未通过",
    "[ERROR] 2026-04-03 10:00:00,123 {} - retrying",
    "java.lang.IllegalStateException: {}",
    "Error: {}\n    at next",
    "panic: {}",
    "<{}>",
    "({})",
    "`{}` was refused",
    "first line\n{}\nlast line",
    "请求 7 失败。{}。",
    "E: {}; giving up",
    "cause={}",
)
_CONTEXTS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "glued": lambda text: f"系统提示{text}已记录",
    "json": lambda text: json.dumps({"code": 500, "detail": text}, ensure_ascii=False),
    "json ascii": lambda text: json.dumps({"detail": text}),
    "json in json": lambda text: json.dumps({"body": json.dumps({"error": text})}, ensure_ascii=False),
    "repr": repr,
    "markdown": lambda text: f"**错误**\n\n> {text}\n",
    "html": html.escape,
    "list": lambda text: f"3 errors: ['a', {text!r}, 'b']",
}


def _invisible(g: Grammar, text: str) -> str:
    at = g.number(1, max(1, len(text) - 1))
    return text[:at] + g.random.choice(_INVISIBLE) + text[at:]


def _wide(_: Grammar, text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if 0x21 <= ord(c) <= 0x7E else "\u3000" if c == " " else c for c in text)


def _wrapped(g: Grammar, text: str) -> str:
    at = g.number(len(text) // 2, len(text) - 3)
    return text[:at] + g.random.choice(["\n", "\r\n  "]) + text[at:]


_ANY_CASE = ("email", "host", "statement", "ipv6", "windows path")
_DISGUISES: dict[str, tuple[Callable[[Grammar, str], str], tuple[str, ...] | None]] = {
    "none": (lambda _, text: text, None),
    "invisible": (_invisible, None),
    "wide": (_wide, None),
    "percent": (lambda _, text: quote(text, safe=""), None),
    "percent twice": (lambda _, text: quote(quote(text, safe="")), None),
    "unicode escapes": (lambda _, text: "".join(f"\\u{ord(c):04x}" for c in text), None),
    "entities": (lambda _, text: "".join(f"&#{ord(c)};" for c in text), None),
    "upper": (lambda _, text: text.upper(), _ANY_CASE),
    "mixed": (lambda g, text: "".join(g.random.choice([c.lower(), c.upper()]) for c in text), _ANY_CASE),
    "wrapped": (_wrapped, ("vendor",)),
}


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\\\"'nrt/]))")


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else {"n": "\n", "r": "\r", "t": "\t"}.get(found[2], found[2])


def readable(text: str) -> list[str]:
    """What a patient reader makes of a text: as it is, then with escapes undone and lines joined; lower case."""
    readings = [text]
    for _ in range(4):
        readings.append(html.unescape(unquote(readings[-1])))
        readings.append(_ESCAPE.sub(_unescaped, readings[-1]))
    folded = [re.sub(f"[{_INVISIBLE}]", "", unicodedata.normalize("NFKC", one)).lower() for one in readings]
    return folded + [re.sub(r"\s*\n\s*", "", one) for one in folded]


def leaks(case: Case, shown: str) -> list[str]:
    """Secrets of a case that can still be read."""
    readings = readable(shown)
    return [secret for secret in case.secrets if any(survives(secret.lower(), one) for one in readings)]
