"""R-GRD-4: with a hundred facts in the evidence a random difference or percentage is hardly ever borne out."""

import random

import pytest

from agents.guards.evidence.seen_result import SeenResult
from agents.guards.response_guard import ResponseGuard

KINDS = (
    "综采工作面",
    "掘进工作面",
    "回风顺槽",
    "运输顺槽",
    "变电所",
    "水泵房",
    "切眼",
    "联络巷",
    "轨道大巷",
    "胶带上山",
)
DIFFERENCES = (
    "{a}实测 {x} m³/min，{b}实测 {y} m³/min，两者相差 {d} m³/min。",
    "{a}需风量 {r} m³/min，计划 {p} m³/min，差 {d} m³/min。",
    "{a}的实测比{b}多 {d} m³/min。",
    "Measured flow is {x} m³/min against a requirement of {r} m³/min, a gap of {d} m³/min.",
)
PERCENTAGES = (
    "{a}实测 {x} m³/min，比需风量 {r} m³/min 高 {q}%。",
    "{a}实测 {x} m³/min，占{b} {y} m³/min 的 {q}%。",
    "{a}的实测为需风量的 {q}%。",
    "{x} m³/min is {q}% of the {y} m³/min measured elsewhere.",
)
GOAL = 0.01


def places(generator):
    """A list of 25 rows with four numbers each: a hundred facts."""
    return [
        {
            "name": f"{number}{generator.choice(KINDS)}",
            "required_m3_min": generator.randint(100, 2500),
            "planned_m3_min": generator.randint(100, 2500),
            "measured_m3_min": round(generator.uniform(100, 2500), 1),
            "speed_m_s": round(generator.uniform(0.2, 6), 2),
        }
        for number in generator.sample(range(1000, 9999), 25)
    ]


@pytest.mark.parametrize("frames", [DIFFERENCES, PERCENTAGES], ids=["differences", "percentages"])
def test_r_grd_4_random_numbers_are_not_borne_out(frames):
    generator, accepted, tried = random.Random(7), 0, 0
    for _ in range(250):
        rows = places(generator)
        a, b = generator.sample(rows, 2)
        said = {"a": a["name"], "b": b["name"], "x": a["measured_m3_min"], "y": b["measured_m3_min"]}
        said |= {"r": a["required_m3_min"], "p": a["planned_m3_min"]}
        said |= {"d": generator.randint(1, 2500), "q": round(generator.uniform(0.1, 99.9), 1)}
        for frame in frames:
            found = ResponseGuard().verify(frame.format(**said), [SeenResult("places", {"places": rows})], ())
            wrong = said["q"] if "{q}" in frame else said["d"]
            tried += 1
            accepted += not any(v.is_flagged and abs(v.value) == wrong for v in found)

    assert accepted / tried <= GOAL
