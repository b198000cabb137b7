"""`scripts/audit.py` as an operator runs it: on nothing, on a wrong folder, on a locked, broken or very large record."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from db.audit_chain import FIRST_HASH
from db.audit_tables import TOOL_AUDIT
from scheduler.audit_sinks import build_sinks
from tests.support.receivers import status, web_receiver
from tests.support.server import RunningServer, start_server

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "deep_agent.sqlite3"
ANCHORS = "audit_anchors.jsonl"


def audit(data_dir: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATA_DIR": str(data_dir), "DEEP_AGENT_ENV_PRIORITY": "none", **settings}
    return subprocess.run(
        [sys.executable, "scripts/audit.py", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )


def assert_is_a_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert all(word in done.stderr for word in words), done.stderr


@pytest.fixture(scope="module")
def left_behind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a server that served two calls and was stopped."""
    folder = tmp_path_factory.mktemp("left")
    server: RunningServer = start_server(folder)
    server.chat("现在几点")
    server.chat("现在几点")
    server.stop()
    return folder


@pytest.fixture
def data_dir(left_behind: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    with sqlite3.connect(left_behind / DATABASE) as source, sqlite3.connect(tmp_path / DATABASE) as copy:
        source.backup(copy)
    (tmp_path / ANCHORS).write_bytes((left_behind / ANCHORS).read_bytes())
    return tmp_path


@pytest.mark.parametrize("command", ["verify", "export", "redrive"])
@pytest.mark.parametrize("folder", ["empty", "absent"])
def test_where_there_is_no_database_it_says_so_and_makes_none(tmp_path: Path, command: str, folder: str) -> None:
    target = tmp_path if folder == "empty" else tmp_path / "no" / "such"

    assert_is_a_sentence(audit(target, command), "no database", "DATA_DIR")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["verify", "export", "redrive"])
def test_a_database_without_an_audit_and_a_file_that_is_none(tmp_path: Path, command: str) -> None:
    sqlite3.connect(tmp_path / DATABASE).execute("CREATE TABLE other (x)").connection.close()
    assert_is_a_sentence(audit(tmp_path, command), "no audit")

    (tmp_path / DATABASE).write_bytes(b"this is a letter, not a database, and it is long enough to be read as one" * 20)
    assert_is_a_sentence(audit(tmp_path, command), "database cannot be used", "not a database")


def test_a_wrong_setting_is_one_sentence(tmp_path: Path) -> None:
    assert_is_a_sentence(audit(tmp_path, "verify", AUDIT_RETENTION_DAYS="30"), "AUDIT_RETENTION_DAYS", "184")


def test_help_says_what_the_exit_codes_mean() -> None:
    done = audit(ROOT, "--help")

    assert done.returncode == 0
    assert [code for code in "012" if f"\n    {code}   " in done.stdout] == ["0", "1", "2"]
    assert audit(ROOT, "destroy").returncode == audit(ROOT).returncode == 2


def test_a_whole_record_is_whole(data_dir: Path) -> None:
    done = audit(data_dir, "verify")

    assert (done.returncode, done.stdout, done.stderr) == (0, "local: whole, rows 1-4, all anchored\n", "")


def test_rows_after_the_last_anchor_are_named(data_dir: Path) -> None:
    head = json.loads((data_dir / ANCHORS).read_text().splitlines()[-1])
    with sqlite3.connect(data_dir / DATABASE) as connection:
        found = connection.execute("SELECT hash FROM tool_audit WHERE seq = 2").fetchone()[0]
    (data_dir / ANCHORS).write_text(json.dumps({**head, "seq": 2, "hash": found}) + "\n")

    assert "local: whole, rows 1-4, not yet anchored: 3-4" in audit(data_dir, "verify").stdout


