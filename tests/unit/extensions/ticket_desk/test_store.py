"""The desk's file: made and filled at first use, exact to the cent, one truth for threads and processes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from threading import Timer

import pytest

from config import PROJECT_ROOT
from extensions.ticket_desk.money import from_micro, to_micro
from extensions.ticket_desk.records import Order, Seed
from extensions.ticket_desk.store import Caller, DeskError, TicketStore, _new_id, demo_seed
from obs.sanitize import sanitize
from tests.unit.extensions.ticket_desk.conftest import SEED

ANN = Caller(call_key="r1/c1", run_id="r1", user_id="ann")
_PAY = """
import sys
from decimal import Decimal
from pathlib import Path
from threading import Timer
from extensions.ticket_desk.store import Caller, DeskError, TicketStore
try:
    TicketStore(lambda: Path(sys.argv[1])).pay_refund("A-1001", Decimal(100), Caller(call_key=sys.argv[2], run_id=sys.argv[2], user_id="u"))
except DeskError as error:
    print(error.code)
else:
    print("paid")
"""


def one_order(amount: str) -> Seed:
    return Seed(orders={"X": Order(customer="c", total=Decimal(amount), eligible=True, refundable=Decimal(amount))})


def test_making_a_store_touches_no_disk_and_the_first_use_fills_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "desk.sqlite3"
    store = TicketStore(lambda: path)
    assert not path.parent.exists()

    assert set(store.articles()) == set(demo_seed().articles)
    assert path.is_file()


def test_the_seed_is_used_once_and_what_happened_stays(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite3"
    paid = TicketStore(lambda: path, seed=lambda: SEED).pay_refund("O-100", Decimal(80), ANN)

    again = TicketStore(lambda: path, seed=lambda: one_order("5"))

    assert again.order("O-100")[2] == (paid,)
    with pytest.raises(DeskError, match="order_not_found"):
        again.order("X")


def test_a_reset_forgets_everything_and_seeds_anew(store: TicketStore) -> None:
    store.pay_refund("O-100", Decimal(80), ANN)
    store.write_email("a@example.com", "s", "b", ANN)

    store.reset(one_order("5"))

    assert store.order("X")[1].total == Decimal(5)
    assert (store.outbox(), store.articles()) == ((), {})
    assert store.pay_refund("X", Decimal(5), ANN).amount == Decimal(5)


@pytest.mark.parametrize("amount", ["0.1", "0.01", "19.99", "1234567890.12", "0.000001"])
def test_money_goes_through_the_file_exactly(tmp_path: Path, amount: str) -> None:
    store = TicketStore(lambda: tmp_path / "desk.sqlite3", seed=lambda: one_order(amount))

    store.pay_refund("X", Decimal(amount), ANN)

    _, order, (refund,) = store.order("X")
    assert (order.total, refund.amount) == (Decimal(amount), Decimal(amount))
    with sqlite3.connect(tmp_path / "desk.sqlite3") as connection:
        (kind,) = connection.execute("SELECT typeof(amount_micro) FROM refund").fetchone()
    connection.close()
    assert kind == "integer"


def test_ten_times_ten_cents_are_one_dollar(tmp_path: Path) -> None:
    store = TicketStore(lambda: tmp_path / "desk.sqlite3", seed=lambda: one_order("1"))
    for n in range(10):
        store.pay_refund("X", Decimal("0.1"), Caller(call_key=f"{n}", run_id=f"{n}", user_id="u"))

    with pytest.raises(DeskError, match="nothing_left"):
        store.pay_refund("X", Decimal("0.01"), ANN)


def test_an_amount_below_the_micro_unit_is_no_amount() -> None:
    with pytest.raises(ValueError, match="micro"):
        to_micro(Decimal("0.0000001"))
    assert from_micro(to_micro(Decimal("7.25"))) == Decimal("7.25")


def test_what_breaks_in_the_middle_leaves_nothing_behind(store: TicketStore) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.pay_refund("O-100", Decimal(0), ANN)

    assert store.order("O-100")[2] == ()
    assert store.pay_refund("O-100", Decimal(80), ANN).amount == 80


def test_threads_that_open_a_new_store_together_seed_it_once(tmp_path: Path) -> None:
    store = TicketStore(lambda: tmp_path / "desk.sqlite3", seed=lambda: SEED)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: store.order("O-100")[0], range(16)))

    assert found == ["O-100"] * 16


def test_one_call_key_in_many_threads_pays_once(store: TicketStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        paid = set(pool.map(lambda _: store.pay_refund("O-100", Decimal(10), ANN).confirmation_id, range(16)))

    assert len(paid) == 1
    assert len(store.order("O-100")[2]) == 1


def test_a_desk_waits_while_another_process_founds_it(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        ending = Timer(0.3, lambda: other.execute("COMMIT"))
        ending.start()

        found = TicketStore(lambda: path, seed=lambda: SEED).order("O-100")[0]
        ending.join()

    assert found == "O-100"


def test_two_processes_share_one_truth(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite3"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _PAY, str(path), name], cwd=PROJECT_ROOT, stdout=subprocess.PIPE, text=True
        )
        for name in ("one", "two")
    ]
    said = sorted(process.communicate(timeout=60)[0].strip() for process in processes)

    assert said == ["amount_too_high", "paid"]


def test_no_number_of_the_desk_is_taken_for_a_secret_and_none_comes_twice() -> None:
    numbers = {_new_id("RF") for _ in range(2_000)}

    assert len(numbers) == 2_000
    assert {
        number for number in numbers if sanitize(f"确认号{number}，{number}.") != f"确认号{number}，{number}."
    } == set()


def test_the_demo_data_can_be_refunded_as_the_page_says() -> None:
    orders = demo_seed().orders

    assert {identity for identity, order in orders.items() if order.eligible} == {"A-1001", "A-1002", "A-1005"}
    assert all(order.refundable <= order.total for order in orders.values())
