"""Messages with marked secrets; whatever is shaped like a key is made here, at run time, so that none stands in the repository."""

from __future__ import annotations

import base64
import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "messages"
_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_KIND = re.compile(
    r"@(hex|b64_|alnum)(\d+)|@(pw|uuid|mobile|cnid|card|jwt|skhex|skant|sk|ghp|glpat|xox|stripe|twilio|hf|npm|vault|akia|ltai|akid|aklt|huawei|sts|aiza)(?![a-z])"
)
# `@[gh|o_|%A36]`: parts are joined, %A36 is 36 random letters and digits; `@[fw:=text]` is the text as it is, in full-width forms.
_PARTS = re.compile(r"@\[(?:(fw|zw|pct|b64|wrap|esc):)?([^\]]*)\]")
_PART = re.compile(r"%([AhUdb])(\d+)")
_SIGNS = {
    "A": _ALNUM,
    "h": _HEX,
    "U": string.ascii_uppercase + string.digits,
    "d": string.digits,
    "b": _ALNUM + "+/",
}
_DISGUISES: dict[str, Callable[[str], str]] = {
    "fw": lambda text: "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text),
    "zw": "\u200b".join,
    "pct": lambda text: quote(text, safe=""),
    "b64": lambda text: base64.b64encode(text.replace("\\0", "\0").encode()).decode(),
    "wrap": lambda text: f"{text[: len(text) // 2]}\n{text[len(text) // 2 :]}",
    "esc": lambda text: "".join(f"\\u{ord(sign):04x}" for sign in text),
}
_ESCAPE = re.compile(r"\\([\\nt])")


@dataclass(frozen=True, slots=True)
class Message:
    """`text`, in which no entry of `secrets` may survive."""

    text: str
    secrets: tuple[str, ...]


class Maker:
    """Random secrets of real shapes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.made: list[str] = []

    def of(self, alphabet: str, length: int) -> str:
        while True:
            text = "".join(self.random.choices(alphabet, k=length))
            if length < 8 or (any(c.isdigit() for c in text) and any(c.isalpha() for c in text)):
                return text

    def sized(self, kind: str, length: int) -> str:
        if kind == "hex":
            return self.of(_HEX, length)
        if kind == "alnum":
            return self.of(_ALNUM, length)
        return self.of(_ALNUM + "+/", length - length % 4 - 1) + "="

    def kind(self, name: str) -> str:
        upper = string.ascii_uppercase + string.digits
        makers: dict[str, Callable[[], str]] = {
            "pw": lambda: (
                self.random.choice(string.ascii_letters) + self.of(_ALNUM + "!#_-*", self.random.randint(8, 13)) + "7"
            ),
            "uuid": lambda: "-".join(self.of(_HEX, n) for n in (8, 4, 4, 4, 12)),
            "mobile": lambda: "16" + "".join(self.random.choices(string.digits, k=9)),
            "cnid": lambda: (
                f"5{self.random.randint(10000, 99999)}19{self.random.randint(50, 99)}0{self.random.randint(1, 9)}1{self.random.randint(0, 9)}{self.random.randint(1000, 9999)}"
            ),
            "card": self.card,
            "jwt": lambda: (
                "ey"
                "J" + self.of(_ALNUM, 20) + ".ey" + "J" + self.of(_ALNUM + "-_", 40) + "." + self.of(_ALNUM + "-_", 43)
            ),
            "sk": lambda: "s" + "k-proj-" + self.of(_ALNUM, 40),
            "skhex": lambda: "s" + "k-" + self.of(_HEX, 32),
            "skant": lambda: "s" + "k-ant-api03-" + self.of(_ALNUM + "-_", 60),
            "ghp": lambda: "gh" + "p_" + self.of(_ALNUM, 36),
            "glpat": lambda: "gl" + "pat-" + self.of(_ALNUM, 20),
            "xox": lambda: "xo" + "xb-" + self.of(string.digits + "a", 12) + "-" + self.of(_ALNUM, 24),
            "stripe": lambda: "s" + "k_live_" + self.of(_ALNUM, 24),
            "twilio": lambda: "A" + "C" + self.of(_HEX, 32),
            "hf": lambda: "h" + "f_" + self.of(_ALNUM, 34),
            "npm": lambda: "np" + "m_" + self.of(_ALNUM, 36),
            "vault": lambda: "hv" + "s." + self.of(_ALNUM, 24),
            "akia": lambda: "AK" + "IA" + self.of(upper, 16),
            "ltai": lambda: "LT" + "AI5t" + self.of(_ALNUM, 18),
            "akid": lambda: "AK" + "ID" + self.of(_ALNUM, 32),
            "aklt": lambda: "AK" + "LT" + self.of(_ALNUM, 43),
            "huawei": lambda: "HP" + "UA" + self.of(upper, 16),
            "sts": lambda: "ST" + "S.N" + self.of(_ALNUM, 24),
            "aiza": lambda: "AI" + "za" + self.of(_ALNUM + "-_", 35),
        }
        return makers[name]()

    def parts(self, found: re.Match[str]) -> str:
        """What stands in the place of `@[…]`; kept in `made`."""
        text = found[2].removeprefix("=") if found[2].startswith("=") else "".join(map(self._part, found[2].split("|")))
        new = _DISGUISES[found[1]](text) if found[1] else text
        self.made.append(new)
        return new

    def _part(self, text: str) -> str:
        found = _PART.fullmatch(text)
        if found is None:
            return text
        if found[1] == "d":
            return "".join(self.random.choices(string.digits, k=int(found[2])))
        return self.of(_SIGNS[found[1]], int(found[2]))

    def card(self) -> str:
        digits = [int(sign) for sign in "62" + "".join(self.random.choices(string.digits, k=16))]
        total = sum(digits[-2::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-1::-2])
        return "".join(map(str, digits)) + str(-total % 10)

    def __call__(self, found: re.Match[str]) -> str:
        new = self.sized(found[1], int(found[2])) if found[1] else self.kind(found[3])
        self.made.append(new)
        return new


def read(name: str, seed: int = 1) -> list[Message]:
    """The messages of a file: `«…»` marks a secret, `@kind` and `@[…]` are replaced by a random one of that kind, `#` begins a comment."""
    messages: list[Message] = []
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("# "):
            continue
        maker = Maker(seed + len(messages))
        made = _KIND.sub(maker, _PARTS.sub(maker.parts, line))
        plain = _ESCAPE.sub(lambda found: {"n": "\n", "t": "\t", "\\": "\\"}[found[1]], made)
        secrets = [secret.strip("«»") for secret in [*re.findall("«([^«»]*)»", plain), *maker.made]]
        messages.append(Message(plain.replace("«", "").replace("»", ""), tuple(s for s in secrets if len(s) >= 4)))
    return messages


def survives(secret: str, shown: str) -> bool:
    """Whether `shown` still gives away `secret`: all of it, or of a longer one 60 % in a piece."""
    size = len(secret) if len(secret) < 14 else max(8, -(-len(secret) * 6 // 10))
    return any(secret[i : i + size] in shown for i in range(len(secret) - size + 1))