@pytest.mark.parametrize(
    ("spoil", "code", "words"),
    [
        ("torn", 0, "cut off while it was written"),
        ("garbled", 1, "line 1 of the anchor file"),
        ("missing", 0, "no anchor file"),
        ("empty", 0, "no anchor vouches"),
        ("a folder", 1, "cannot be read"),
        ("no database", 1, "all rows up to 4 are missing"),
        ("empty database", 1, "all rows up to 4 are missing"),
        ("no rows", 1, "rows 1 to 4 are missing at the end"),
    ],
)
def test_what_was_done_to_anchors_or_tables_is_a_finding(data_dir: Path, spoil: str, code: int, words: str) -> None:
    anchors, database = data_dir / ANCHORS, data_dir / DATABASE
    match spoil:
        case "torn":
            anchors.write_bytes(anchors.read_bytes() + b'{"organization_id": "lo')
        case "garbled":
            anchors.write_bytes(b"\xff\xfe garbled\n" + anchors.read_bytes())
        case "missing":
            anchors.unlink()
        case "empty":
            anchors.write_bytes(b"")
        case "a folder":
            anchors.unlink()
            anchors.mkdir()
        case "no database":
            database.unlink()
        case "empty database":
            database.unlink()
            sqlite3.connect(database).execute("CREATE TABLE other (x)").connection.close()
        case _:
            with sqlite3.connect(database) as connection:
                connection.execute("DELETE FROM tool_audit")
                connection.execute("DELETE FROM audit_head")

    done = audit(data_dir, "verify")

    assert (done.returncode, done.stderr) == (code, ""), done
    assert words in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["verify", "redrive"])
def test_a_database_somebody_holds_is_one_sentence(data_dir: Path, command: str) -> None:
    holder = sqlite3.connect(data_dir / DATABASE, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    holder.execute("DELETE FROM audit_dead_letter")
    try:
        assert_is_a_sentence(audit(data_dir, command), "locked")
    finally:
        holder.close()


def test_an_export_is_a_line_for_each_row_private_and_complete_or_absent(data_dir: Path) -> None:
    target = data_dir / "out.jsonl"
    target.write_text("of last month")

    printed, written = audit(data_dir, "export"), audit(data_dir, "export", str(target))

    assert (printed.returncode, written.returncode, written.stdout) == (0, 0, "")
    assert "4 rows" in written.stderr
    assert target.read_text("utf-8") == printed.stdout
    rows = [json.loads(line) for line in printed.stdout.splitlines()]
    assert [row["seq"] for row in rows] == [1, 2, 3, 4]
    assert rows[0].keys() == {column.name for column in TOOL_AUDIT.columns}
    assert rows[0]["happened_at"].endswith("Z")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600

    with sqlite3.connect(data_dir / DATABASE) as connection:  # a row that cannot be read, far behind the first
        connection.execute("UPDATE tool_audit SET effects = '[' WHERE seq = 4")
    broken = audit(data_dir, "export", str(target))
    assert_is_a_sentence(broken)
    assert target.read_text("utf-8") == printed.stdout
    assert not target.with_name("out.jsonl.part").exists()


def test_an_export_to_nowhere_is_one_sentence(data_dir: Path) -> None:
    assert_is_a_sentence(audit(data_dir, "export", str(data_dir / "no" / "such" / "file")), "No such file")
    assert_is_a_sentence(audit(data_dir, "export", str(data_dir)), "directory")


def test_a_reader_that_has_read_enough_is_no_error(data_dir: Path) -> None:
    grow(data_dir, 2_000)
    command = f'"{sys.executable}" scripts/audit.py export | head -n 1'
    environment = {**os.environ, "DATA_DIR": str(data_dir), "DEEP_AGENT_ENV_PRIORITY": "none"}

    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True)

    assert (done.stderr, json.loads(done.stdout)["seq"]) == ("", 1)


def test_memory_does_not_grow_with_the_record(data_dir: Path) -> None:
    """4,000 rows of long details, more than 80 MB of text: the program reads and writes them a part at a time."""
    target = data_dir / "out.jsonl"
    small = [peak_mb(data_dir, "export", str(target)), peak_mb(data_dir, "verify")]
    grow(data_dir, 4_000, detail="长" * 7_000)

    large = [peak_mb(data_dir, "export", str(target)), peak_mb(data_dir, "verify")]

    assert target.stat().st_size > 80_000_000
    with target.open(encoding="utf-8") as file:
        assert sum(1 for _ in file) == 4_000
    assert all(after < before + 50 for before, after in zip(small, large, strict=True)), (small, large)


