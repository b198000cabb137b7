"""A run's frames as the body of an HTTP answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from fastapi.responses import StreamingResponse

from api.run_hub import Started
from api.services import Services
from api.sse_events import HEARTBEAT, sse_block
from db.records import RunEvent


def stream_run(
    services: Services, started: Started, *, session_id: str, with_ids: bool = False, stops_at_pause: bool = True
) -> StreamingResponse:
    """Follow a run from a frame on. The answer only reads the log: a client that leaves stops nothing."""
    heartbeat_s = services.configuration.settings.sse_heartbeat_s
    batches = services.hub.follow(
        started.run_id, after=started.after, heartbeat_s=heartbeat_s, stops_at_pause=stops_at_pause
    )
    return StreamingResponse(
        _write(batches, with_ids=with_ids),
        media_type="text/event-stream",
        headers={
            "Cache-Control": "no-cache, no-transform",
            "X-Accel-Buffering": "no",
            "X-Run-Id": started.run_id,
            "X-Session-Id": session_id,
        },
    )


async def _write(batches: AsyncIterator[Sequence[RunEvent]], *, with_ids: bool) -> AsyncIterator[bytes]:
    yield HEARTBEAT  # at once, so that proxies see the answer begin
    async for batch in batches:
        yield b"".join(sse_block(event.frame, event_id=event.seq if with_ids else None) for event in batch) or HEARTBEAT
