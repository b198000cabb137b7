"""Addresses of machines: IP, hosts, URLs, connection strings."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from obs.sanitize.rule import AFTER, BEFORE, Rule, rule

_TOP: Final = (
    "com|net|org|edu|gov|mil|int|info|biz|name|pro|cn|hk|tw|mo|jp|kr|sg|my|th|vn|id|in|ru|ua|uk|de|fr|nl|it|es|eu|se|no|fi|dk|pl|cz|ch|at|be|us|ca|mx|br|ar|au|nz|za|"
    "io|ai|co|me|tv|cc|app|dev|cloud|tech|site|online|xyz|top|vip|shop|store|club|work|live|space|link|wang|ink|ltd|group|run|"
    "local|localdomain|localhost|internal|intranet|intra|private|lan|home|corp|svc|cluster|consul|arpa|example|test|invalid|onion|zone|host|node|pod|prod|staging"
)
_PORT: Final = r"(?::\d{2,5}|['\"]?,?\s{0,2}port\s?[=:]?\s?\d{2,5}|[ ]?端口[ ]?\d{2,5})"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62})"
_HOST: Final = rf"(?:{_LABEL}\.){{1,8}}(?:{_TOP})(?![A-Za-z0-9_-]|\.[A-Za-z0-9])"
# Names people give the one machine that does a job.
_SERVICE: Final = (
    "localhost|redis|mysql|mariadb|postgres|postgresql|pgsql|pg|pgbouncer|mongo|mongodb|kafka|zookeeper|zk|etcd|consul|nacos|vault|minio|rabbitmq|mq|nginx|gateway|proxy|"
    "elasticsearch|es|clickhouse|oracle|mssql|sqlserver|db|database|cache|api|web|backend|server|broker|memcached|ollama|vllm|milvus|qdrant|neo4j|prometheus|grafana|ldap|smtp|celery|host\\.docker\\.internal"
)
_JOB: Final = "db|redis|mysql|pg|postgres|mongo|mq|kafka|es|web|app|cache|gw|gateway|nas|srv|server|master|slave|k8s|etcd|nginx|proxy|host|vm|jump|bastion|node|worker|broker|nn|dn|gpu|cpu|dc"
_VERSION: Final = re.compile(
    r"(?:v|ver|version|release|版本号?|规则库|条款?|第|节|章|附录|section|clause|rule|appendix|figure|table|图|表)[ =:]{0,3}$",
    re.IGNORECASE,
)
_DOCUMENT: Final = re.compile(r"\.(?:pdf|docx?|xlsx?|csv|txt|md|png|jpe?g|json|html?|zip)$", re.IGNORECASE)


_HIGHEST_OCTET: Final = 255
_HIGHEST_PORT: Final = 65_535
_LOW_PORTS: Final = 999  # `run-3:12` is more often a place in a text
_HIGHEST_VERSION: Final = 99  # parts of 版本 2.3.1.0
_FEWEST_COLONS: Final = 6


def _address_holds(found: re.Match[str]) -> bool:
    parts = [int(part) for part in re.findall(r"\d+", found["address"])]
    if any(part > _HIGHEST_OCTET for part in parts):
        return False
    before = found.string[max(0, found.start() - 16) : found.start()]
    return _VERSION.search(before) is None or max(parts) > _HIGHEST_VERSION


def _v6_holds(found: re.Match[str]) -> bool:
    address = found["address"]
    if "::" not in address and address.count(":") < _FEWEST_COLONS:
        return False
    for text in (address, address.rstrip(":."), address.rstrip(".")):
        try:
            ipaddress.IPv6Address(text)
        except ValueError:
            continue
        return text != "::" and (text.startswith("::") or any(len(part) > 1 for part in text.split(":")))
    return False


def _single_holds(found: re.Match[str]) -> bool:
    name, port = found["name"], int(found["port"])
    if port > _HIGHEST_PORT:
        return False
    if re.fullmatch(_SERVICE, name, re.IGNORECASE):
        return True
    return (
        port > _LOW_PORTS
        and name.islower()
        and re.search("[a-z]", name) is not None
        and re.search(r"[0-9]|-", name) is not None
    )


def _labelled_holds(found: re.Match[str]) -> bool:
    value = found["secret"].strip("\"'")
    if found["sep"].strip() == "=" or found.group().lstrip()[-1:] in "\"'":
        return value.lower() not in {"none", "null", "true", "false"}
    return re.search(r"[0-9._-]", value.rstrip(".")) is not None and _DOCUMENT.search(value) is None


def _pair_holds(found: re.Match[str]) -> bool:
    return found["secret"].strip("'\"").lower() not in {"", "none", "null", "true", "false", "yes", "no"}


RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?<![A-Za-z0-9+.-])(?:jdbc:)?[a-z][a-z0-9+.-]{1,24}:(?://|\\/\\/)[^\s\"'<>`，。；、！？）】」”’\u4e00-\u9fff\ue000]{1,2048}",
        needs=("://",),
    ),
    rule(r"://[^\s/\"<>]{1,256}@[^\s\"'<>`，。；]{1,512}", needs=("://",)),
    rule(BEFORE + r"jdbc:[a-z0-9]{2,16}:[^\s\"'<>`，。；、\u4e00-\u9fff]{3,2048}", needs=("jdbc:",)),
    rule(
        r"(?<![A-Za-z0-9_.])(?:[A-Za-z][A-Za-z0-9_.-]{0,63}[/@])?(?P<address>(?:\d{1,3}(?:\.|。|\[\.\]|\(\.\))){3}\d{1,3})(?:/\d{1,2}|"
        + _PORT
        + r")?(?![A-Za-z0-9_]|\.\d)",
        _address_holds,
    ),
    rule(
        r"(?<![A-Za-z0-9_.])\[?(?P<address>(?:[0-9A-Fa-f]|::)[0-9A-Fa-f:.]{1,44})(?:%[A-Za-z0-9]{1,15})?\]?(?:/\d{1,3}|:\d{2,5})?(?![A-Za-z0-9_])",
        _v6_holds,
        needs=(":",),
    ),
    rule(BEFORE + r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}" + AFTER, needs=(":", "-")),
    rule(BEFORE + r"ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}[A-Za-z0-9.-]{0,64}", needs=("ip-",)),
    rule(r"(?:ip|host|addr(?:ess)?|地址|主机)\W{0,4}(?P<secret>0x[0-9a-f]{8})" + AFTER, needs=("0x",)),
    rule(rf"(?<![A-Za-z0-9_.@/\\-])(?:\*\.)?{_HOST}{_PORT}?(?:/[A-Za-z0-9_.~%&=?/-]{{0,512}})?", needs=(".",)),
    rule(
        r"(?<![A-Za-z0-9_.-])(?P<secret>[A-Za-z0-9][A-Za-z0-9_.-]{1,253}): (?:name or service not known|no such host|nodename nor servname|temporary failure in name|unknown host)",
        needs=("name or service", "no such host", "nodename", "temporary failure", "unknown host"),
    ),
    rule(
        rf"(?<![A-Za-z0-9_./-])(?:[a-z0-9]{{1,32}}-){{0,4}}(?:{_JOB})(?:-[a-z0-9]{{1,32}}){{0,3}}-?[0-9]{{1,4}}(?:-[a-z0-9]{{1,8}}){{0,2}}(?![A-Za-z0-9_-])",
        lambda found: "-" in found.group(),
        needs=("-",),
        case=True,
    ),
    rule(
        r"(?:服务器|主机名?|节点|机器|(?<![A-Za-z])(?:server|host|hostname|node|machine|instance|pod))[ ]{0,2}[\"'“]?(?P<secret>[a-z][a-z0-9]{0,31}(?:-[a-z0-9]{1,31}){1,8}|[a-z]{2,16}[0-9]{1,4})(?![A-Za-z0-9_])",
        lambda found: re.search("[0-9]", found["secret"]) is not None,
        needs=("服务器", "主机", "节点", "机器", "server", "host", "node", "machine", "instance", "pod"),
    ),
    rule(
        BEFORE + r"(?:cn|ou|dc|uid|o)=[^,\s\"'=]{1,128}(?:,\s?(?:cn|ou|dc|uid|o|c|l|st)=[^,\s\"'=]{1,128}){1,16}",
        needs=("dc=", "ou=", "o="),
    ),
    rule(
        rf"(?<![A-Za-z0-9_.-]){_LABEL}(?:\.[A-Za-z0-9_-]{{1,63}}){{1,8}}:\d{{2,5}}(?![\d:.])",
        lambda found: (
            re.search(r"[A-Za-z]", found.group()) is not None
            and re.search(r"\.(?:py|js|ts|go|java|cs|php|rb|rs|c|cpp|md|txt|csv|json|ya?ml):", found.group()) is None
        ),
        needs=(":",),
    ),
    rule(
        r"(?<![A-Za-z0-9_.-])(?P<name>[A-Za-z][A-Za-z0-9-]{1,62}):(?P<port>\d{2,5})(?![\d:.A-Za-z])",
        _single_holds,
        needs=(":",),
    ),
    rule(
        rf"(?<![A-Za-z0-9_.-])(?:localhost|{_SERVICE}|[a-z0-9-]{{1,62}}[0-9-][a-z0-9]{{0,31}})(?:['\"]?,?\s(?:on\s)?port\s?[=:]?\s?\d{{2,5}}|[ ]?端口[ ]?\d{{2,5}})",
        needs=("port", "端口"),
    ),
    rule(BEFORE + r"localhost" + AFTER, needs=("localhost",)),
    rule(
        r"(?:getaddrinfo(?: (?:ENOTFOUND|EAI_AGAIN|failed for))?|ENOTFOUND|EAI_AGAIN|could not resolve(?: host(?:name)?)?:?|cannot resolve(?: host)?:?|unknown host:?|UnknownHostException:|"
        r"translate host name|name or service not known:?|no such host:?|lookup|(?:to|on|from) host(?:name)?|resolve(?: host)?|nodename nor servname[^:\n]{0,40}:|Temporary failure in name resolution:?|"
        r"Failed to connect to|could not connect to(?: server)?:?|connecting to|connection to|connect to|dial tcp|域名解析失败[：:]?|无法解析(?:主机|域名)?[：:]?|未知主机[：:]?)"
        r"\s{1,4}[\"'“‘(]?(?P<secret>(?=[A-Za-z0-9_.-]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9_.-]{1,253}(?::\d{2,5})?)(?=[\"'”’)\s:,;：，。；？]|$)",
        lambda found: (
            re.search(r"[0-9._-]|^(?:" + _SERVICE + r")$", found["secret"], re.IGNORECASE) is not None
            or found.string[found.start("secret") - 1] in "\"'“‘("
            or re.search(
                r"ENOTFOUND|EAI_AGAIN|UnknownHost|host|tcp",
                found.group()[: found.start("secret") - found.start()],
                re.IGNORECASE,
            )
            is not None
        ),
        needs=(
            "getaddrinfo",
            "enotfound",
            "eai_again",
            "host",
            "lookup",
            "resol",
            "connect",
            "dial",
            "service not known",
            "nodename",
            "解析",
            "主机",
        ),
    ),
    rule(
        r"(?:(?<![A-Za-z])(?:host(?:name|addr)?|server(?:name)?|addr(?:ess)?|endpoint|upstream|peer|remote(?:_addr)?|broker|brokers|node|bootstrap[._]servers|data source|network address|proxy|master|replica)|"
        r"主机|服务器|节点|地址|代理|网关)[\"']?(?P<sep>\s{0,2}[=:：]\s{0,2})(?P<secret>[\"']?[A-Za-z0-9][A-Za-z0-9_.:\\,-]{1,253})",
        _labelled_holds,
        needs=("=", ":"),
    ),
    rule(
        r"(?<![A-Za-z])(?:db(?:[_ ]?name)?|database(?:name)?|schema|tenant|initial catalog|user(?:[ _]?(?:id|name))?|login|uid|(?:storage)?accountname|sharedaccesskeyname|entitypath|service[_ ]name|sid|port|catalog|keyspace|vhost|bucket|topic|auth_?source)\s{0,2}=\s{0,2}(?P<secret>'[^'\n]{1,128}'|\"[^\"\n]{1,128}\"|"
        r"[^\s;,&\"'()（），。；\u4e00-\u9fff\ue000]{1,128})",
        _pair_holds,
        needs=("=",),
    ),
    rule(
        r"\([\"'](?P<secret>[A-Za-z0-9][A-Za-z0-9_.:%-]{1,253}[\"'], ?\d{2,5})[,)]",
        needs=("', ", '", ', "',", '",'),
    ),
    rule(
        BEFORE + r"(?:backend|upstream|server|cluster)[ ][\"'“]?(?P<secret>[A-Za-z0-9_.-]{2,63}/[A-Za-z0-9_.:-]{2,63})",
        lambda found: re.search("[0-9_]", found["secret"]) is not None,
        needs=("backend", "upstream", "server", "cluster"),
    ),
    rule(
        BEFORE
        + r"(?:upstream|host(?:name)?|backend|node|peer|broker)[ ]{0,2}(?P<secret>[\"'“][A-Za-z][A-Za-z0-9]{0,62}(?:[._-][A-Za-z0-9]{1,62}){1,8}[\"'”])",
        needs=("upstream", "host", "backend", "node", "peer", "broker"),
    ),
    rule(
        r"\((?:DESCRIPTION|ADDRESS|CONNECT_DATA)\s?=[^\n]{1,2000}\)", needs=("description", "address", "connect_data")
    ),
    rule(r"[A-Za-z0-9]的[ ]?(?P<secret>\d{2,5})[ ]?端口", needs=("端口",)),
    rule(BEFORE + r"arn:[a-z-]{3,12}:[a-z0-9-]{1,32}:[^\s\"'，。；]{1,512}", needs=("arn:",)),
    rule(
        r"(?:unix|ipc|npipe|pipe|tcp|udp|inet):[^\s\"'，。；\u4e00-\u9fff]{3,512}",
        lambda found: re.search(r"[/\\.]", found.group()) is not None,
        needs=("unix:", "ipc:", "pipe:", "tcp:", "udp:", "inet:"),
    ),
)
