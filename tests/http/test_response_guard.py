"""R-GRD-2, R-GRD-3: a critical number that differs from the tool's result is never shown; one that nothing bears out is marked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.model_server import Reply, WrittenServer, written_model
from tests.support.server import RunningServer, live_settings, of_type, running_server, text_of

REFERENCE = Path(__file__).resolve().parents[1] / "fixtures" / "airflow" / "reference"
Written = tuple[RunningServer, list[Reply], WrittenServer]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Written]:
    replies: list[Reply] = []

    def script(_body: dict[str, Any]) -> Reply:
        return replies.pop(0) if replies else Reply(text="好")

    data = tmp_path_factory.mktemp("guarded")
    with written_model(script) as model, running_server(data, **live_settings(model.base_url)) as server:
        yield server, replies, model


@pytest.fixture(scope="module")
def reviewed(written: Written) -> str:
    """A session in which the report was read: its totals are known to the guard."""
    server, replies, _ = written
    replies += [
        Reply(calls=(("airflow_report_parse", {"report_path": "/workspace/uploads/report.pdf"}),)),
        Reply(text="读完了。"),
    ]
    frames = server.chat("读报表", files=[("report.pdf", (REFERENCE / "report.pdf").read_bytes())])
    assert [frame["status"] for frame in of_type(frames, "tool_result")] == ["ok"], frames
    return str(frames[0]["session_id"])


def say(written: Written, session_id: str, text: str, ask: str = "总进风是多少") -> list[dict[str, Any]]:
    server, replies, _ = written
    replies.append(Reply(text=text))
    return server.chat(ask, session_id=session_id)


def test_r_grd_2_the_tools_figure_passes_in_any_spelling(written: Written, reviewed: str) -> None:
    for text in ("矿井总进风量为 35181 m³/min。", "矿井总进风量为 35,181 m³/min。", "总进风量约 3.52 万 m³/min。"):
        frames = say(written, reviewed, text)

        assert text_of(frames).strip() == text
        assert of_type(frames, "guard") == []


def test_r_grd_2_a_wrong_critical_figure_is_withheld_and_the_records_own_is_named(
    written: Written, reviewed: str
) -> None:
    server, _, model = written

    frames = say(written, reviewed, "好的。矿井总进风量为 36181 m³/min。请核对。")

    assert [frame for frame in frames if "36181" in str(frame)] == []
    assert "35181" in text_of(frames)
    assert "请核对" in text_of(frames)
    (guard,) = of_type(frames, "guard")
    assert (guard["guard"], guard["verdict"]) == ("response", "blocked")
    assert [span["reason"] for span in guard["spans"]] == ["contradicted"]
    assert frames[-1]["status"] == "succeeded"
    (item,) = [one for one in server.json("/api/reviews", kind="guard")["items"] if one["session_id"] == reviewed]
    assert "36181" in item["subject"]
    assert "36181" not in str(server.messages(reviewed))
    say(written, reviewed, "好。")
    assert "36181" not in str(model.bodies[-1]["messages"])


def test_r_grd_2_the_users_own_figure_may_be_repeated_to_deny_it(written: Written, reviewed: str) -> None:
    text = "总进风量不是 28461，而是 35181 m³/min。"
    frames = say(written, reviewed, text, ask="总进风是 28461 吗")

    assert text_of(frames).strip() == text


def test_an_agent_without_critical_fields_streams_numbers_untouched(written: Written) -> None:
    server, replies, _ = written
    replies.append(Reply(text="总进风量为 1 m³/min。"))

    frames = server.chat("总进风是多少", agent="general")

    assert text_of(frames).strip() == "总进风量为 1 m³/min。"
    assert of_type(frames, "guard") == []
