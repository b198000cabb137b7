"""All settings, in one place: where they come from, their defaults, and what contradicts what.

`DEEP_AGENT_ENV_PRIORITY` decides between `.env` and the process environment: `dotenv` (default: the project's file wins
over a polluted shell), `process` (for variants started by hand), `none` (the file is ignored: tests, CI). A key that
both set to different values is a conflict: one warning, and listed masked in `/health`, in every mode.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

PROJECT_ROOT = Path(__file__).resolve().parent
PRIORITY_KEY = "DEEP_AGENT_ENV_PRIORITY"
Priority = Literal["dotenv", "process", "none"]
_SHOWN_TAIL = 4
_LONG_ENOUGH_FOR_A_TAIL = 12
_HALF_A_YEAR_DAYS = 184  # the longest six months there are, July to December
_CENTURY_DAYS = 36_525


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A key that `.env` and the process environment set to different values; values are masked."""

    key: str
    effective_source: Literal["dotenv", "process"]
    effective: str
    ignored: str


class Settings(BaseModel):
    """Every setting of the server. The defaults start a working server without any key, file or network."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, protected_namespaces=())

    host: str = Field("127.0.0.1", description="Address the server listens on.")
    port: int = Field(8080, ge=1, le=65535, description="Port the server listens on.")
    web_concurrency: int = Field(
        1, ge=1, description="Number of server processes; more than one is not supported yet and warned about."
    )
    data_dir: Path = Field(Path("data"), description="Database, checkpoints and workspaces; relative to the project.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="Least level that is logged.")
    log_format: Literal["console", "json"] = Field("console", description="Log lines for people or for machines.")

    openai_api_key: SecretStr = Field(
        SecretStr(""), description="Key of an OpenAI-compatible model; empty: the embedded offline model works."
    )
    openai_base_url: str = Field("", description="Address of the model's API; empty: the provider's own.")
    model_name: str = Field("gpt-5-mini", description="Name of the model.")
    model_context_window: int = Field(128_000, ge=8_000, description="Tokens the model can take in one call.")
    model_max_output_tokens: int = Field(4_096, ge=256, description="Tokens the model may answer in one call.")
    model_timeout_s: float = Field(120.0, gt=0, description="Seconds to wait for the next piece of an answer.")
    model_max_retries: int = Field(2, ge=0, le=10, description="New tries of a model call that failed before any text.")
    max_model_calls_per_run: int = Field(60, ge=1, description="Model calls one run may make.")
    prices_file: str = Field("", description="Price file of your own (TOML); empty: only the shipped prices hold.")
    approval_valid_s: float = Field(
        900.0, gt=0, description="Seconds within which an approved call has to be executed; later it is refused."
    )
    approval_wait_s: float = Field(
        259_200.0, gt=0, description="Seconds a call waits for a person; then it counts as rejected and its run ends."
    )
    run_timeout_s: float = Field(900.0, gt=0, description="Seconds one run may take.")

    ctx_compact_enabled: bool = Field(default=True, description="Summarise long histories (1) or let them grow (0).")
    ctx_compact_trigger: float = Field(0.85, gt=0, lt=1, description="Share of the window that starts a summary.")
    ctx_compact_keep: float = Field(0.10, gt=0, lt=1, description="Share of the window that is kept word for word.")

    profiles_dir: Path = Field(
        Path("agents/profiles"), description="Profiles of the agents, their policies included; relative to the project."
    )
    default_agent: str = Field("ventilation", description="Agent of a new session that names none.")
    tfagents_max_upload_files: int = Field(8, ge=1, description="Files one message may carry.")
    tfagents_max_upload_mb: int = Field(50, ge=1, description="Largest request body in MiB.")
    airflow_max_inline_items: int = Field(20, ge=1, description="Rows an airflow tool returns beside the file's path.")
    airflow_ocr: bool = Field(
        default=False,
        description='Recognise scanned pages (1); needs `pip install ".[ocr]"`; every value stays a manual check.',
    )
    sse_heartbeat_s: float = Field(10.0, gt=0, description="Seconds of silence before a comment keeps proxies awake.")
    admin_token: SecretStr = Field(
        SecretStr(""), description="Opens audit and other operators' pages; empty: they open on this machine only."
    )
    audit_sinks: str = Field(
        "",
        description="Where audit events are sent too: file:///path, syslog://host:port, syslog+tcp://host:port, https://…, separated by blanks.",
    )
    audit_anchor_file: Path = Field(
        Path("audit_anchors.jsonl"),
        description="Heads of the audit chains; relative to the data folder. Better on another disk or machine.",
    )
    audit_anchor_rows: int = Field(200, ge=1, description="Audit rows after which the chains are anchored.")
    audit_anchor_s: float = Field(600.0, gt=0, description="Seconds after which they are anchored anyway.")
    audit_retention_days: int = Field(400, description="Days audit rows are kept; half a year, 184 days, is the least.")
    audit_poll_s: float = Field(2.0, gt=0, description="Seconds between looks for audit events to send.")
    db_threads: int = Field(4, ge=1, description="Threads of the database pool.")
    file_threads: int = Field(4, ge=1, description="Threads of the pool for files.")
    tool_threads: int = Field(8, ge=1, description="Threads of the pool for tools.")

    @field_validator("audit_retention_days")
    @classmethod
    def _is_long_enough(cls, days: int) -> int:
        if not _HALF_A_YEAR_DAYS <= days <= _CENTURY_DAYS:
            raise ValueError(
                f"审计记录须保留 {_HALF_A_YEAR_DAYS} 天（六个月）至 {_CENTURY_DAYS} 天 / "
                f"audit rows are kept for {_HALF_A_YEAR_DAYS} days (six months) to {_CENTURY_DAYS} days"
            )
        return days

    @property
    def data_path(self) -> Path:
        """`data_dir`, absolute."""
        return self.data_dir if self.data_dir.is_absolute() else PROJECT_ROOT / self.data_dir

    @property
    def profiles_path(self) -> Path:
        """`profiles_dir`, absolute."""
        return self.profiles_dir if self.profiles_dir.is_absolute() else PROJECT_ROOT / self.profiles_dir

    @property
    def database_url(self) -> str:
        """Address of the business tables."""
        return f"sqlite:///{self.data_path / 'deep_agent.sqlite3'}"

    @property
    def anchor_path(self) -> Path:
        """`audit_anchor_file`, absolute."""
        return self.data_path / self.audit_anchor_file

    @property
    def model_mode(self) -> Literal["live", "offline"]:
        """`live` with a model key, else `offline`: the embedded model runs playbooks."""
        return "live" if self.openai_api_key.get_secret_value() else "offline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Settings with the story of where they came from."""

    settings: Settings
    priority: Priority
    conflicts: tuple[Conflict, ...]


