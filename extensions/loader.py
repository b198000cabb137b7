"""The extensions of this server, listed by hand."""

from __future__ import annotations

from extensions.ticket_desk import extension as ticket_desk
from extensions.vent_airflow import extension as vent_airflow
from tools.registry import ToolCatalogue


def load_extensions(catalogue: ToolCatalogue) -> None:
    """Register every extension's tools and playbooks."""
    vent_airflow.register(catalogue)
    ticket_desk.register(catalogue)
