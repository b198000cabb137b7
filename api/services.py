"""What the routes work with, made once by `main` and handed to them through the application's state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast

from fastapi import Depends, Request

from agents.profiles import AgentProfile
from agents.session_agent import SessionAgent
from api.approval_book import ApprovalBook
from api.approval_expiry import ApprovalExpiry
from api.page_pictures import PagePictures
from api.run_hub import RunHub
from api.run_records import RunRecords
from api.workspace_files import WorkspaceFiles
from config import Configuration
from db.audit_store import AuditStore
from db.file_store import FileStore
from db.message_store import MessageStore
from db.review_store import ReviewStore
from db.run_store import RunStore
from db.session_store import SessionStore
from db.usage_ledger import UsageLedger
from scheduler.anchors import AnchorFile
from tools.registry import ToolRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything a request may need."""

    configuration: Configuration
    sessions: SessionStore
    messages: MessageStore
    files: FileStore
    runs: RunStore
    records: RunRecords
    ledger: UsageLedger
    hub: RunHub
    approvals: ApprovalBook
    expiry: ApprovalExpiry
    audit: AuditStore
    anchors: AnchorFile
    reviews: ReviewStore
    registry: ToolRegistry
    agents: Mapping[str, SessionAgent]
    profiles: Mapping[str, AgentProfile]
    workspace: WorkspaceFiles
    pictures: PagePictures
    started_at: datetime
    process_warnings: tuple[str, ...]
    """Why this is not the only process on its data; empty if it is."""
    readiness: Mapping[str, Callable[[], Awaitable[None]]]
    """Checks by name; one that raises makes the server not ready."""
    reads_scans: bool
    """Whether scanned pages are recognised: switched on, and installed."""


def _services(request: Request) -> Services:
    return cast("Services", request.app.state.services)


ServicesDep = Annotated[Services, Depends(_services)]
