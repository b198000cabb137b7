"""Keys, tokens, passwords, cookies and private keys: what opens a door to whoever reads it."""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from itertools import pairwise
from typing import Final

from obs.sanitize.rule import AFTER, BEFORE, Rule, rule
from obs.sanitize.words import NO_SECRET

_SHORTEST: Final = 4  # characters of a value behind a name and a sign
_SHORTEST_NUMBER: Final = 10  # shorter ones are counts: `max_tokens: 4096`
_SHORTEST_SPOKEN: Final = 8  # of a value that only follows the name in a sentence
_SURELY: Final = 16  # no word of prose is longer without a hyphen
_SHORTEST_DENSE: Final = 12
_DENSE_BITS: Final = 3.2
_RESTLESS: Final = 0.4  # changes between small letters, capitals and digits a sign; of random signs 0.6
_VENDOR: Final = (
    r"sk-[A-Za-z0-9_*-]{12,}",  # OpenAI, Anthropic, DeepSeek, Qwen and others
    r"(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9+/=]{16,}",  # Stripe
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}",
    r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]{1,32}){0,3}",
    r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}",  # Slack
    r"npm_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_-]{16,}|rubygems_[a-f0-9]{32,}|oy2[a-z0-9]{43}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}",
    r"hf_[A-Za-z0-9]{16,}|r8_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}|nvapi-[A-Za-z0-9_-]{20,}|tvly-[A-Za-z0-9-]{16,}",
    r"AIza[A-Za-z0-9_-]{24,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{16,}|1//0[A-Za-z0-9_-]{20,}",  # Google
    r"SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}|key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}|(?:AC|SK)[0-9a-f]{32}",  # mail and telephony
    r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA|AIPA|ANPA|ANVA)[A-Z0-9]{12,}|IQoJb3JpZ2lu[A-Za-z0-9+/=]{16,}|FwoGZXIvYXdz[A-Za-z0-9+/=]{16,}",
    r"amzn\.mws\.[0-9a-f-]{36}",
    r"LTAI[A-Za-z0-9]{12,}|STS\.N?[A-Za-z0-9]{16,}",  # Alibaba Cloud
    r"AKID[A-Za-z0-9]{12,}",  # Tencent Cloud
    r"AKLT[A-Za-z0-9_-]{16,}={0,2}|AKTP[A-Za-z0-9_-]{16,}",  # Volcengine, Kingsoft
    r"bce-v3/[A-Za-z0-9/_-]{16,}|ALTAK[A-Za-z0-9-]{12,}",  # Baidu
    r"JDC_[A-Z0-9]{16,}",
    r"[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,36}",  # Entra ID
    r"HRKU-[A-Za-z0-9_-]{20,}|cli_[0-9a-f]{16}|ding[0-9a-z]{16,40}",  # applications of Feishu and DingTalk
    r"HPUA[A-Z0-9]{16}",  # Huawei Cloud
    r"SEC[0-9a-f]{40,}",  # DingTalk robot
    r"do[opr]_v1_[a-f0-9]{32,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}|sq0[a-z]{3}-[A-Za-z0-9_-]{20,}|EAA[A-Za-z0-9]{40,}|dapi[0-9a-f]{32}",
    r"AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{16,}|lin_api_[A-Za-z0-9]{20,}|(?:ntn|secret)_[A-Za-z0-9]{30,}|figd_[A-Za-z0-9_-]{20,}|PMAK-[A-Za-z0-9-]{20,}",
    r"hv[sbr]\.[A-Za-z0-9_-]{20,}|AGE-SECRET-KEY-[A-Z0-9]{20,}|gl(?:sa|c)_[A-Za-z0-9_+/=]{20,}|sntry[su]_[A-Za-z0-9_+/=]{20,}|sbp_[a-f0-9]{32,}|NRA[KL]-[A-Z0-9]{20,}",
    r"dt0c01\.[A-Z0-9]{10,}\.[A-Z0-9]{20,}|pat-(?:na|eu)1-[0-9a-f-]{30,}|tk-us-[A-Za-z0-9_-]{30,}|lsv2_[a-z]{2}_[A-Za-z0-9_]{20,}|rnd_[A-Za-z0-9]{24,}",
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}",  # Telegram
    r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",  # Discord
)
_RANDOM: Final = re.compile(r"[0-9*]|[a-z][A-Z]|[A-Z]{2}[a-z]")
_STRONG_NAME: Final = (
    r"pass(?:word|wd|phrase|code|wort)|pwd|(?:app|client|corp|consumer|shared|webhook)?[ _-]?secret(?:[ _-]?(?:access)?[ _-]?key)?|"
    r"(?:account|access|secret|private|master|encryption|encrypt|signing|shared)[ _-]?key[ _-]?(?:secret|data|pem)?|requirepass|masterauth|(?:snmp[ _-]?)?community(?:[ _-]?string)?|(?:wifi|wpa|vpn|ipsec)?[ _-]?(?:pre-?shared[ _-]?key|psk)|"
    r"密码|口令|密钥|秘钥|私钥|暗号|passcode"
)
_WEAK_NAME: Final = (
    r"(?:(?:api|app|auth|account|access|private|session|storage|service|subscription|ssh|rsa|aes|hmac|client|consumer|license|licence|webhook|bot|"
    r"robot|map|server|send|ocp-apim-subscription|x-functions|instrumentation)[ _-]?key|[a-z]{0,24}token|credentials?|signature(?:[ _-]?(?:provided|value|v\d))?|sig|ticket|jwt|otp|auth[ _-]?code|"
    r"secret[ _-]?id|(?:access|private|secret|api|session)[ _-]?key[ _-]?id|x-[a-z-]{0,24}(?:key|auth|secret)|assertion|client[ _-]?assertion|code[ _-]?verifier|"
    r"令牌|凭证|凭据|票据|授权码|访问码|提取码|签名|访问密匙|密匙|动态码)"
)
# A verdict may stand between the name and the value: 密码错误：…, token rejected: …
_VERDICT: Final = r"(?:[ ]?(?:值|串|已?(?:变更|更改|修改|改|重置|设置|设|更新|初始化)|内容|原文|明文|错误|不正确|无效|有误|已?失效|已?过期|校验失败|不匹配|invalid|incorrect|rejected|expired|mismatch|error|value|was|hash))?"
_SEPARATOR: Final = r"""["'”’`)\]]{0,2}\s{0,4}(?P<sep>:=|=>|->|[:=]|是|为|成|is[ ]|was[ ]|(?:changed|set|reset|updated)[ ]to[ ])\s{0,4}"""
_VALUE: Final = r"""(?:(?:b|r)?"(?P<double>[^"\r\n]{1,512})(?:"|$)|b?'(?P<single>[^'\r\n]{1,512})(?:'|$)|[“‘「`]?(?P<bare>[^\s"'“”‘’`;&<>，。；、！？（）「」\u4e00-\u9fff]{1,512}))"""


