"""Runs migrations on the connection, and inside the transaction, that `db.migrate` hands over."""

from __future__ import annotations

from alembic import context

from db.guard_tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a table by building it anew
)
context.run_migrations()
