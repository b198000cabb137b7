"""How a scanned page was turned before it was read, so that what was read is found on the page again."""

from __future__ import annotations

from algorithms.airflow_review.value_class import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Straightening:
    """From the straightened page to the page as it is drawn; both in points, origin upper left, y down."""

    page: int  # 1-based
    corner: Point  # where the straightened page's upper left corner lies
    right: Point  # where a step of one point to the right leads
    down: Point  # and one downwards

    def point_on_page(self, x: float, y: float) -> Point:
        """Where a point of the straightened page lies."""
        return (
            self.corner[0] + x * self.right[0] + y * self.down[0],
            self.corner[1] + x * self.right[1] + y * self.down[1],
        )

    def box_on_page(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """The least upright box around the place of a `BBox` of the straightened page."""
        corners = [self.point_on_page(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
        across, below = [x for x, _ in corners], [y for _, y in corners]
        return (min(across), min(below), max(across), max(below))