def looks_random(text: str) -> bool:
    """Whether a text is more like a key than like words: digits, stars of a shortened key, or capitals inside."""
    return _RANDOM.search(text) is not None


def _value(found: re.Match[str]) -> str:
    return (found["double"] or found["single"] or found["bare"] or "").strip()


def _is_word_of_prose(value: str) -> bool:
    return value.rstrip(".,:;!?)]}").lower() in NO_SECRET


def _strong_holds(found: re.Match[str]) -> bool:
    value = _value(found)
    if not value or _is_word_of_prose(value) or value[0] in "\ue000{$<%":
        return False
    if not re.search("[:=>]", found["sep"]):
        return looks_random(value) and len(value) >= _SHORTEST
    return found["sep"] != "->" or looks_random(value)


def _is_no_count(value: str) -> bool:
    return looks_random(value) and re.search(r"[A-Za-z]", value) is not None and len(value) >= _SHORTEST


def _weak_holds(found: re.Match[str]) -> bool:
    value = _value(found).rstrip(".,")
    if len(value) < _SHORTEST or _is_word_of_prose(value) or value[0] in "\ue000{$<":
        return False
    if value.replace(",", "").replace(".", "").isdigit():
        return len(value) >= _SHORTEST_NUMBER and "," not in value
    if found["sep"] == "=":
        return True
    return looks_random(value) or len(value) >= _SURELY


