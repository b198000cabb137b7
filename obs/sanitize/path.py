"""Where files lie on the machine; the virtual folders the agent works in are spared."""

from __future__ import annotations

import re
from typing import Final

from obs.sanitize.rule import BEFORE, Rule, rule

VIRTUAL: Final = r"(?:workspace|skills|conversation_history|large_tool_results|memories|api)"
_PART: Final = r"[A-Za-z0-9_.~@$%+=#&!{}\[\]*?-]"
_WIDE: Final = r"[A-Za-z0-9_.~@$%+=#&!{}\[\]*?\u00c0-\u024f\u3400-\u9fff-]"
# A last part that begins in ASCII ends where Chinese begins, unless a dotted ending or another part follows: `…/plan.pdf失败`.
_PARTS: Final = rf"(?:{_WIDE}{{1,255}}?[/\\]{{1,4}})*+(?:[\u3400-\u9fff]{{1,64}}{_PART}{{0,128}}|{_PART}{{1,255}}(?:[\u3400-\u9fff]{{1,64}}\.[A-Za-z0-9]{{1,8}})?)?"
_LINE: Final = r"(?::\d{1,7}(?::\d{1,7})?)?"
_ROOTS: Final = (
    "etc|var|usr|opt|home|root|srv|tmp|mnt|media|data\\d*|app|apps|proc|sys|dev|run|boot|lib(?:64)?|s?bin|users|volumes|private|library|applications|system|build|go|nix|snap|code|src|"
    "projects?|www|wwwroot|backups?|export|storage|u0\\d|oracle|hdfs|workdir|vault|secrets?|config|conf|logs?|nfs|nas|share|docker|k8s|deploy|service|services|cache|dist|work|efs|ebs|gpfs|lustre"
)
# Where an absolute path may begin: not inside another path, a fraction or a unit such as m3/s/min.
_START: Final = r"(?<![A-Za-z0-9_./\\)\]}%³²~*])"
_PRIVATE_FILE: Final = (
    r"(?:\.env(?:\.[A-Za-z0-9_-]{1,32}){0,3}|\.(?:ssh|aws|kube|docker|gnupg|git|azure|config|npmrc|pypirc|netrc|pgpass|my\.cnf|bash_history|htpasswd|git-credentials|vault-token|boto|s3cfg)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)(?:\.pub)?|[A-Za-z0-9_.-]{1,64}\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|crt|ovpn)"
    r"|(?:secrets?|credentials?|passwords?|shadow|kubeconfig|service[_-]account)\.(?:ya?ml|json|toml|ini|txt|cfg|conf|xml|properties|env|db))"
)
SOURCE: Final = r"(?:py|pyx|pyc|js|mjs|cjs|jsx|ts|tsx|vue|java|kt|scala|groovy|go|cs|vb|fs|php|rb|rs|c|cc|cpp|cxx|h|hpp|swift|m|mm|lua|pl|ex|exs|erl|hrl|clj|dart|jl|hs|sql|sh|bash|ps1|psm1|bat|cmd|vbs|tf|tfvars|tfstate|proto|svelte|ipynb|aspx?|cshtml|jsp|R|s|so|dll)"


def _absolute_holds(found: re.Match[str]) -> bool:
    path = found.group()
    if ".." in path:
        return True
    return re.match(rf"/{VIRTUAL}(?:[/*\s]|$)", path) is None


