"""The interface documentation as a page of our own: no script, no foreign request, so it works on an intranet."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse


def install(app: FastAPI) -> None:
    """Serve `/docs`: every route with its parameters, from the same document as `/openapi.json`."""

    async def docs() -> HTMLResponse:
        return HTMLResponse(render(app.openapi()))

    app.add_api_route("/docs", docs, include_in_schema=False, response_class=HTMLResponse)


def render(document: dict[str, Any]) -> str:
    """The OpenAPI document as one HTML page."""
    sections = "".join(
        _operation(method, path, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    )
    info = document["info"]
    return (
        '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(info['title'])} · 接口文档</title>"
        '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/static/css/app.css"></head><body class="docs"><main>'
        f"<h1>{escape(info['title'])} {escape(info['version'])} · 接口文档</h1>"
        f'<p>{escape(info.get("description", ""))} 机器可读：<a href="/openapi.json">/openapi.json</a></p>'
        f"{sections}</main></body></html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = [
        (parameter["name"], parameter["in"], parameter.get("required", False))
        for parameter in operation.get("parameters", [])
    ]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        schema = content.get("schema", {})
        if "$ref" in schema:
            rows.append((schema["$ref"].rpartition("/")[2], "body", True))
        required = schema.get("required", [])
        rows += [(name, "form", name in required) for name in schema.get("properties", {})]
    items = "".join(
        f"<li><code>{escape(name)}</code>（{place}{'，必填' if required else ''}）</li>"
        for name, place, required in rows
    )
    listing = f"<ul>{items}</ul>" if items else ""
    return (
        f"<section><h2><code>{method.upper()} {escape(path)}</code></h2>"
        f"<p>{escape(operation.get('description', ''))}</p>{listing}</section>"
    )
