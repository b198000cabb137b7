"""One table: what was refused or went wrong → status, code, words and remedy. Every answer has the same shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from db.errors import BadCursorError, ConflictError, DuplicateError, NotFoundError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One row of the table; `message` and `hint` may name facts in braces."""

    status: HTTPStatus
    message: str
    hint: str


_UNPROCESSABLE: Final = HTTPStatus.UNPROCESSABLE_ENTITY
_WORD_CHARS: Final = 200

REFUSALS: Final[Mapping[str, Refusal]] = {
    "empty_message": Refusal(_UNPROCESSABLE, "消息为空。", "请输入文字，或至少上传一个文件。"),
    "bad_form": Refusal(
        _UNPROCESSABLE, "请求不是可读的表单：{reason}", "请用 multipart/form-data 提交，字段见 /docs。"
    ),
    "text_too_long": Refusal(
        _UNPROCESSABLE, "一个文本字段超过 {limit_kb} KiB。", "请缩短文字，或把长内容存成文件后上传。"
    ),
    "bad_field": Refusal(_UNPROCESSABLE, "字段 {field} 的值 {value} 无效。", "可用的值：{allowed}。"),
    "bad_user_name": Refusal(_UNPROCESSABLE, "用户名无效。", "用户名为 1～64 个字符，不含控制字符。"),
    "too_many_files": Refusal(_UNPROCESSABLE, "一次最多上传 {limit} 个文件，收到 {count} 个。", "请分几条消息上传。"),
    "empty_file": Refusal(_UNPROCESSABLE, "文件“{name}”是空的。", "请确认文件内容后重新上传。"),
    "bad_file_name": Refusal(_UNPROCESSABLE, "文件名“{name}”不可用。", "请改成普通文件名（不含路径）后重新上传。"),
    "file_type_unsupported": Refusal(
        _UNPROCESSABLE, "文件“{name}”的类型不受支持。", "可上传的类型：{allowed}。请另存为其中一种后重新上传。"
    ),
    "file_content_mismatch": Refusal(
        _UNPROCESSABLE,
        "文件“{name}”的内容与扩展名 {suffix} 不符。",
        "请用原软件打开并另存为 {suffix} 格式，不要只改扩展名。",
    ),
    "body_too_large": Refusal(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "上传内容超过上限 {limit_mb} MiB。", "请压缩、拆分文件，或分几条消息上传。"
    ),
    "session_not_found": Refusal(
        HTTPStatus.NOT_FOUND, "没有会话 {session_id}，或它不属于当前用户。", "请不带 session_id 发送，以新建会话。"
    ),
    "thread_not_found": Refusal(
        HTTPStatus.NOT_FOUND, "没有线程 {thread_id}：线程号必须与会话号相同。", "请去掉 thread_id，只传 session_id。"
    ),
    "agent_not_found": Refusal(HTTPStatus.NOT_FOUND, "没有名为 {agent} 的智能体。", "可用的智能体：{known}。"),
    "operator_only": Refusal(
        HTTPStatus.FORBIDDEN,
        "此页面只供管理员使用。",
        "请在服务器本机访问，或携带 Authorization: Bearer <ADMIN_TOKEN>。",
    ),
    "run_not_found": Refusal(HTTPStatus.NOT_FOUND, "没有运行 {run_id}，或它不属于当前用户。", "请从会话中重新打开。"),
    "file_not_found": Refusal(HTTPStatus.NOT_FOUND, "会话中没有文件 {path}。", "请在会话的文件列表中选择。"),
    "document_not_found": Refusal(
        HTTPStatus.NOT_FOUND, "会话中没有资料 {document_id}。", "它可能已被删除；请在会话的资料列表中选择。"
    ),
    "document_has_no_pages": Refusal(
        _UNPROCESSABLE, "“{name}”没有页面图：只有 PDF 有固定的页。", "请按工作表、行号和引文对照原件。"
    ),
    "document_unreadable": Refusal(_UNPROCESSABLE, "“{name}”的页面无法显示：{reason}", "{hint}"),
    "page_not_found": Refusal(HTTPStatus.NOT_FOUND, "“{name}”没有第 {page} 页。", "它共有 {pages} 页。"),
    "bad_highlight": Refusal(
        _UNPROCESSABLE,
        "标示框“{value}”无效。",
        "格式为 x0,top,x1,bottom（磅，原点在页面左上角），且 x0 小于 x1、top 小于 bottom。",
    ),
    "highlight_off_page": Refusal(
        _UNPROCESSABLE, "标示框不在“{name}”第 {page} 页之内。", "请使用研判结果中该依据的页码和坐标。"
    ),
    "too_many_highlights": Refusal(_UNPROCESSABLE, "一页最多标示 {limit} 处，收到 {count} 处。", "请分几次查看。"),
    "pictures_busy": Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "正在绘制的页面太多。", "请稍后重试。"),
    "session_busy": Refusal(HTTPStatus.CONFLICT, "上一条消息还在处理中。", "请稍后再发，或先停止当前任务。"),
    "approval_pending": Refusal(HTTPStatus.CONFLICT, "有操作正在等待批准。", "请先批准或驳回，再发送新消息。"),
    "server_stopping": Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "服务正在停止。", "请稍后重试。"),
    "nothing_pending": Refusal(HTTPStatus.CONFLICT, "没有等待批准的操作。", "它可能已由他人处理；请刷新会话。"),
    "interrupt_not_found": Refusal(
        HTTPStatus.NOT_FOUND, "没有等待批准的操作 {interrupt_id}。", "它可能已由他人处理；请刷新会话。"
    ),
    "decision_conflict": Refusal(
        HTTPStatus.CONFLICT, "操作 {interrupt_id} 已有不同的决定。", "决定不能更改；请刷新会话查看结果。"
    ),
    "approval_expired": Refusal(
        HTTPStatus.CONFLICT, "等待批准的时间已过，操作按驳回处理，没有执行。", "如仍需要，请重新发送消息。"
    ),
    "self_approval": Refusal(
        HTTPStatus.FORBIDDEN,
        "该助手的操作不能由发起人自己批准或驳回，这个决定没有生效。",
        "请由另一位审批人在审批收件箱中决定；如不再需要，可以停止本次运行。",
    ),
    "policy_changed": Refusal(
        HTTPStatus.CONFLICT,
        "助手的规则在提出请求之后变了，这个决定没有生效。",
        "请刷新会话：仍需批准的操作请重新决定；已作废的请重新发送消息。",
    ),
    "args_changed": Refusal(
        HTTPStatus.CONFLICT,
        "操作 {interrupt_id} 与您看到的不一致：参数或助手的规则变了，这个决定没有生效。",
        "请刷新会话，核对后再决定。",
    ),
    "decision_not_allowed": Refusal(
        _UNPROCESSABLE, "操作 {interrupt_id} 不接受决定 {decision}。", "可用的决定：{allowed}。"
    ),
    "bad_decision": Refusal(_UNPROCESSABLE, "操作 {interrupt_id} 的决定不完整：{reason}", "请补全后重新提交。"),
    "review_not_found": Refusal(HTTPStatus.NOT_FOUND, "没有待复核的事项 {review_id}。", "请刷新复核列表。"),
    "review_decided": Refusal(
        HTTPStatus.CONFLICT, "事项 {review_id} 已有不同的结论。", "结论不能更改；请刷新复核列表查看。"
    ),
    "bad_filter": Refusal(
        HTTPStatus.BAD_REQUEST,
        "筛选条件 {field} 的值 {value} 无效。 / Filter {field} cannot be {value}.",
        "可用的值 / allowed: {allowed}",
    ),
    "bad_cursor": Refusal(HTTPStatus.BAD_REQUEST, "游标 {cursor} 无效。", "请从头读取，或使用接口返回的游标。"),
}


