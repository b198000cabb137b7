.DEFAULT_GOAL := help
.PHONY: help run test check cover fmt fmt-check lint types layers surface lock
.DELETE_ON_ERROR:

PYTHON ?= python3
BIN := .venv/bin

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: .venv/runtime.stamp ## Set up and start the server; the address is printed
	$(BIN)/python main.py

test: .venv/dev.stamp ## Set up and run every test
	$(BIN)/python -m pytest

check: fmt-check lint surface layers types ## Format, lint, exposed tools, layers and types, in the order that fails fastest

cover: .venv/dev.stamp ## The tests with branch coverage
	$(BIN)/python -m pytest --cov --cov-report=term-missing:skip-covered

fmt: .venv/dev.stamp ## Format and apply safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

fmt-check: .venv/dev.stamp
	$(BIN)/ruff format --check .

lint: .venv/dev.stamp
	$(BIN)/ruff check .

types: .venv/dev.stamp
	$(BIN)/mypy .

layers: .venv/dev.stamp
	$(BIN)/lint-imports

surface: .venv/dev.stamp
	$(BIN)/python scripts/surface.py --check

lock: .venv/dev.stamp ## Lock the dependencies anew, with hashes and without addresses
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q --generate-hashes --no-emit-index-url --no-header pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --generate-hashes --no-emit-index-url --no-header pyproject.toml --group dev -o requirements-dev.lock

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name it with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/runtime.stamp: requirements.lock | .venv/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/dev.stamp: requirements-dev.lock | .venv/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@ .venv/runtime.stamp
