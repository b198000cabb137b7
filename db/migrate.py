"""Brings a database to the newest form of its tables."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the missing migrations inside the connection's transaction; nothing to do is no change."""
    # Late: only the start of a server needs it, tools that read records do not.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
