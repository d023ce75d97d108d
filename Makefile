# Everything sets itself up: Python 3.10 or newer, make and a C compiler are enough.
#   make demo    the two-mass oscillator with five algorithms: build/demo/report.html
#   make paper   the published figures next to recomputed ones: build/paper/index.html
#   make test    the tests of every change    make lint    style, types, structure
#   make test-all    what else a landing needs: hosts, other platforms, more of each product (after make test)
#   make test-night  the rest: whole products of parameters, fuzz, fresh seeds, published studies, sites, live carriers
#   make workbench  the page to try everything in the browser: build/workbench/index.html
#   make docs    the documentation as a site: build/docs/index.html
#   make bench   speed                        make setup   the environment in .venv only
#   make figures the house in figures: lines by room, and what lint holds to a bound
#   make generate  what runtimes, schema and tables of the documentation have from fmu_src/coupling.toml
#   make release  the wheel, the page, the site, licences, what is in it, checksums: dist/; nothing is published
#   make lock    requirements*.txt from pyproject.toml
#   make cross   zig, the compiler for all other platforms (0.4 GB), and what makes binaries small
#   make wheel   dist/*.whl with the binaries of every platform: its user needs no compiler

PYTHON ?= python3
WORKERS ?= 3
TESTS ?= tests
CROSS_TOOLS := ziglang==0.17.0 zopfli==0.4.3

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := $(VENV)/.ready
CROSS := $(VENV)/.cross
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --benchmark-disable
COMPILE := uv pip compile --quiet --universal --python-version 3.10 --generate-hashes \
           --no-emit-index-url --no-emit-find-links --no-header --no-annotate

.PHONY: setup cross silkit demo workbench docs paper test test-all test-night lint figures bench generate wheel release lock clean

setup: $(READY)

$(READY): requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo 'couplant needs Python 3.10 or newer; name one: make setup PYTHON=python3.12' >&2; exit 1; }
	@echo 'Setting up $(VENV): this takes a few minutes once.'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes --requirement requirements-dev.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

cross: $(CROSS)

$(CROSS): requirements-cross.txt $(READY)
	@$(PIP) install --require-hashes --no-deps --requirement requirements-cross.txt
	@touch $@

silkit: $(READY)
	@$(PIP) download --require-hashes --no-deps --only-binary :all: --python-version 3.12 --platform manylinux_2_28_x86_64 \
		--dest build/silkit --requirement requirements-silkit.txt

demo: $(READY)
	@$(BIN)/couplant demo --force --no-open -o build/demo

paper: $(READY)
	@$(BIN)/python -m examples.published -o build/paper

workbench: $(CROSS)
	@$(BIN)/couplant workbench --no-open -o build/workbench/index.html

docs: $(READY)
	@$(BIN)/python -m sphinx -q -W --keep-going -c docs -b html -d build/trees . build/docs
	@echo 'The site is build/docs/index.html.'

test: $(CROSS)
	@$(PYTEST) -m 'not landing and not night' $(TESTS)

test-all: $(CROSS)
	@$(PYTEST) -m 'landing and not night' $(TESTS)

test-night: $(CROSS)
	@$(PYTEST) -m night $(TESTS)

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/python -m tests.structure
	@$(BIN)/python benchmarks/figures.py --check

figures: $(READY)
	@$(BIN)/python benchmarks/figures.py

bench: $(READY)
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -s benchmarks

generate: $(READY)
	@$(BIN)/python -m fmu_src.generator
	@$(BIN)/python -m docs.site.schemas
	@$(BIN)/python -m docs.site.parameters

wheel: $(CROSS)
	@COUPLANT_PREBUILT=all $(BIN)/python -m build --wheel --no-isolation --outdir dist .

release: $(CROSS)
	@$(BIN)/python release.py

lock:
	$(COMPILE) pyproject.toml --upgrade --output-file requirements.txt
	$(COMPILE) pyproject.toml --upgrade --extra dev --constraint requirements.txt --output-file requirements-dev.txt
	printf '%s\n' $(CROSS_TOOLS) | $(COMPILE) - --upgrade --output-file requirements-cross.txt

clean:
	rm -rf build dist $(VENV)