def _drive_holds(found: re.Match[str]) -> bool:
    return len(found.group()) > len("C:/")


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_START}/(?:{_ROOTS})(?![A-Za-z0-9_-])(?:/{{1,2}}{_PARTS})?{_LINE}", _absolute_holds, needs=("/",)),
    rule(rf"{_START}/{_PART}{{1,255}}/{_PARTS}{_LINE}", _absolute_holds, needs=("/",)),
    rule(rf"(?<=[\s\"'“‘:=(（：])/[\u3400-\u9fff]{{1,64}}{_PART}{{0,64}}/{_PARTS}", _absolute_holds, needs=("/",)),
    rule(
        rf"(?<![A-Za-z0-9_./\\])(?:~[a-z0-9_-]{{0,32}}|\.{{1,2}})(?:[/\\]{{1,4}}{_WIDE}{{1,255}}){{1,64}}{_LINE}",
        lambda found: re.search("[A-Za-z]", found.group()) is not None,
        needs=("/", "\\"),
    ),
    rule(rf"{_START}//[A-Za-z0-9][A-Za-z0-9._-]{{0,62}}/{_PARTS}", needs=("//",)),
    rule(r"(?<=[A-Za-z0-9])://?/(?P<secret>[^\s\"'<>，。；]{1,1024})", needs=(":/",)),
    rule(
        r"(?<![A-Za-z0-9_])[A-Za-z]:(?:\\{1,4}|/(?!/))(?:[^\\/:*?\"<>|\r\n\t，。；！？（）“”‘’']{1,128}[\\/]{1,4})*+[^\\/:*?\"<>|\s，。；！？（）“”‘’']{0,255}"
        + _LINE,
        _drive_holds,
        needs=(":\\", ":/"),
    ),
    rule(
        r"(?:(?<![\\A-Za-z0-9_])(?<![A-Za-z]:)|(?<=\\[nrt]))\\{2,8}[A-Za-z0-9?.][A-Za-z0-9_.?$-]{0,62}\\{1,4}(?:[^\\/:*?\"<>|\r\n\t，。；！？（）“”‘’']{1,128}\\{1,4})*+[^\\/:*?\"<>|\s，。；！？（）“”‘’']{0,255}\\{0,4}",
        needs=("\\\\",),
    ),
    rule(
        r"%(?:appdata|localappdata|programdata|programfiles(?:\(x86\))?|userprofile|systemroot|windir|temp|tmp|homepath|public|allusersprofile|commonprogramfiles)%(?:[\\/]{1,4}[^\\/:*?\"<>|\s，。；]{1,255}){0,32}",
        needs=("%",),
    ),
    rule(
        r"\$(?:\{?(?:HOME|PWD|TMPDIR|GOPATH|JAVA_HOME|VIRTUAL_ENV|XDG_[A-Z_]{1,24})\}?|env:[A-Za-z]{1,32})(?:[\\/]"
        + _WIDE
        + r"{1,255}){1,32}",
        needs=("$",),
    ),
    rule(r"(?<![A-Za-z0-9_./\\-])(?:HKEY_[A-Z_]{4,32}|HK(?:LM|CU|CR|U))\\[^\s\"'，。；]{1,512}", needs=("hk",)),
    rule(
        rf"(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9_.-]{{1,128}}[/\\]{{1,4}}){{0,32}}{_PRIVATE_FILE}(?:[/\\]{_PART}{{1,128}}){{0,16}}(?![A-Za-z0-9_-])",
        needs=(
            ".env",
            ".ssh",
            ".aws",
            ".kube",
            ".docker",
            ".gnupg",
            ".git",
            ".azure",
            ".config",
            "rc",
            ".pgpass",
            ".cnf",
            "history",
            "htpasswd",
            "vault",
            ".boto",
            "s3cfg",
            "id_",
            ".pem",
            ".key",
            ".p12",
            ".pfx",
            ".jks",
            "keystore",
            ".ppk",
            ".kdbx",
            ".crt",
            ".ovpn",
            "secret",
            "credential",
            "password",
            "shadow",
            "kubeconfig",
            "account",
        ),
    ),
    rule(
        rf"(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9_.@<>-]{{1,128}}[/\\]{{1,4}}){{0,32}}[A-Za-z0-9_.@$<>-]{{1,128}}\.{SOURCE}(?:[:(]\d{{1,7}}(?:[:,]\d{{1,7}})?\)?|[\"']?,? (?:on )?line \d{{1,7}}|[ ]?第[ ]?\d{{1,7}}[ ]?行|:(?:line|行号)[ ]\d{{1,7}})",
        needs=(".",),
    ),
    rule(
        rf"(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9_.@-]{{1,128}}[/\\]){{0,32}}(?:site-packages|dist-packages|node_modules|vendor|__pycache__|src/main/java|target/classes)(?:[/\\]{_PART}{{1,128}}){{0,32}}",
        needs=("packages", "node_modules", "vendor", "__pycache__", "src/main", "target"),
    ),
    rule(
        rf"(?<![A-Za-z0-9_.@/\\-])(?:package:)?(?:[A-Za-z0-9_.@-]{{1,64}}[/\\]){{1,16}}[A-Za-z0-9_.-]{{1,64}}\.{SOURCE}(?![A-Za-z0-9_/-])",
        lambda found: not found.group().lower().endswith((".m", ".s", ".c", ".h", ".r", ".cs")),
        needs=("/", "\\"),
    ),
    rule(
        rf"[\"'](?P<secret>[A-Za-z0-9_-]{{1,64}}\.{SOURCE})[\"'](?=[\]:)])",
        needs=('"]', "']", '":', "':", '")', "')"),
    ),
    rule(BEFORE + r"webpack(?:-internal)?:/{2,3}[^\s\"'()]{1,512}", needs=("webpack",)),
)

SPARED: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?<![A-Za-z0-9_./\\-])/{VIRTUAL}(?:/{_WIDE}{{1,255}}){{0,32}}/?(?![A-Za-z0-9_])",
        lambda found: ".." not in found.group(),
        needs=("/",),
    ),
)
