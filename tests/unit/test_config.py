"""Settings: defaults start the server, two sources never disagree in silence (R-PIT-1, R-LAY-2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from dotenv import dotenv_values
from pydantic import SecretStr, ValidationError

from config import PRIORITY_KEY, PROJECT_ROOT, Settings, load, mask


def env_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / ".env"
    path.write_text(text, encoding="utf-8")
    return path


def test_r_lay_2_every_setting_has_a_default_and_the_example_file_names_it() -> None:
    example = {k: v for k, v in dotenv_values(PROJECT_ROOT / ".env.example").items() if k != PRIORITY_KEY}
    defaults = Settings()

    assert {key.lower() for key in example} == set(Settings.model_fields)
    for key, text in example.items():
        default = getattr(defaults, key.lower())
        plain = default.get_secret_value() if isinstance(default, SecretStr) else default
        assert text == str(int(plain) if isinstance(plain, bool) else plain), key


@pytest.mark.parametrize(
    ("priority", "port", "source"),
    [("dotenv", 8001, "dotenv"), ("process", 8002, "process"), ("none", 8002, "process")],
)
def test_r_pit_1_the_priority_decides_and_the_conflict_is_listed_masked(
    tmp_path: Path, priority: str, port: int, source: str
) -> None:
    file = env_file(tmp_path, "PORT=8001\nMODEL_NAME=the-model-of-the-file\n")
    environ = {PRIORITY_KEY: priority, "PORT": "8002", "MODEL_NAME": "the-model-of-the-shell"}

    loaded = load(environ, file)

    assert loaded.settings.port == port
    assert [(c.key, c.effective_source) for c in loaded.conflicts] == [("MODEL_NAME", source), ("PORT", source)]
    shown = " ".join(c.effective + c.ignored for c in loaded.conflicts)
    assert "8001" not in shown
    assert "the-model" not in shown


def test_without_a_priority_the_file_wins_and_the_environment_fills_the_rest(tmp_path: Path) -> None:
    loaded = load({"PORT": "8002", "LOG_LEVEL": "ERROR"}, env_file(tmp_path, "PORT=8001\n"))

    assert (loaded.settings.port, loaded.settings.log_level) == (8001, "ERROR")


def test_none_ignores_the_file(tmp_path: Path) -> None:
    loaded = load({PRIORITY_KEY: "none"}, env_file(tmp_path, "PORT=8001\n"))

    assert loaded.settings.port == Settings().port


def test_equal_values_are_no_conflict(tmp_path: Path) -> None:
    assert load({"PORT": "8001"}, env_file(tmp_path, "PORT=8001\n")).conflicts == ()


def test_an_empty_value_means_not_set(tmp_path: Path) -> None:
    loaded = load({"PORT": "8002", "HOST": ""}, env_file(tmp_path, "PORT=\n"))

    assert (loaded.settings.port, loaded.settings.host) == (8002, "127.0.0.1")
    assert loaded.conflicts == ()


def test_an_unknown_priority_says_what_to_write() -> None:
    with pytest.raises(ValueError, match="write dotenv, process or none"):
        load({PRIORITY_KEY: "shell"}, Path("absent"))


def test_a_value_that_does_not_fit_names_its_setting() -> None:
    with pytest.raises(ValidationError, match="port"):
        load({"PORT": "eighty"}, Path("absent"))


def test_a_key_switches_to_the_live_model_and_is_never_shown() -> None:
    key = "-".join(["sk", "x" * 24])
    settings = load({"OPENAI_API_KEY": key}, Path("absent")).settings

    assert settings.model_mode == "live"
    assert key not in repr(settings)
    assert Settings().model_mode == "offline"


def test_a_short_value_is_masked_wholly() -> None:
    assert mask("short") == "***"
    assert mask("a-rather-long-value") == "***alue"
