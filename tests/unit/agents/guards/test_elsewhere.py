"""R-GRD-4: a number has to be the value of what the words beside it name, and what follows from such values is borne out."""

import pytest

from agents.guards.evidence.seen_result import SeenResult
from agents.guards.response_guard import ResponseGuard

VANS = {
    "site": "Dover depot",
    "from": "2026-05-11",
    "to": "2026-05-17",
    "vans": [
        {"van": "Van 1", "km": 412, "drops": 61, "late": 4},
        {"van": "Van 2", "km": 366, "drops": 55, "late": 2},
        {"van": "Van 3", "km": 508, "drops": 72, "late": 9},
    ],
    "totals": {"km": 1286, "drops": 188, "late": 15},
    "last_week": {"km": 1190, "drops": 171, "late": 21},
    "fuel_litres": 120.6,
    "fuel_gbp_per_litre": 1.47,
    "bridge": {"toll_gbp": 61.64},
    "tunnel": {"toll_gbp": 31.43},
}
HOTEL = {
    "rooms_total": 100,
    "sold_total": 78,
    "guests": 141,
    "power_kwh": 3186.7,
    "power_kwh_prev_day": 2954.2,
    "prev_month": {"sold_total": 71, "guests": 126},
}


def flagged(data, reply, user=""):
    verdicts = ResponseGuard().verify(reply, [SeenResult("look_up", data)], [], user)
    return [verdict.text for verdict in verdicts if verdict.is_flagged]


@pytest.mark.parametrize(
    ("data", "reply", "user", "wrong"),
    [
        (VANS, "There were 21 late drops this week.", "", ["21"]),
        (VANS, "The bridge cost £31.43. The tunnel cost £31.43.", "", ["31.43"]),
        (VANS, "The distance was 366 km.", "How far did Van 3 go?", ["366"]),
        (VANS, "The other two vans averaged 63 drops, against 72 for Van 3.", "", ["63"]),
        (VANS, "Fuel came to £187.28 for 120.6 litres.", "", ["187.28"]),
        (HOTEL, "本月卖出71间。", "", ["71"]),
        (HOTEL, "上月接待客人141位。", "", ["141"]),
        (HOTEL, "上月接待126位，这个月126位。", "", ["126"]),
    ],
)
def test_r_grd_4_a_value_of_something_else_is_wrong(data, reply, user, wrong):
    assert flagged(data, reply, user) == wrong


@pytest.mark.parametrize(
    ("data", "reply"),
    [
        (VANS, "From 11 to 17 May the vans drove 1,286 km in seven days, 96 km more than last week."),
        (VANS, "Van 3 was late with 9 of 72 drops, a rate of 12.5%. Van 1 was at 6.6%, overall it is 8.0%."),
        (VANS, "Late rates:\n1. Van 3 – 12.5%\n2. Van 1 – 6.6%\n3. Van 2 – 3.6%"),
        (VANS, "The other two vans averaged 58 drops, against 72 for Van 3."),
        (VANS, "Fuel came to £177.28 (120.6 litres × £1.47)."),
        (HOTEL, "卖出78间，入住率78%；上月卖出71间。"),
        (HOTEL, "用电3186.7 kWh，前一天2954.2 kWh，多了232.5 kWh。"),
    ],
)
def test_r_grd_4_what_follows_from_the_values_named_is_borne_out(data, reply):
    assert flagged(data, reply) == []