def _spoken_holds(found: re.Match[str]) -> bool:
    value = found["secret"].rstrip(".,:")
    letters, digits = bool(re.search("[A-Za-z]", value)), bool(re.search("[0-9]", value))
    dated = re.match(r"(?:[A-Z]{1,6}-)?(?:19|20)\d{2}-?\d{2}", value) is not None
    if len(value) < _SHORTEST_SPOKEN or dated or value[0] == "/":
        return False
    return (letters and digits) or (len(value) >= _SURELY and looks_random(value)) or len(value) >= 2 * _SURELY


def _bearer_holds(found: re.Match[str]) -> bool:
    value = found["secret"]
    return looks_random(value) or re.search(r"[._~+/=]", value.rstrip(".")) is not None or len(value) >= _SURELY


def _cookie_holds(found: re.Match[str]) -> bool:
    return "=" in found["secret"]


def _session_holds(found: re.Match[str]) -> bool:
    value = found["secret"]
    if re.match(r"(?:19|20)\d{2}-?\d{2}-?\d{2}", value) or _UUID.fullmatch(value):
        return False
    if found.string[found.start("secret") - 1] == " " and len(value) < _SHORTEST_DENSE:
        return False  # "session ws-5d1c8a90" is a name
    if re.match(r"[\"']?session(?:_id\b|[ ])", found.group(), re.IGNORECASE) and re.fullmatch("[0-9a-f]{32}", value):
        return False  # ours, which the page and the log must be able to name
    return looks_random(value)


