"""Registers the airflow review: its tools of the domain `airflow`, their critical fields and the playbook of the embedded model."""

from __future__ import annotations

from extensions.vent_airflow.critical_fields import CRITICAL_FIELDS
from extensions.vent_airflow.playbook import AirflowPlaybook
from extensions.vent_airflow.publish_tool import airflow_report_publish
from extensions.vent_airflow.settle_tool import airflow_value_settle
from extensions.vent_airflow.tools import TOOLS
from tools.registry import ToolCatalogue, for_feature

FEATURE = for_feature(
    "vent_airflow",
    domain="airflow",
    tools=(*TOOLS, airflow_value_settle, airflow_report_publish),
    playbooks=(AirflowPlaybook(),),
    critical_fields=CRITICAL_FIELDS,
)


def register(catalogue: ToolCatalogue) -> None:
    """Add the feature to what is registered."""
    catalogue.add_feature(FEATURE)
