# `make demo` trains a translator and shows it; `make test` checks everything. Both set up .venv by themselves, once.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Any Python that TensorFlow has a wheel for; `make PYTHON=/path/to/python3.12 demo` names another.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3,$(if $(shell command -v $(name) 2>/dev/null),$(name))) python3)
BIN := .venv/bin

.PHONY: help demo test test-slow fuzz lint format clean

help:  ## show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/installed  ## train RNNsearch on the built-in corpus, translate, draw its attention (a few minutes)
	$(BIN)/tfnmt train rnnsearch50

test: .venv/installed-test lint  ## formatting, lint, types, import floors and the ordinary tests
	TF_CPP_MIN_LOG_LEVEL=3 $(BIN)/pytest -q -n 2 --dist loadfile --no-loadscope-reorder

test-slow: .venv/installed-test  ## the proofs that take minutes each
	TF_CPP_MIN_LOG_LEVEL=3 $(BIN)/pytest -q -m slow

fuzz: .venv/installed-fuzz  ## more than 100,000 inputs of every kind, then some that coverage guides
	TF_CPP_MIN_LOG_LEVEL=3 TFNMT_FUZZ_INPUTS=110000 $(BIN)/pytest -q tests/fuzz tests/export/test_requests.py
	for parser in recipes overrides corpora vocabularies lexicons; do \
	  TF_CPP_MIN_LOG_LEVEL=3 $(BIN)/python -m tests.fuzz.coverage_guided $$parser -runs=4000 || exit 1; done

lint: .venv/installed-test  ## formatting, lint, types and import floors
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/installed-test  ## put the code into its format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:  ## remove the environment, the caches and what was built (runs/ stays)
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || { \
	  echo "tfnmt needs Python 3.11, 3.12 or 3.13; '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || true)."; \
	  echo "Install one of them, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

# The stamps: installing again only when the declaration of the dependencies has changed.
.venv/installed: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-test: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch .venv/installed $@

.venv/installed-fuzz: .venv/installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,fuzz]'
	@touch $@
