"""Accounts of databases, directories and clouds: who tried to come in."""

from __future__ import annotations

import re
from typing import Final

from obs.sanitize.rule import BEFORE, Rule, rule
from obs.sanitize.words import NO_NAME, NO_SECRET

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_.@$#\\-]{1,64}"
_UUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def _no_prose(found: re.Match[str]) -> bool:
    return found["secret"].strip("`\"'“”‘’[]").lower() not in NO_NAME | NO_SECRET


def _no_word(found: re.Match[str]) -> bool:
    """Names of accounts have signs or digits; a bare word behind "user" may be prose."""
    return re.search(r"[0-9_@$#\\]|\w-\w", found["secret"].rstrip(".-")) is not None and _no_prose(found)


RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?<![A-Za-z0-9_])(?P<secret>[A-Za-z_][A-Za-z0-9_.-]{1,64}): authentication failed",
        lambda found: found["secret"].lower() not in NO_NAME,
        needs=("authentication failed",),
    ),
    rule(
        r"(?:(?<![A-Za-z])(?:user|role|login|username|user name|account|principal|owner|uid|login name|登录名|用户名?|账号|帐号|角色))[\"']?[ ]{0,2}[:=]?[ ]{0,2}(?P<secret>['\"“‘「【\[](?=[A-Za-z_])[A-Za-z0-9_.@$#:\\-]{2,128}['\"”’」】\]](?:@['\"]?[A-Za-z0-9_.%:-]{1,128}['\"]?)?)",
        lambda found: found["secret"].strip("'\"“”‘’「」【】[]").lower() not in {"true", "false", "none", "null"},
        needs=('"', "'", "“", "‘", "「", "【", "["),
    ),
    rule(
        r"(?:登录名|用户名?|账号|帐号|账户|user[ _]?name)[ ]{0,2}[:=：是为]?[ ]{0,2}(?P<secret>[A-Za-z][A-Za-z0-9_.-]{1,64})",
        lambda found: re.search("[0-9_]", found["secret"]) is not None,
        needs=("登录名", "用户", "账", "帐号", "user"),
    ),
    rule(
        r"(?<![A-Za-z])user(?:[ _]?name)?\s?:\s?(?P<secret>[A-Za-z_][A-Za-z0-9_.-]{2,64})(?=\s?(?:$|[,;)\]}'\"，。；）]))",
        _no_prose,
        needs=("user",),
    ),
    rule(
        r"(?<![A-Za-z])(?:sudo|su|cron|CRON)(?:\[\d{1,7}\])?: \(?(?P<secret>[a-z_][a-z0-9_-]{1,31})\)? ",
        needs=("su", "cron"),
        case=True,
    ),
    rule(r"(?<![A-Za-z0-9_\\])[A-Z][A-Z0-9-]{1,15}\\{1,2}[A-Za-z][A-Za-z0-9_.$-]{2,64}", needs=("\\",), case=True),
    rule(r"(?:account|账号|账户)(?:[ _-]?id)?[ :=：]{0,3}(?P<secret>\d{12})(?![0-9])", needs=("account", "账")),
    rule(r"(?P<secret>'[A-Za-z0-9_.-]{1,64}'@'[A-Za-z0-9_.%:-]{1,128}')", needs=("'@'",)),
    rule(
        r"(?:authentication failed for|login failed for|access denied for|denied to|authenticate|logon denied for|invalid user|failed password for(?: invalid user)?)(?: user| role| account)?:? (?P<secret>[\"'“]?[A-Za-z_][A-Za-z0-9_.@\\$-]{1,64}[\"'”]?)",
        _no_prose,
        needs=("for", "denied", "authenticate", "invalid user"),
    ),
    rule(
        r"(?:client|app|account|tenant|subscription|device|mch|corp|agent|open|union|user|secret|key)[_-]?(?:id|key)[\"']?\s?[=:]\s?[\"']?(?P<secret>[A-Za-z0-9][A-Za-z0-9_.-]{5,127})",
        lambda found: (
            re.search("[0-9]", found["secret"]) is not None and re.search("[A-Za-z]", found["secret"]) is not None
        ),
        needs=("id", "key"),
    ),
    rule(
        rf"(?<![A-Za-z])(?:for|by|as|of|from|to|user(?:name)?|account|login|role|principal|tenant|owner|client|service account)[ ](?:user(?:name)?|account|role|login|principal|tenant|owner)?[ ]?(?P<secret>{_NAME})",
        lambda found: (
            re.search("user|account|role|login|principal|tenant|owner|client", found.group(), re.IGNORECASE) is not None
            and _no_word(found)
        ),
        needs=("user", "account", "role", "login", "principal", "tenant", "owner", "client"),
    ),
    rule(
        rf"(?:user|用户|租户|账号|帐号|tenant)[ ]?(?P<secret>{_NAME})",
        lambda found: re.search("[@#]", found["secret"]) is not None,
        needs=("user", "用户", "租户", "账号", "帐号", "tenant"),
    ),
    rule(
        BEFORE + rf"(?:User|Group|ServiceAccount):(?P<secret>{_NAME}(?::{_NAME}){{0,3}})",
        needs=("user:", "group:", "account:"),
        case=True,
    ),
    rule(
        rf"(?:auth(?:entication)?[ ]?(?:source|db|database)|on source)[ :=]{{1,3}}[\"']?(?P<secret>{_NAME})",
        needs=("source", "auth"),
    ),
    rule(
        rf"(?<![A-Za-z])(?:application|app|client|tenant|subscription|principal)(?:[ _-]?id)?[ :=]{{1,3}}[\"'(]?(?P<secret>{_UUID})",
        needs=("app", "client", "tenant", "subscription", "principal"),
    ),
    rule(
        r"(?:log ?on|log ?in|authentication) (?:failure|failed)[^\n]{0,80}? from (?P<secret>[A-Za-z][A-Za-z0-9-]{1,62}[0-9])"
        r"(?![A-Za-z0-9_.])",
        needs=(" from ",),
    ),
    rule(
        rf"(?:password|credentials?|authenticat[a-z]{{2,4}}|authorization|username|log ?[io]n|access|session|lock|transaction|connection|held)[^\n]{{0,48}}?[ ](?:for|of|by)[ ](?P<secret>{_NAME})",
        lambda found: re.search(r"[0-9_@\\]", found["secret"]) is not None and _no_prose(found),
        needs=(" for ", " of ", " by "),
    ),
    rule(
        r"(?:credential|secret|key ?pair|certificate)s?[^\n\"']{0,32}?(?P<secret>[\"'][A-Za-z][A-Za-z0-9]{0,62}(?:[-_.][A-Za-z0-9]{1,62}){1,8}[\"'])",
        needs=("credential", "secret", "pair", "certificate"),
    ),
    # Windows events: Account Name: liwei.adm  Account Domain: CORP
    rule(
        r"(?<![A-Za-z])(?:Account|User|Logon|Subject|Caller|Target|Client|Source|Computer|Workstation|Host)(?: (?:User|Account|Network|Computer|Server))? (?:Name|Domain|Address)\s{0,2}:\s{1,4}(?P<secret>[A-Za-z0-9_.$@\\-]{2,128})",
        _no_prose,
        needs=(" name", " domain", " address"),
        case=True,
    ),
    rule(
        r"<(?:[A-Za-z0-9]{1,16}:)?(?:user(?:name|id)?|login|account|principal|host(?:name)?|server|url|database|schema|dn|domain|mail|phone|mobile)>\s{0,4}(?P<secret>[^<>\s][^<>]{1,500})</",
        lambda found: found["secret"].isascii(),
        needs=("</",),
    ),
    rule(
        r"(?:操作员|操作人|登录人|管理员|租户|商户号?|属主|所有者|创建人|审批人)[ ]?[:：为是]?[ ]?[“「\"'（(]?(?P<secret>[A-Za-z][A-Za-z0-9_.@-]{2,64})",
        _no_word,
        needs=("操作", "登录", "管理", "租户", "商户", "属主", "所有", "创建", "审批"),
    ),
    rule(
        BEFORE + r"(?:workstation|computer|client)(?: ?name)?[ ]?[:=][ ]?(?P<secret>[A-Za-z][A-Za-z0-9-]{1,62})",
        needs=("workstation", "computer", "client"),
    ),
)
