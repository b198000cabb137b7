"""How long a run waits for a person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcStamp

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("waits_until", UtcStamp(), nullable=True))
