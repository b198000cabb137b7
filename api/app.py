"""Puts the application together: middleware, routes, errors, the page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from typing_extensions import override

from api import (
    approval_routes,
    audit_routes,
    chat_routes,
    docs_page,
    document_routes,
    errors,
    ops_routes,
    review_routes,
    run_routes,
    session_routes,
    usage_routes,
)
from api.middleware import (
    BodyLimitMiddleware,
    FaultMiddleware,
    HeadMiddleware,
    RequestIdMiddleware,
    SafeHeadersMiddleware,
)

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def create_app(*, lifespan: Lifespan, static_path: Path, body_limit_mb: int) -> FastAPI:
    """The application; whatever it works with is opened by `lifespan` and put on `app.state.services`."""
    app = FastAPI(
        title="deep_agent",
        version=ops_routes.VERSION,
        description="风量研判智能体服务。",
        lifespan=lifespan,
        docs_url=None,  # the usual pages load scripts from foreign hosts
        redoc_url=None,
    )
    errors.install(app)
    # The last one added is the outermost: every answer carries an id and the safe headers, also a refused body's.
    app.add_middleware(FaultMiddleware)
    app.add_middleware(HeadMiddleware)
    app.add_middleware(BodyLimitMiddleware, limit_mb=body_limit_mb)
    app.add_middleware(SafeHeadersMiddleware)
    app.add_middleware(RequestIdMiddleware)
    for routes in (
        chat_routes,
        run_routes,
        session_routes,
        document_routes,
        usage_routes,
        audit_routes,
        approval_routes,
        review_routes,
        ops_routes,
    ):
        app.include_router(routes.router)
    docs_page.install(app)
    _install_page(app, static_path)
    return app


def _install_page(app: FastAPI, static_path: Path) -> None:
    async def page() -> FileResponse:
        return FileResponse(static_path / "index.html", headers={"Cache-Control": "no-cache"})

    app.add_api_route("/", page, include_in_schema=False, response_class=FileResponse)
    app.mount("/static", _FreshFiles(directory=static_path, check_dir=False), name="static")


class _FreshFiles(StaticFiles):
    """Static files that a browser asks after each time, so that page and server never differ after an update."""

    @override
    def file_response(self, *args: Any, **kwargs: Any) -> Any:
        """As the parent, with the header that makes browsers revalidate."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response
