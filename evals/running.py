"""Runs the scenarios of a file: one server for all of them, the desk's store as the file says before each try."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from config import Settings, get_settings
from evals.driver import DriveError, Driver
from evals.judging import ClaimReader, Result, Try, judge
from evals.policy_variant import write_profiles
from evals.scenario import ModelMode, Scenario, ScenarioFile
from evals.scripted_model import MODEL_NAME, ScriptedModel, scripted_model
from evals.server_process import server_process
from extensions.ticket_desk.extension import STORE_FILE
from extensions.ticket_desk.store import TicketStore, demo_seed

# A dollar for a million tokens of either kind, so that a script's usage reads as its cost.
_PRICES: Final = f'[[price]]\nmodel = "{MODEL_NAME}"\ncurrency = "USD"\nfrom = 2020-01-01\ninput = "1"\noutput = "1"\n'
# Of a configured server only these make the model; address, folders and operators' switches are the evaluation's own.
_MODEL_SETTINGS: Final = (
    "openai_base_url",
    "model_name",
    "model_context_window",
    "model_max_output_tokens",
    "model_timeout_s",
    "model_max_retries",
    "prices_file",
)


@dataclass(frozen=True, kw_only=True)
class _House:
    """Everything a try needs."""

    driver: Driver
    store: TicketStore
    model: ScriptedModel | None


def run_file(
    known: ScenarioFile,
    *,
    mode: ModelMode,
    k: int,
    claimed: ClaimReader | None = None,
    on_result: Callable[[Result], None] = lambda _: None,
) -> list[Result]:
    """Run every scenario that makes sense in a mode `k` times.

    Args:
        known: The file.
        mode: Who answers: the script, the embedded model, or the configured language model.
        k: Tries of each.
        claimed: Reads the claims of a text; None: claims stay unchecked.
        on_result: Told as soon as a scenario is done.

    Raises:
        ServerStartError: The server did not come up.
        ValueError: `live`, and no key is configured.
    """
    chosen = [scenario for scenario in known.scenarios if mode in scenario.modes]
    if not chosen:
        return []
    seed = known.meta.store.seed(demo_seed())
    results = []
    with _house(known, mode) as house:
        for scenario in chosen:
            tries = []
            for _ in range(k):
                house.store.reset(seed)
                tries.append(_one_try(house, scenario, claimed))
            results.append(Result(scenario=scenario, tries=tuple(tries)))
            on_result(results[-1])
    return results


def _one_try(house: _House, scenario: Scenario, claimed: ClaimReader | None) -> Try:
    if house.model is not None:
        house.model.play(scenario)
    try:
        observed = house.driver.run(scenario)
    except DriveError as error:
        return Try(differences=(str(error),))
    beyond = 0 if house.model is None else house.model.beyond
    return judge(scenario, observed, beyond_script=beyond, claimed=claimed)


@contextmanager
def _house(known: ScenarioFile, mode: ModelMode) -> Iterator[_House]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="eval-")))
        model = stack.enter_context(scripted_model() if mode == "scripted" else nullcontext())
        profiles = write_profiles(folder / "profiles", known.meta.store)
        settings = _settings(mode, folder, model) | {"PROFILES_DIR": str(profiles)}
        base_url = stack.enter_context(server_process(folder / "data", settings, _bare(os.environ)))
        driver = Driver(base_url)
        stack.callback(driver.close)
        yield _House(driver=driver, store=TicketStore(lambda: folder / "data" / STORE_FILE), model=model)


def _settings(mode: ModelMode, folder: Path, model: ScriptedModel | None) -> dict[str, str]:
    if model is not None:
        prices = folder / "prices.toml"
        prices.write_text(_PRICES, encoding="utf-8")
        return {
            "OPENAI_API_KEY": "scripted",
            "OPENAI_BASE_URL": model.base_url,
            "MODEL_NAME": MODEL_NAME,
            "MODEL_MAX_RETRIES": "0",
            "PRICES_FILE": str(prices),
        }
    if mode == "offline":
        return {}
    configured = get_settings()
    if configured.model_mode != "live":
        raise ValueError("no language model is configured: set OPENAI_API_KEY and MODEL_NAME, or use --model scripted")
    key = configured.openai_api_key.get_secret_value()
    return {"OPENAI_API_KEY": key, **{name.upper(): str(getattr(configured, name)) for name in _MODEL_SETTINGS}}


def _bare(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without any setting of the server."""
    names: Sequence[str] = tuple(Settings.model_fields)
    return {key: value for key, value in environ.items() if key.lower() not in names}
