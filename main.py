"""Starts the server: settings → objects → application. Importing this module defines functions and does nothing else.

`python main.py` serves; `uvicorn --factory main:build` does the same under foreign process managers.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Final

import structlog
import uvicorn
from fastapi import FastAPI
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.errors import GraphBubbleUp
from sqlalchemy import text
from typing_extensions import override

from agents.agent_memory import open_checkpointer
from agents.guards.ports import AgentPorts
from agents.offline_model import OFFLINE
from agents.policy_check import check_policies
from agents.profiles import load_profiles
from agents.roster import build_roster
from algorithms.airflow_review.documents.document import InputError
from algorithms.airflow_review.documents.page_drawing import draw_page
from algorithms.airflow_review.documents.page_picture import PictureError
from algorithms.airflow_review.documents.scan.packages import missing_packages
from api.after_run import AfterRun
from api.answer_guards import AnswerGuards, rules_of
from api.app import create_app
from api.approval_book import ApprovalBook
from api.approval_expiry import ApprovalExpiry
from api.errors import RefusedError
from api.guard_record import GuardRecord
from api.page_pictures import Box, PagePictures
from api.receipt_book import ReceiptBook
from api.review_desk import ReviewDesk
from api.run_budget import LedgerBudget
from api.run_hub import RunHub
from api.run_records import RunRecords
from api.services import Services
from api.tool_cards import ToolCards
from api.tool_ledger import ToolLedger
from api.turn import TurnLimits
from api.turn_facts import TurnFacts
from api.turn_runner import TurnRunner
from api.workspace_files import WorkspaceFiles
from billing.meter import UsageMeter
from billing.prices import SHIPPED, PriceTable
from config import PROJECT_ROOT, Configuration, Settings, explain, get_configuration
from db.approval_store import ApprovalStore
from db.audit_outbox import AuditOutbox
from db.audit_store import AuditStore
from db.call_ledger import CallLedgerStore
from db.db_conn import Database, utc_now
from db.file_store import FileStore
from db.guard_store import GuardStore
from db.message_store import MessageStore
from db.review_store import ReviewStore
from db.run_event_store import RunEventStore
from db.run_store import RunStore
from db.session_store import SessionStore
from db.usage_ledger import UsageLedger
from extensions.loader import load_extensions
from obs.logs import configure
from obs.metrics import ToolMetrics
from scheduler.anchors import AnchorFile
from scheduler.audit_keeper import AuditKeeper, Rhythm
from scheduler.audit_relay import AuditRelay
from scheduler.audit_sinks import build_sinks
from tools.critical_fields import ALL_PATTERNS
from tools.invocation import Ports
from tools.registry import ToolRegistry, load_builtin_tools

log = structlog.get_logger(__name__)

_STOP_S: Final = 5
_EXPIRY_POLL_S: Final = 5.0
# Libraries that report their ordinary work as news.
_TALKATIVE: Final = ("alembic", "deepagents", "httpx", "httpx2", "uvicorn")
_LOCK_FILE: Final = "server.lock"
_SAMPLING_KEY_FILE: Final = "sampling.key"
_PICTURE_PROCESSES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessCheck:
    """Whether this process is alone on its data. The open file is the claim: the system drops it when the process dies."""

    claim: IO[str]
    owns_data: bool
    warnings: tuple[str, ...]


def build(configuration: Configuration | None = None) -> FastAPI:
    """The application. Nothing is opened before it is served."""
    known = configuration or get_configuration()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        configure(known.settings.log_level, known.settings.log_format)
        for library in _TALKATIVE:
            logging.getLogger(library).setLevel(logging.WARNING)
        for conflict in known.conflicts:
            log.warning(
                "config_conflict",
                setting=conflict.key,
                effective_source=conflict.effective_source,
                effective=conflict.effective,
                ignored=conflict.ignored,
            )
        async with AsyncExitStack() as stack:
            app.state.services = await open_services(known, stack)
            log.info("server_started", model_mode=known.settings.model_mode)
            yield
        log.info("server_stopped")

    return create_app(
        lifespan=lifespan,
        static_path=PROJECT_ROOT / "static",
        body_limit_mb=known.settings.tfagents_max_upload_mb,
    )


async def open_services(configuration: Configuration, stack: AsyncExitStack) -> Services:
    """Open everything a request may need; `stack` closes it in reverse.

    Raises:
        OSError: The data folder cannot be written.
        PriceError: A price file is wrong.
        ProfileError: A profile is wrong, or its policy names something that nobody registered.
    """
    settings = configuration.settings
    check = _check_single_process(settings)
    stack.callback(check.claim.close)
    for warning in check.warnings:
        log.warning("not_single_process", reason=warning)

    database = Database(settings.database_url, settings.db_threads)
    stack.push_async_callback(database.close)
    await database.start()
    file_threads = ThreadPoolExecutor(settings.file_threads, thread_name_prefix="file")
    stack.callback(file_threads.shutdown)
    # Each thread waits for a process that draws a page.
    picture_threads = ThreadPoolExecutor(_PICTURE_PROCESSES, thread_name_prefix="picture")
    stack.callback(partial(picture_threads.shutdown, cancel_futures=True))
    checkpointer = await stack.enter_async_context(open_checkpointer(settings.data_path / "checkpoints.sqlite3"))

    profiles = load_profiles(settings.profiles_path)
    policies = {name: profile.policy.tools for name, profile in profiles.items()}
    sinks = build_sinks(settings.audit_sinks)
    runs, calls = RunStore(database), CallLedgerStore(database, sinks=[sink.name for sink in sinks])
    if check.owns_data and (open_calls := await calls.close_lost()):
        log.warning("lost_calls_closed", count=open_calls)
    live = settings.model_name if settings.model_mode == "live" else OFFLINE
    models = {name: OFFLINE if profile.stays_local else live for name, profile in profiles.items()}
    metrics = ToolMetrics()
    registry = ToolRegistry(
        Ports(
            ledger=ToolLedger(calls),
            facts=TurnFacts(runs=runs, calls=calls, policies=policies, models=models),
            metrics=metrics,
        ),
        threads=settings.tool_threads,
        pass_through=(GraphBubbleUp,),
    )
    stack.callback(registry.close)
    stack.push_async_callback(registry.invoker.drain)
    load_builtin_tools(registry)
    load_extensions(registry)
    registry.check_complete()
    ledger = UsageLedger(database)
    own_prices = [Path(settings.prices_file)] if settings.prices_file else []
    meter = UsageMeter(ledger, PriceTable.load(*own_prices, SHIPPED))
    receipts, reviews = ReceiptBook(GuardStore(database)), ReviewStore(database)
    ALL_PATTERNS.freeze()
    check_policies(profiles, registry)
    agents = build_roster(
        profiles,
        settings=settings,
        registry=registry,
        ports=AgentPorts(budget=LedgerBudget(meter, calls), receipts=receipts),
        checkpointer=checkpointer,
        skills_path=PROJECT_ROOT / "skills",
    )

    sessions, messages, files = SessionStore(database), MessageStore(database), FileStore(database)
    workspace = WorkspaceFiles(settings.data_path, file_threads)
    desk = ReviewDesk(reviews)
    records = RunRecords(
        sessions=sessions, messages=messages, runs=runs, events=RunEventStore(database), owner=_process_name()
    )
    hub = RunHub(
        runner=TurnRunner(
            agents=agents,
            meter=meter,
            files=files,
            workspace=workspace,
            cards=ToolCards(registry.descriptors),
            record=GuardRecord(calls, desk),
            after=AfterRun(desk, reviews, calls=calls, frames=records.frames, key=_sampling_key(settings)),
            receipts=receipts,
            answers=AnswerGuards(profiles, registry),
        ),
        records=records,
        limits=TurnLimits(
            window_tokens=settings.model_context_window,
            run_timeout_s=settings.run_timeout_s,
            approval_wait_s=settings.approval_wait_s,
        ),
        rules=rules_of(profiles, models, registry),
    )
    stack.push_async_callback(hub.close)
    audit, outbox, anchors = AuditStore(database), AuditOutbox(database), AnchorFile(settings.anchor_path)
    if check.owns_data:
        names = [sink.name for sink in sinks]
        keeper = AuditKeeper(audit, outbox, anchors, sinks=names, rhythm=_rhythm(settings), on_figures=metrics.audit)
        _start_task(stack, keeper.run())
        _start_task(stack, AuditRelay(outbox, sinks, poll_s=settings.audit_poll_s).run())
    if check.owns_data and (lost := await hub.recover()):
        log.warning("lost_runs_ended", count=lost)
    approvals = ApprovalBook(
        ApprovalStore(database, calls), registry=registry, policies=policies, valid_s=settings.approval_valid_s
    )
    expiry = ApprovalExpiry(hub=hub, book=approvals, runs=runs, sessions=sessions, poll_s=_EXPIRY_POLL_S)
    if check.owns_data:
        _start_task(stack, expiry.run())
    return Services(
        configuration=configuration,
        sessions=sessions,
        messages=messages,
        files=files,
        runs=runs,
        records=records,
        ledger=ledger,
        hub=hub,
        approvals=approvals,
        expiry=expiry,
        audit=audit,
        anchors=anchors,
        reviews=reviews,
        registry=registry,
        agents=agents,
        profiles=profiles,
        workspace=workspace,
        pictures=PagePictures(_draw_page, picture_threads),
        started_at=utc_now(),
        process_warnings=check.warnings,
        readiness=_readiness(database, checkpointer, registry, workspace, settings),
        reads_scans=settings.airflow_ocr and not missing_packages(),
    )


def _sampling_key(settings: Settings) -> bytes:
    """The key that review samples are drawn by: kept, so that a run is drawn or not however often one asks."""
    file = settings.data_path / _SAMPLING_KEY_FILE
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
            new.write(secrets.token_bytes(32))
    except FileExistsError:
        pass
    return file.read_bytes()


def _start_task(stack: AsyncExitStack, work: Coroutine[object, object, None]) -> None:
    task = asyncio.create_task(work)

    async def stop() -> None:
        task.cancel()
        await asyncio.wait([task])

    stack.push_async_callback(stop)


def _rhythm(settings: Settings) -> Rhythm:
    return Rhythm(
        poll_s=settings.audit_poll_s,
        anchor_rows=settings.audit_anchor_rows,
        anchor_s=settings.audit_anchor_s,
        retention_days=settings.audit_retention_days,
    )


def main() -> int:
    """Serve until told to stop; the exit code is not 0 if the start failed."""
    try:
        configuration = get_configuration()
        build_sinks(configuration.settings.audit_sinks)
    except ValueError as error:
        sys.stderr.write(f"配置有误，服务没有启动：{explain(error)}\n")
        return 2
    settings = configuration.settings
    app = build(configuration)
    server = _Server(
        app,
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            loop="uvloop",
            http="httptools",
            # Explicit, or the library would take WEB_CONCURRENCY as an order.
            workers=1,
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=_STOP_S,
        ),
    )
    server.run()
    return 0 if server.started else 1


class _Server(uvicorn.Server):
    """Says where it listens, once it does; before it stops, runs tell their readers, or these would keep it waiting."""

    def __init__(self, app: FastAPI, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"deep_agent: http://{self.config.host}:{self.config.port}\n")
            sys.stdout.flush()

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._app.state.services.hub.close()
        await super().shutdown(sockets)


def _draw_page(path: Path, number: int, boxes: Sequence[Box], scale: float) -> tuple[bytes, float]:
    """A page as PNG with its scale; what the document says no to becomes an answer of the API."""
    try:
        picture = draw_page(path, number, boxes, scale=scale)
    except PictureError as error:
        raise RefusedError(error.problem, name=path.name, page=number, pages=error.pages) from error
    except InputError as error:
        raise RefusedError("document_unreadable", name=path.name, reason=error.message, hint=error.hint) from error
    return picture.png, picture.scale


def _check_single_process(settings: Settings) -> ProcessCheck:
    """Claim the data folder, and find out who else might work on it.

    Checkpoints, the queue of a session and the live streams belong to one process; several would not see each other's.
    """
    settings.data_path.mkdir(parents=True, exist_ok=True)
    claim = (settings.data_path / _LOCK_FILE).open("a+", encoding="utf-8")
    warnings = []
    if settings.web_concurrency > 1:
        warnings.append(f"WEB_CONCURRENCY={settings.web_concurrency}：当前版本只支持单进程，请改为 1。")
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        owns_data = True
    except OSError:
        owns_data = False
        claim.seek(0)
        other = claim.read().strip() or "未知"
        warnings.append(f"另一个服务进程（{other}）正在使用同一数据目录；请停掉其中一个，或设置不同的 DATA_DIR。")
    if owns_data:
        claim.truncate(0)
        claim.write(_process_name())
        claim.flush()
    return ProcessCheck(claim=claim, owns_data=owns_data, warnings=tuple(warnings))


def _process_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _readiness(
    database: Database,
    checkpointer: AsyncSqliteSaver,
    registry: ToolRegistry,
    workspace: WorkspaceFiles,
    settings: Settings,
) -> Mapping[str, Callable[[], Awaitable[None]]]:
    async def check_database() -> None:
        await database.read(lambda connection: connection.execute(text("SELECT 1")).scalar_one())

    async def check_checkpoints() -> None:
        await checkpointer.aget_tuple({"configurable": {"thread_id": "ready"}})

    async def check_tool_threads() -> None:
        if registry.abandoned_calls >= settings.tool_threads:
            raise RuntimeError(f"{registry.abandoned_calls} tool threads are stuck")

    return {
        "database": check_database,
        "checkpoints": check_checkpoints,
        "data_folder": partial(workspace.run, partial(_probe, settings.data_path)),
        "tool_threads": check_tool_threads,
    }


def _probe(folder: Path) -> None:
    with NamedTemporaryFile(dir=folder, prefix=".ready-") as file:
        file.write(b"1")


if __name__ == "__main__":
    sys.exit(main())
