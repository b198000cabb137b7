"""Command lines of clients: their options name hosts, accounts and passwords."""

from __future__ import annotations

from typing import Final

from obs.sanitize.rule import BEFORE, Rule, rule

_CLIENT: Final = (
    "psql|pg_dump(?:all)?|pg_restore|pg_basebackup|createdb|vsql|ksql|gsql|disql|obclient|mysql(?:dump|admin|import|binlog|sh)?|mariadb(?:-dump|-admin)?|mongo(?:sh|dump|restore|export|import)?|"
    "redis-cli|sqlplus|impdp|expdp|rman|sqlcmd|bcp|isql|clickhouse-client|beeline|cqlsh|influx|etcdctl|kafka-[a-z-]{3,40}|sshpass|ssh|scp|sftp|rsync|curl|wget|ldapsearch|ldapadd|kinit|smbclient|"
    "net use|xfreerdp|ossutil(?:64)?|coscmd|obsutil|mc|rclone|docker login|helm|vault|snmpwalk|ipmitool|ftp|lftp"
)
# The line ends where a sentence about it goes on.
_GOES_ON: Final = r"(?:exited|exit|failed|returned|timed|died|was|is|and|but|refused|->|=>|→)(?![A-Za-z0-9])"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"{BEFORE}(?:{_CLIENT})(?=(?:[ \t]{{1,4}}[^\s-]\S{{0,200}}){{0,4}}[ \t]{{1,4}}--?[A-Za-z])"
        rf"(?P<secret>(?:(?<!:)[ \t]{{1,4}}(?!{_GOES_ON})[^\s，。；！？（）：`\u4e00-\u9fff]{{1,300}}){{1,60}}+)",
        needs=(" -",),
        case=True,
    ),
    # Calls that open a connection: getConnection("jdbc:…", "sa", "…"), connect('db7', 'root', …)
    rule(
        rf"{BEFORE}(?:[A-Za-z_][A-Za-z0-9_]{{0,40}}?)?(?:connect|connection|login|authenticate|bind|__construct|engine|client|auth|credentials?|signin)(?:_[a-z]{{1,16}})?"
        r"\((?P<secret>[^()\n\"']{0,300}[\"'][A-Za-z0-9][^()\n]{0,600})\)",
        needs=("(",),
    ),
)