def mask(value: str) -> str:
    """Hide a value; of a long one the last four characters stay, enough to tell two keys apart."""
    return "***" + (value[-_SHOWN_TAIL:] if len(value) >= _LONG_ENOUGH_FOR_A_TAIL else "")


def load(environ: Mapping[str, str], env_file: Path) -> Configuration:
    """Read settings from `env_file` and `environ` by the priority that `environ` names.

    Raises:
        ValueError: The priority is unknown, or a value does not fit its setting.
    """
    priority = environ.get(PRIORITY_KEY, "dotenv") or "dotenv"
    if priority not in {"dotenv", "process", "none"}:
        raise ValueError(f"{PRIORITY_KEY}={priority!r}: write dotenv, process or none")
    known = {name.upper(): name for name in Settings.model_fields}
    # `KEY=` is how people write "not set", in a file as in a shell.
    from_file = {k.upper(): v for k, v in dotenv_values(env_file).items() if v and k.upper() in known}
    from_process = {k.upper(): v for k, v in environ.items() if v and k.upper() in known}
    winner, loser = (from_file, from_process) if priority == "dotenv" else (from_process, from_file)
    merged = winner if priority == "none" else {**loser, **winner}
    source: Literal["dotenv", "process"] = "dotenv" if priority == "dotenv" else "process"
    conflicts = tuple(
        Conflict(key=key, effective_source=source, effective=mask(winner[key]), ignored=mask(loser[key]))
        for key in sorted(from_file.keys() & from_process.keys())
        if from_file[key] != from_process[key]
    )
    values: dict[str, object] = {known[key]: value for key, value in merged.items()}
    return Configuration(settings=Settings.model_validate(values), priority=priority, conflicts=conflicts)  # type: ignore[arg-type]


def explain(error: ValueError) -> str:
    """Why settings were refused, one sentence each, by their names; values are not repeated, they may be secrets."""
    if not isinstance(error, ValidationError):
        return str(error)
    said = [
        (".".join(map(str, fault["loc"])).upper(), fault["msg"].removeprefix("Value error, "))
        for fault in error.errors()
    ]
    return "\n".join(f"{name}: {reason}" for name, reason in said)


@cache
def get_configuration() -> Configuration:
    """The process's configuration, read once."""
    return load(os.environ, PROJECT_ROOT / ".env")


def get_settings() -> Settings:
    """The process's settings, read once."""
    return get_configuration().settings