class RefusedError(Exception):
    """A request the client can mend; `code` names a row of `REFUSALS`, `words` fill its braces."""

    def __init__(self, code: str, /, *, details: Any = None, retry_after_s: int | None = None, **words: object) -> None:
        row = REFUSALS[code]
        shown = {name: _shorten(str(word)) for name, word in words.items()}
        self.code = code
        self.status = row.status
        self.message = row.message.format(**shown)
        self.hint = row.hint.format(**shown)
        self.details = details
        self.retry_after_s = retry_after_s
        super().__init__(self.message)


def _shorten(word: str) -> str:
    # Most of these words are what the client sent; it knows them, and they may be very long.
    return word if len(word) <= _WORD_CHARS else word[: _WORD_CHARS - 1] + "…"


STATUS_OF: Final[Mapping[type[Exception], tuple[HTTPStatus, str, str, str]]] = {
    NotFoundError: (HTTPStatus.NOT_FOUND, "not_found", "没有找到所请求的内容。", "它可能已被删除；请刷新后重试。"),
    DuplicateError: (HTTPStatus.CONFLICT, "duplicate", "该内容已经存在。", "请刷新后重试。"),
    BadCursorError: (HTTPStatus.BAD_REQUEST, "bad_cursor", "分页游标无效。", "请从第一页重新读取。"),
    ConflictError: (HTTPStatus.CONFLICT, "conflict", "内容已被同时修改。", "请刷新后重试。"),
}
"""Errors of lower layers that a client can meet; anything else is a fault of ours and answers 500 with an id."""

