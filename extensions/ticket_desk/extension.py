"""Registers the ticket desk: its five tools and the playbook of the embedded model."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from config import get_settings
from extensions.ticket_desk.playbook import TicketPlaybook
from extensions.ticket_desk.store import TicketStore
from extensions.ticket_desk.tools import TicketDesk
from tools.registry import Feature, ToolCatalogue, for_feature

STORE_FILE: Final = "ticket_desk.sqlite3"
# The names of the tools are given from outside, so their first words are the domains.
_DOMAINS: Final = ("order", "refund", "issue", "kb", "send")


def build_feature(store: TicketStore) -> Feature:
    """The desk over a store."""
    return for_feature("ticket_desk", domain=_DOMAINS, tools=TicketDesk(store).all, playbooks=(TicketPlaybook(),))


def register(catalogue: ToolCatalogue) -> None:
    """Add the desk, over its file in the data folder, to what is registered."""
    catalogue.add_feature(build_feature(TicketStore(_store_path)))


def _store_path() -> Path:
    return get_settings().data_path / STORE_FILE
