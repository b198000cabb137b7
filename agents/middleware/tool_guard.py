"""Puts the framework's own tools, and names that are no tools, under the wrapper that registered tools carry themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command
from typing_extensions import override

from agents.errors import SyncRunError, WorkspaceIdentityError
from obs.sanitize import redact_credentials
from tools.call import Call, Ended
from tools.context import current_context
from tools.descriptor import ToolTraits
from tools.invocation import ToolInvoker, new_call_id
from tools.judge import UNKNOWN_TOOL, Verdict
from tools.ports import Outcome
from tools.registered_tool import RegisteredTool
from tools.results import ToolPayload
from tools.session_facts import SessionFacts

_Result = ToolMessage | Command[Any]
_CATEGORY: Final = "framework"


class ToolGuardMiddleware(AgentMiddleware[Any, Any, Any]):
    """Stands innermost: what comes here is about to be executed."""

    def __init__(self, invoker: ToolInvoker, explain: Callable[[Exception, ToolCallRequest], ToolPayload]) -> None:
        """Make the guard.

        Args:
            invoker: The wrapper.
            explain: Says in our words why a framework tool did not do it.
        """
        super().__init__()
        self._invoker = invoker
        self._explain = explain

    @override
    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]) -> _Result:
        raise SyncRunError

    @override
    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        if isinstance(request.tool, RegisteredTool):
            return await handler(request)
        context, name = current_context(), request.tool_call["name"]
        call = Call(
            tool=ToolTraits(name=name, title=name, category=_CATEGORY),
            call_id=request.tool_call["id"] or new_call_id(),
            arguments=request.tool_call["args"],
            context=context,
            facts=await self._invoker.facts_of(context),
            is_counted=False,
        )
        fatal: list[WorkspaceIdentityError] = []

        async def work() -> Ended[_Result]:
            try:
                return _ended(await handler(request))
            except GraphBubbleUp:
                raise
            except WorkspaceIdentityError as error:
                fatal.append(error)  # our fault, and next to other people's files: the run ends
                return Ended(outcome=Outcome.FAILED, code="workspace_identity", payload={})
            except Exception as error:  # noqa: BLE001 - the framework's tools raise whatever they meet
                payload = self._explain(error, request)
                return Ended(outcome=Outcome.REFUSED, payload=payload, code=str(payload["code"]))

        ended = await self._invoker.govern(call, work, objection=_unknown(request, call.facts))
        if fatal:
            raise fatal[0]
        if ended.value is not None:
            return ended.value
        return ToolMessage(ended.text, name=name, tool_call_id=request.tool_call["id"], status="error")


def _ended(result: _Result) -> Ended[_Result]:
    if not isinstance(result, ToolMessage):
        return Ended(outcome=Outcome.OK, value=result)
    clean = result.model_copy(update={"content": redact_credentials(result.content)})
    return Ended(outcome=Outcome.REFUSED if result.status == "error" else Outcome.OK, value=clean)


def _unknown(request: ToolCallRequest, facts: SessionFacts) -> Verdict | None:
    if request.tool is not None:
        return None
    return Verdict(
        rule="existence",
        code=UNKNOWN_TOOL,
        message=f"没有名为 {request.tool_call['name']} 的工具",
        hint=f"可用的工具：{'、'.join(sorted(facts.policy.allow))}。需要的工具不存在时，直接告诉用户。",
    )
