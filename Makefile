# Everything sets itself up: Python 3.10 or newer, make and a C compiler are enough.
#   make demo    the two-mass oscillator with five algorithms: build/demo/report.html
#   make test    all tests                    make lint    style
#   make bench   speed                        make setup   the environment in .venv only
#   make schema  resources/schema             make lock    requirements*.txt from pyproject.toml

PYTHON ?= python3
WORKERS ?= 2
TESTS ?= tests

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
COMPILE := uv pip compile pyproject.toml --quiet --universal --python-version 3.10 --generate-hashes \
           --no-emit-index-url --no-emit-find-links --no-header --no-annotate

.PHONY: setup demo test lint bench schema lock clean

setup: $(READY)

$(READY): requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo 'couplant needs Python 3.10 or newer; name one: make setup PYTHON=python3.12' >&2; exit 1; }
	@echo 'Setting up $(VENV): this takes a few minutes once.'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes --requirement requirements-dev.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY)
	@$(BIN)/couplant simulate examples/01_two_mass_oscillator/scenario.toml -o build/demo
	@echo 'The report is build/demo/report.html.'

test: $(READY)
	@$(BIN)/python -m pytest -n $(WORKERS) --benchmark-disable $(TESTS)

lint: $(READY)
	@$(BIN)/ruff check .

bench: $(READY)
	@$(BIN)/python -m pytest -q -s benchmarks

schema: $(READY)
	@$(BIN)/python -m couplant.config

lock:
	$(COMPILE) --upgrade --output-file requirements.txt
	$(COMPILE) --upgrade --extra dev --constraint requirements.txt --output-file requirements-dev.txt

clean:
	rm -rf build dist $(VENV)