def entropy(text: str) -> float:
    """Shannon entropy in bits a character."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


_IDENTIFIED: Final = re.compile(
    r"(?:(?:run|trace|span|session|thread|turn|call|incident|request|message|file|task|job)(?:[_ -]?id)?|sha-?\d*|md5|digest|hash|commit|etag|checksum|revision|编号|摘要|校验和|哈希值?|指纹)(?:[ ](?:of|for)(?:[ ][a-z]{1,16}){1,3}|[ ]?(?:为|是|值))?\W{0,3}$",
    re.IGNORECASE,
)
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def _dense_holds(found: re.Match[str]) -> bool:
    token = found.group().strip("=-_")
    if _UUID.search(token) or not (re.search("[A-Za-z]", token) and re.search("[0-9]", token)):
        return False
    if re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", token) and _IDENTIFIED.search(
        found.string[max(0, found.start() - 64) : found.start()]
    ):
        return False
    longest = max(re.split(r"[/_.-]", token), key=len)
    return len(longest) >= _SHORTEST_DENSE and re.search("[0-9]", longest) is not None and entropy(token) >= _DENSE_BITS


def _padded_holds(found: re.Match[str]) -> bool:
    """Padded base64 that says something in ASCII: `user:password`, an escaped message."""
    try:
        plain = base64.b64decode(found.group(), validate=True)
    except ValueError:
        return False
    return plain.isascii() and plain.replace(b"\0", b"").decode("ascii").isprintable()


def _mixed_holds(found: re.Match[str]) -> bool:
    """Words in camel case change from one kind of sign to another at their borders only, keys everywhere."""
    token = found.group()
    kinds = ["d" if sign.isdigit() else "U" if sign.isupper() else "l" for sign in token]
    changes = sum(one != other for one, other in pairwise(kinds))
    return len(set(kinds)) == len("dUl") and changes >= _RESTLESS * len(token)


_PEM: Final = r"-{2,5}\s?BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET)[A-Z0-9 ]{0,20}-{2,5}"
_LABELLED: Final = [
    "key",
    "token",
    "secret",
    "pass",
    "pwd",
    "cred",
    "sig",
    "ticket",
    "jwt",
    "otp",
    "auth",
    "assertion",
    "verifier",
    "community",
    "psk",
    "密",
    "口令",
    "暗号",
    "令牌",
    "凭",
    "票据",
    "授权码",
    "访问码",
    "提取码",
    "签名",
    "动态码",
]

SHAPES: Final = (
    rule(_PEM + r"(?s:.){0,16384}?(?:-{2,5}\s?END [A-Z0-9 ]{0,60}-{2,5}|\Z)", needs=("begin ",)),
    rule(r"PuTTY-User-Key-File-(?s:.){0,16384}", needs=("putty-user",)),
    rule(BEFORE + "(?:" + "|".join(_VENDOR) + ")", lambda found: looks_random(found.group()[3:])),
    rule(r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{12,}(?:\.[A-Za-z0-9_-]{2,}){0,4}", needs=("eyj",), case=True),
)
"""Secrets with a shape of their own, found even where a line break cuts them."""

PLACES: Final = (
    rule(
        rf"(?:{_STRONG_NAME})[0-9]{{0,2}}{_VERDICT}{_SEPARATOR}(?P<secret>{_VALUE})",
        _strong_holds,
        needs=tuple(_LABELLED),
    ),
    rule(
        rf"(?:{_WEAK_NAME})[0-9]{{0,2}}{_VERDICT}{_SEPARATOR}(?P<secret>{_VALUE})", _weak_holds, needs=tuple(_LABELLED)
    ),
    rule(
        rf"(?:{_STRONG_NAME}|{_WEAK_NAME}|{BEFORE}[AS]K(?![A-Za-z0-9])|APIv3[ ]?密钥){_VERDICT}(?:[ ](?:is|of|id|value|ending))?[ ]{{0,2}}[\"'“‘「【(（`]?"
        r"(?P<secret>[A-Za-z0-9][A-Za-z0-9_.~+/=!#$%^&*@:-]{6,510}[A-Za-z0-9_=-])",
        _spoken_holds,
        needs=(*_LABELLED, "ak ", "sk "),
    ),
    # A sentence about the key, and after its colon the key: Password for user hr: …
    rule(
        r"(?:password|passwd|passphrase|secret|token|credentials?|(?:api|access|secret)[ _]?key(?:[ ]id)?)[ ](?:[A-Za-z_.@\ue000-]{1,24}[ ]){0,7}+[A-Za-z_.@\ue000-]{1,24}[:：][ ]?[\"'“]?(?P<secret>[A-Za-z0-9][^\s\"'“”，。；,;]{7,256})",
        _spoken_holds,
        needs=("pass", "secret", "token", "cred", "key"),
    ),
    rule(
        r"(?<![A-Za-z0-9])(?:pass|pw|psw|pswd)[ ]{1,2}(?P<secret>[^\s，。；,;]{8,128})",
        lambda found: _is_no_count(found["secret"]) and re.search("[0-9]", found["secret"]) is not None,
        needs=("pass ", "pw ", "psw ", "pswd "),
    ),
    # Names of the environment, and the same as elements: DB_PASS=…, <password>…</password>, key="Password" value="…"
    rule(
        rf"(?:(?<=[A-Za-z0-9][_.-])(?:auth|creds?)|(?<![A-Za-z0-9])(?:pass|pw|psw|pswd)){_SEPARATOR}(?P<secret>{_VALUE})",
        lambda found: _strong_holds(found) and _is_no_count(_value(found)),
        needs=("pass", "auth", "cred", "pw", "psw"),
    ),
    rule(
        rf"<(?:[A-Za-z0-9]{{1,16}}:)?[A-Za-z0-9_.-]{{0,40}}?(?:{_STRONG_NAME}|{_WEAK_NAME})[A-Za-z0-9_.-]{{0,16}}(?:\s[^<>\n]{{0,200}})?>\s{{0,4}}(?P<secret>[^<>\s][^<>]{{2,2000}})</",
        lambda found: not _is_word_of_prose(found["secret"]),
        needs=("</",),
    ),
    rule(
        rf"(?:name|key|id|property|字段|param)[\"']?\s{{0,2}}[:=]\s{{0,2}}[\"']?[A-Za-z0-9_.-]{{0,80}}?(?:{_STRONG_NAME}|{_WEAK_NAME}|_pass|_auth)[A-Za-z0-9_.-]{{0,16}}[\"']?,?\s{{1,40}}[\"']?(?:value|val|default|content|值)[\"']?\s{{0,2}}[:=]\s{{0,2}}[\"']?(?P<secret>[^\s\"'\n]{{3,2000}})",
        lambda found: not _is_word_of_prose(found["secret"]),
        needs=("val", "default", "content", "值"),
    ),
    rule(
        r"(?:tried|credentials?|user ?pass|user ?info|log ?in(?: as| with)?|auth)\s?[:=]?\s{1,2}[\"'“]?(?P<secret>[A-Za-z0-9_.@-]{1,64}:[^\s\"'”:]{4,128})",
        lambda found: looks_random(found["secret"].split(":", 1)[1]),
        needs=("tried", "cred", "pass", "user", "log", "auth"),
    ),
    rule(
        BEFORE + r"auth(?:s|\.json)?[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?P<secret>[A-Za-z0-9+/_-]{12,4096}={0,2})",
        lambda found: looks_random(found["secret"]),
        needs=("auth",),
    ),
    rule(
        BEFORE
        + r"(?:AUTH[ ](?:PLAIN|LOGIN|XOAUTH2|CRAM-MD5|NTLM|SCRAM-[A-Z0-9-]{1,16})|PLAIN|XOAUTH2)[ ](?P<secret>[A-Za-z0-9+/]{8,4096}={0,2})",
        lambda found: looks_random(found["secret"]),
        case=True,
        needs=("plain", "auth"),
    ),
    rule(rf"{BEFORE}[AS]K\s{{0,2}}[:=]\s{{0,2}}[\"']?(?P<secret>[A-Za-z0-9/+=_-]{{8,}})", needs=("ak", "sk")),
    rule(
        BEFORE
        + r"(?:bearer|basic|digest|negotiate|token|apikey|qbox|hmac|aws4-hmac-sha256|tc3-hmac-sha256|acs3-hmac-sha256)\s{1,8}[\"']?"
        r"(?P<secret>[A-Za-z0-9._~+/=*-]{8,})",
        _bearer_holds,
        needs=("bearer", "basic", "digest", "negotiate", "token", "apikey", "qbox", "hmac", "sha256"),
    ),
    rule(
        r"(?:proxy-)?authorization[\"']?\s{0,4}[:=]\s{0,4}b?[\"']?(?P<secret>(?!\ue000)[^\s\"',;]{3,}(?:[ ]{1,4}[^\s\"';]{6,}(?:,[ ]?[A-Za-z]{2,20}=[^\s;]{1,512}){0,12})?)",
        lambda found: not _is_word_of_prose(found["secret"].split()[0]),
        needs=("authorization",),
    ),
    rule(
        r"cookies?\d?[\"']?\s{0,4}(?:[:=]|值)\s{0,4}[\"'{]{0,2}(?P<secret>[\x20\x21\x23-\x26\x28-\x7e]{4,4096})",
        _cookie_holds,
        needs=("cookie",),
    ),
    rule(
        BEFORE
        + r"[A-Za-z0-9_.-]{0,24}(?:sess(?:ion)?(?:[_-]?id|data|key)?|sid|csrf[a-z]{0,12}|xsrf(?:-token)?|remember(?:_me|_token|me)?|_ga_?[a-z0-9]{0,12}|bduss|sess_?token)"
        r"[\"']?(?:\s{0,2}[=:]\s{0,2}|[ ])[\"']?(?P<secret>[A-Za-z0-9%._~+/|:=-]{8,512})",
        _session_holds,
        needs=("sess", "sid", "csrf", "xsrf", "remember", "_ga", "bduss"),
    ),
    rule(
        r"[?&#;](?:key|ak|sk|sign?|auth|code|ticket|secret|pwd|pass|token|hash|hmac|[a-z0-9_-]{0,24}(?:token|secret|password|signature|credential|accesskeyid|apikey|api_key)|"
        r"q-ak|q-key-time|x-amz-credential)=(?P<secret>[^\s&\"'<>#，。；]{4,2048})",
        lambda found: looks_random(found["secret"]) or len(found["secret"]) >= _SURELY,
        needs=("=",),
    ),
    rule(r"://(?:[^\s/?#\"'<>@:]{0,128}:)(?P<secret>[^\s\"'<>]{1,256})@", needs=("://",)),
    rule(r"://(?P<secret>[A-Za-z0-9_-]{16,256})(?::x-oauth-basic)?@", needs=("://",)),
    rule(
        r"(?<![A-Za-z0-9_./:-])[A-Za-z0-9_]{1,64}/(?P<secret>[^\s/@\"']{3,128})@(?=[A-Za-z0-9_.-]{2,253}[:/])",
        needs=("@",),
    ),
    rule(r"(?:thin|oci8?):[A-Za-z0-9_]{1,64}/(?P<secret>[^\s@\"']{1,128})@", needs=("thin:", "oci")),
    rule(
        r"(?:--?(?:password|passwd|pass|token|secret|api-key|apikey|auth|pw)[ =]|identified by |requirepass |\bAUTH )[\"']?(?P<secret>[^\s\"']{3,256})",
        lambda found: (
            not _is_word_of_prose(found["secret"]) and (found.group()[0] in "-iIrR" or looks_random(found["secret"]))
        ),
        needs=("-p", "-t", "-s", "-a", "by ", "requirepass", "auth "),
    ),
    rule(r"(?<![A-Za-z0-9-])(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:(?P<secret>[^\s\"']{3,128})", needs=("-u",)),
    rule(r"\bmysql[a-z]{0,8}[^\n]{0,80}?[ '\"]-p[\"']?(?P<secret>[^\s\"']{3,64})", needs=("mysql",)),
    rule(BEFORE + r"w[wxk][0-9a-f]{16}" + AFTER, needs=("wx", "ww", "wk")),
    rule(
        r"\.?[A-Za-z_-]{0,24}auth=(?P<secret>[A-Za-z0-9%._~+/|-]{12,2048})",
        lambda found: looks_random(found["secret"]),
        needs=("auth=",),
    ),
    rule(
        r"(?:hooks\.slack\.com/services|open\.feishu\.cn/open-apis/bot/v2/hook|discord(?:app)?\.com/api/webhooks|api\.telegram\.org/bot)/?(?P<secret>[A-Za-z0-9/_:-]{16,})",
        needs=("hook", "telegram"),
    ),
    rule(
        r"(?:验证码|校验码|动态密码|verification code|one-time code|OTP|PIN)(?:[ ]?(?:是|为|is|was))?[ :=]{0,3}(?P<secret>[0-9]{4,8})(?![0-9]|[ ]?(?:分|位|秒|min|digit|char))",
        needs=("码", "code", "otp", "pin"),
    ),
    rule(
        rf"{BEFORE}[A-Za-z0-9_-]{{38,42}}:[A-Za-z0-9_-]{{24,32}}=(?::[A-Za-z0-9+/=_-]{{8,}})?", case=True, needs=("=",)
    ),  # Qiniu
)
"""Secrets that only their place betrays: behind a name, in a header, in an address."""

DENSE: Final[tuple[Rule, ...]] = (
    rule(r"(?<![A-Za-z0-9+/_.-])[A-Za-z0-9+/_-]{32,8192}={0,2}" + AFTER, _dense_holds, case=True),
    rule(
        r"(?<![A-Za-z0-9+/_.=-])[A-Za-z0-9+/]{15,8192}={1,2}(?![A-Za-z0-9_=])", _padded_holds, case=True, needs=("=",)
    ),
    rule(r"(?<![A-Za-z0-9])[A-Za-z0-9]{16,31}(?![A-Za-z0-9])", _mixed_holds, case=True),
)
"""Long texts too dense for words. Not used on results, whose digests and encoded pictures look the same."""

SECRET_NAMES: Final = re.compile(
    r"(?:pass(?:word|wd|phrase|code)?|pwd|secret(?:access)?(?:key|id)?|(?<!max)(?<!total)(?<!prompt)(?<!completion)token|(?:api|app|access|private|auth|secret|account|session|"
    r"encryption|signing|master)key(?:id|secret|data)?|authorization|cookies?|credentials?|signature|jwt|bearer|密码|口令|密钥|秘钥|令牌|私钥)\d?$",
    re.IGNORECASE,
)
"""Names of fields, without `_`, `-` and spaces, whose whole value is a secret."""
