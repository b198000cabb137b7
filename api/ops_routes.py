"""Operations: alive, ready, what is installed, which agents and tools there are."""

from __future__ import annotations

import asyncio
import platform
from dataclasses import asdict
from importlib.metadata import version
from typing import Any, Final

import structlog
from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from api.services import ServicesDep
from db.db_conn import fmt_dt, utc_now
from obs.metrics import CONTENT_TYPE

log = structlog.get_logger(__name__)
router = APIRouter(tags=["operations"])

VERSION: Final = "2.0.0"
_PACKAGES: Final = ("deepagents", "langgraph", "langchain", "langchain-openai", "fastapi", "sqlalchemy")
_CHECK_S: Final = 5.0


@router.get("/health")
async def health(services: ServicesDep) -> dict[str, Any]:
    """Alive, and what an operator asks first; touches neither database nor model."""
    configuration, settings = services.configuration, services.configuration.settings
    return {
        "status": "ok",
        "version": VERSION,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}},
        "model_mode": settings.model_mode,
        "model_name": settings.model_name if settings.model_mode == "live" else None,
        "env_priority": configuration.priority,
        "config_conflicts": [asdict(conflict) for conflict in configuration.conflicts],
        "single_process": {"ok": not services.process_warnings, "warnings": list(services.process_warnings)},
        "limits": {
            "upload_files": settings.tfagents_max_upload_files,
            "upload_mb": settings.tfagents_max_upload_mb,
        },
        "reads_scans": services.reads_scans,
        "started_at": fmt_dt(services.started_at),
        "now": fmt_dt(utc_now()),
    }


@router.get("/ready", responses={503: {"description": "A check failed; the answer names it."}})
async def ready(services: ServicesDep) -> JSONResponse:
    """Whether requests can be served: database, checkpoints, a data folder that can be written."""
    names = list(services.readiness)
    results = await asyncio.gather(
        *(asyncio.wait_for(services.readiness[name](), _CHECK_S) for name in names), return_exceptions=True
    )
    checks = {name: "ok" if result is None else "failed" for name, result in zip(names, results, strict=True)}
    for name, result in zip(names, results, strict=True):
        if isinstance(result, BaseException):
            log.warning("not_ready", check=name, error=repr(result))
    is_ready = all(state == "ok" for state in checks.values())
    return JSONResponse(
        {"status": "ready" if is_ready else "not_ready", "checks": checks}, status_code=200 if is_ready else 503
    )


@router.get("/api/agents")
async def list_agents(services: ServicesDep) -> dict[str, Any]:
    """The agents a session can be opened with."""
    default = services.configuration.settings.default_agent
    return {
        "items": [
            {
                "name": profile.name,
                "title": profile.title,
                "description": profile.description,
                "examples": list(profile.examples),
                "tools": list(profile.tools),
                "approval": list(profile.policy.approval),
                "model_egress": profile.model_egress,
                "policy_version": profile.policy.version,
                "default": profile.name == default,
            }
            for profile in services.profiles.values()
        ],
        "default": default,
    }


@router.get("/api/tools")
async def list_tools(services: ServicesDep) -> dict[str, Any]:
    """Every registered tool, as the exposure list shows it."""
    return {
        "items": [
            {
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "category": tool.category,
                "feature": tool.feature,
                "write_action": tool.write_action,
                "destructive": tool.destructive,
                "control_tool": tool.control_tool,
                "effects": list(tool.effects),
                "timeout_s": tool.timeout_s,
                "idempotent": tool.idempotent,
                "version": tool.version,
                "schema": tool.schema,
            }
            for tool in services.registry.descriptors
        ],
        "nested_input": services.registry.input_report(),
    }


@router.get("/metrics", response_class=Response)
async def metrics(services: ServicesDep) -> Response:
    """Figures for Prometheus."""
    return Response(services.registry.metrics_text(), media_type=CONTENT_TYPE)
