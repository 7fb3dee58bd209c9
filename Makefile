# The two commands of a newcomer are `make demo` and `make test`; `make check` is the quick one.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: demo test check test-clients lint types imports fmt bench docs clean

$(STAMP): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(STAMP)
	@$(BIN)/python -m demo.run

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

imports: $(STAMP)
	$(BIN)/lint-imports

check: lint types imports
	$(BIN)/pytest -n 2 -m 'not client and not slow'

test: lint types imports
	$(BIN)/pytest -n 2 -m 'not client'

test-clients: $(STAMP)
	$(BIN)/python -m tests.clients.install
	$(BIN)/pytest -m client

fmt: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)
	@for script in bench/*.py; do case $$script in */_*|*/__init__.py) ;; *) echo "== $$script"; $(BIN)/python -m bench.$$(basename $$script .py) || exit 1;; esac; done

docs: $(STAMP)
	$(BIN)/python docs/generate_settings.py
	$(BIN)/python docs/generate_commands.py

clean:
	rm -rf $(VENV) .clients .mypy_cache .ruff_cache .import_linter_cache .hypothesis
