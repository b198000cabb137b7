"""Whether the audit is whole: its chains against each other, against their anchors, and the anchors themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from db.audit_chain import ChainReport
from db.audit_store import AuditStore
from scheduler.anchors import AnchorFile, AnchorRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCheck:
    """What a check found.

    Attributes:
        chains: A report for each organization.
        anchor_faults: What is wrong with the anchors, in words.
        anchor_notes: What is odd about them and proves nothing, in words.
    """

    chains: Sequence[ChainReport]
    anchor_faults: Sequence[str]
    anchor_notes: Sequence[str]

    @property
    def is_whole(self) -> bool:
        """Nothing was changed, lost or added, as far as anchors vouch for it."""
        return not self.anchor_faults and not any(report.faults for report in self.chains)


async def check_audit(store: AuditStore, anchors: AnchorFile) -> AuditCheck:
    """Check everything.

    File and tables are read one after the other while the server works on both, so a fault counts if a second look finds one too.
    """
    checked = await _check(store, await asyncio.to_thread(anchors.read))
    return checked if checked.is_whole else await _check(store, await asyncio.to_thread(anchors.read))


async def _check(store: AuditStore, record: AnchorRecord) -> AuditCheck:
    chains = await store.verify(record.anchors, record.retired)
    notes = [
        f"no anchor vouches for any row of {report.organization_id}: a loss at the end would not be found"
        for report in chains
        if report.rows and not report.anchored_seq and not record.retired.get(report.organization_id)
    ]
    return AuditCheck(chains=chains, anchor_faults=record.faults, anchor_notes=(*record.notes, *notes))