FAULT: Final = (
    "internal_error",
    "服务器内部错误。",
    "请稍后重试；若反复出现，请把 request_id 告诉管理员。",
)

_HTTP_WORDS: Final[Mapping[int, tuple[str, str, str]]] = {
    HTTPStatus.NOT_FOUND: ("not_found", "没有这个地址。", "接口列表见 /docs。"),
    HTTPStatus.METHOD_NOT_ALLOWED: ("method_not_allowed", "该地址不支持这种请求方法。", "接口列表见 /docs。"),
}


def error_body(
    code: str, message: str, hint: str, *, details: Any = None, request_id: str = "", request: Request | None = None
) -> dict[str, Any]:
    """The one shape of every error answer."""
    known = request_id or (getattr(request.state, "request_id", "") if request is not None else "")
    return {"error": {"code": code, "message": message, "hint": hint, "details": details, "request_id": known}}


def install(app: FastAPI) -> None:
    """Answer every exception in the one shape."""
    app.add_exception_handler(RefusedError, _answer_refused)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_http)
    for error_type, (status, code, message, hint) in STATUS_OF.items():

        async def answer(
            request: Request,
            error: Exception,
            status: HTTPStatus = status,
            words: tuple[str, str, str] = (code, message, hint),
        ) -> JSONResponse:
            log.info("request_refused", code=words[0], reason=str(error))
            return JSONResponse(error_body(*words, request=request), status)

        app.add_exception_handler(error_type, answer)


async def _answer_refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RefusedError)  # noqa: S101 - the handler is installed for this class
    headers = {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}
    body = error_body(error.code, error.message, error.hint, details=error.details, request=request)
    return JSONResponse(body, error.status, headers)


async def _answer_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - the handler is installed for this class
    faults = [{"field": ".".join(map(str, fault["loc"])), "reason": fault["msg"]} for fault in error.errors()]
    named = "、".join(dict.fromkeys(fault["field"] for fault in faults))
    body = error_body(
        "invalid_request", f"请求的字段不合要求：{named}。", "字段说明见 /docs。", details=faults, request=request
    )
    return JSONResponse(body, _UNPROCESSABLE)


async def _answer_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - the handler is installed for this class
    code, message, hint = _HTTP_WORDS.get(
        error.status_code, ("bad_request", "请求无法处理。", "请检查请求的格式；接口列表见 /docs。")
    )
    return JSONResponse(error_body(code, message, hint, request=request), error.status_code, error.headers)