def peak_mb(data_dir: Path, *arguments: str) -> float:
    """The most memory a command held."""
    process = subprocess.Popen(
        [sys.executable, "scripts/audit.py", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(data_dir), "DEEP_AGENT_ENV_PRIORITY": "none"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, ended, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(ended)
    assert process.returncode in {0, 1}
    return used.ru_maxrss / 1024  # Linux counts in KiB


def grow(data_dir: Path, count: int, *, detail: str = "x") -> None:
    """Rows as a table of many years has them, in chains that need not hold."""
    with sqlite3.connect(data_dir / DATABASE) as connection:
        names = [column.name for column in TOOL_AUDIT.columns]
        cursor = connection.execute(f"SELECT {', '.join(names)} FROM tool_audit WHERE seq = 1")  # noqa: S608 - our own names
        pattern = dict(zip(names, cursor.fetchone(), strict=True))
        connection.execute("DELETE FROM tool_audit")
        connection.executemany(
            f"INSERT INTO tool_audit ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})",  # noqa: S608 - as above
            (
                tuple(
                    {
                        **pattern,
                        "seq": seq,
                        "event_id": f"e{seq}",
                        "run_id": f"r{seq}",
                        "detail": detail,
                        "previous_hash": FIRST_HASH,
                    }.values()
                )
                for seq in range(1, count + 1)
            ),
        )


def test_redrive_says_what_it_did_and_what_nobody_would_send(data_dir: Path) -> None:
    address = f"file://{data_dir}/sink.jsonl"
    name = build_sinks(address)[0].name
    with sqlite3.connect(data_dir / DATABASE) as connection:
        for sink, event in ((name, "e1"), (name, "e2"), ("webhook:gone:1", "e3")):
            connection.execute(
                "INSERT INTO audit_dead_letter VALUES (?, ?, 4, 'the answer was 500', '2026-01-31T08:00:00.000000Z')",
                (event, sink),
            )

    listed = audit(data_dir, "redrive", "--list")
    done = audit(data_dir, "redrive", AUDIT_SINKS=address)

    assert [json.loads(line)["reason"] for line in listed.stdout.splitlines()] == ["the answer was 500"] * 3
    assert done.stdout.splitlines() == [
        "2 events put back into the outbox",
        "1 stay dead letters: webhook:gone:1 is not among AUDIT_SINKS",
    ]
    assert audit(data_dir, "redrive", AUDIT_SINKS=address).stdout.startswith("0 events")


@pytest.mark.parametrize("days", ["183", "0", "-1", "99999999"])
def test_a_server_that_would_forget_too_early_does_not_start(tmp_path: Path, days: str) -> None:
    done = start_and_fail(tmp_path, AUDIT_RETENTION_DAYS=days)

    assert "AUDIT_RETENTION_DAYS" in done.stderr
    assert "184 天" in done.stderr
    assert "six months" in done.stderr


def test_a_server_with_a_sink_that_is_none_does_not_start_and_shows_no_secret(tmp_path: Path) -> None:
    secret = "-".join(["key", "x" * 24])
    done = start_and_fail(tmp_path, AUDIT_SINKS=f"gopher://example.com/{secret}")

    assert "AUDIT_SINKS: address 1 is no sink" in done.stderr
    assert secret not in done.stdout + done.stderr


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it never came true")


def start_and_fail(data_dir: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATA_DIR": str(data_dir), "DEEP_AGENT_ENV_PRIORITY": "none", **settings}
    done = subprocess.run([sys.executable, "main.py"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done


def test_the_script_works_beside_a_running_server_and_redrives_through_it(tmp_path: Path) -> None:
    """From the setting to the receiver: a sink that is down, dead letters, redrive, a restart in the middle."""
    secret = "-".join(["key", "x" * 24])
    with web_receiver(status(500)) as receiver:
        address = receiver.url(f"/{secret}")
        settings: dict[str, object] = {"audit_sinks": address, "audit_poll_s": 0.05}
        server = start_server(tmp_path, **settings)
        server.chat("现在几点")
        assert audit(tmp_path, "verify").returncode == 0
        server.stop(signal.SIGKILL)
        with sqlite3.connect(tmp_path / DATABASE) as connection:  # as if it had tried for a minute
            rows = connection.execute("SELECT event_id, sink FROM audit_outbox").fetchall()
            assert len(rows) == 2
            connection.execute("DELETE FROM audit_outbox")
            connection.executemany(
                "INSERT INTO audit_dead_letter VALUES (?, ?, 4, 'the answer was 500', '2026-01-31T08:00:00.000000Z')",
                rows,
            )
        receiver.answer = status(200)
        receiver.bodies.clear()
        server = start_server(tmp_path, **settings)
        try:
            server.chat("现在几点")
            assert "2 events put back" in audit(tmp_path, "redrive", AUDIT_SINKS=address).stdout
            wait_until(lambda: len(set(receiver.event_ids)) == 4)
            wait_until(
                lambda: f'agent_audit_dead_letters{{sink="{rows[0][1]}"}} 0.0' in server.client.get("/metrics").text
            )
        finally:
            server.stop()
        assert secret not in server.log
        assert secret not in str(rows)
