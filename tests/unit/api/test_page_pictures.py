"""Few pages are drawn at a time; who comes when too many wait is told to come again. Documents are known by their bytes."""

from __future__ import annotations

import asyncio
import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from api.errors import RefusedError
from api.page_pictures import PagePictures
from api.session_documents import documents_in


async def test_the_seventeenth_page_waiting_is_refused_and_later_ones_are_drawn() -> None:
    go_on = Event()

    def draw(path: Path, number: int, boxes: object, scale: float) -> tuple[bytes, float]:
        go_on.wait(10)
        return str(number).encode(), scale

    with ThreadPoolExecutor(2) as threads:
        pictures = PagePictures(draw, threads)
        waiting = [asyncio.create_task(pictures.draw(Path("plan.pdf"), number, (), 2.0)) for number in range(16)]
        await asyncio.sleep(0)

        with pytest.raises(RefusedError) as caught:
            await pictures.draw(Path("plan.pdf"), 16, (), 2.0)
        go_on.set()

        assert (caught.value.code, caught.value.retry_after_s) == ("pictures_busy", 3)
        assert [png for png, _ in await asyncio.gather(*waiting)] == [str(number).encode() for number in range(16)]
        assert await pictures.draw(Path("plan.pdf"), 17, (), 2.0) == (b"17", 2.0)


def test_an_upload_is_known_by_its_bytes_and_links_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.pdf"
    secret.write_bytes(b"%PDF- not of this session")
    folder = tmp_path / "uploads"
    folder.mkdir()
    (folder / "计划.pdf").write_bytes(b"%PDF-1")
    (folder / "链接.pdf").symlink_to(secret)
    (folder / "子目录").mkdir()

    (found,) = documents_in(folder)
    (folder / "计划.pdf").write_bytes(b"%PDF-1 changed")
    (changed,) = documents_in(folder)

    assert found.document_id == hashlib.sha256(b"%PDF-1").hexdigest()
    assert changed.document_id == hashlib.sha256(b"%PDF-1 changed").hexdigest()
    assert (found.path, found.media_type, found.size) == ("/workspace/uploads/计划.pdf", "application/pdf", 6)
    assert documents_in(tmp_path / "nowhere") == ()
