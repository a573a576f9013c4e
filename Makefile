# The verbs of the project; `make` alone lists them. Works with GNU make 3.81 and later.
#
# Everything is installed in .venv. Each set-up ends by touching a file in there, so that
# a finished one is not done again and an interrupted one is.

# The Python to use, for example python3.12; by default the first one that is new enough.
PYTHON ?=

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq install --no-deps
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadgroup
RULES := src/powerduels/core.py,src/powerduels/text.py,src/powerduels/games/*,src/powerduels/records.py,src/powerduels/match.py

.PHONY: help play test check bench soak lock docs golden picture book clean

help: ## list the verbs
	@echo "Powerduels: five two-player number games. What make can do here:"
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 17

play: bytecode ## set up the program and start it
	@echo "Starting powerduels"
	@# Who leaves with Ctrl-C or Ctrl-D has done nothing wrong, and what did go wrong the program has told.
	@# But for the trap, the shell would end with a fault of its own.
	@trap : INT; $(BIN)/powerduels || case $$? in 1|130) ;; *) exit 1 ;; esac

test: bytecode check ## set up everything and run every check and test
	@echo "Running the tests"
	@$(PYTEST) --cov --cov-report=
	@echo "Checking that the tests reach every branch of the rules layer"
	@$(BIN)/python -m coverage report --include='$(RULES)' --fail-under=100

check: .venv/dev ## the fast checks alone: lint, format, types
	@echo "Checking style: ruff check"
	@$(BIN)/ruff check
	@echo "Checking the format: ruff format --check"
	@$(BIN)/ruff format --check
	@echo "Checking types: mypy"
	@$(BIN)/mypy

bench: .venv/dev ## run the benchmarks
	@echo "Running the benchmarks"
	@$(BIN)/python bench/run.py

soak: .venv/dev ## run the tests with large numbers of examples (takes long)
	@echo "Running the tests with large numbers of examples; this takes long"
	@$(PYTEST) --soak

lock: .venv/lock ## rewrite the lock files from requirements/*.in; UPGRADE=--upgrade takes the newest releases
	@echo "Locking requirements/*.in"
	@for name in play dev lock compiler; do \
	    echo "Writing requirements/$$name.txt"; \
	    $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras \
	        --no-header --no-annotate $(UPGRADE) requirements/$$name.in --output-file requirements/$$name.txt || exit; \
	done
	@! grep -n '://' requirements/*.txt

docs: .venv/dev ## write the generated pages of docs/
	@echo "Writing the generated pages of docs/"
	@$(BIN)/python tools/make_docs.py
	@$(BIN)/python tools/make_solving.py

golden: .venv/dev ## write the golden dialogues anew; read the difference before committing it
	@echo "Writing the golden dialogues anew"
	@$(BIN)/python -m pytest --regenerate-golden tests/test_golden.py

picture: .venv/dev ## draw the picture of a game for the README
	@echo "Drawing the picture of a game"
	@$(BIN)/python tools/make_picture.py

book: .venv/dev ## search the opening books of Power Line anew (takes hours)
	@echo "Searching the opening books of Power Line; an interrupted search goes on where it was"
	@$(BIN)/python tools/make_book.py

clean: ## remove .venv, caches and everything else that was made
	@echo "Removing .venv, caches and builds"
	@rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .coverage .coverage.* htmlcov build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment holds absolute paths: where it was copied or moved, or lost its Python, it is made anew.
ifneq ($(shell test -x $(BIN)/python && cat .venv/made-for 2>/dev/null),$(CURDIR))
.PHONY: .venv/made-for
endif

.venv/made-for:
	@echo "Making the virtual environment .venv"
	@sh tools/make_venv.sh .venv "$(PYTHON)"
	@echo "$(CURDIR)" > $@

SEARCH := $(wildcard src/powerduels/fast/*.[ch]) hatch_build.py

.venv/play: .venv/made-for requirements/play.txt requirements/compiler.txt pyproject.toml $(SEARCH)
	@echo "Installing the program and what it needs (requirements/play.txt) in .venv"
	@$(PIP) --require-hashes -r requirements/play.txt
	@if ! command -v $${CC:-cc} gcc clang >/dev/null; then \
	    echo "Installing a C compiler (requirements/compiler.txt) in .venv, for there is none"; \
	    $(PIP) --require-hashes -r requirements/compiler.txt; \
	fi
	@$(PIP) --no-build-isolation --editable .
	@touch $@

# An editable installation leaves the sources as they are; compiled, the program starts in half the time.
.PHONY: bytecode
bytecode: .venv/play
	@$(BIN)/python -m compileall -q src

.venv/dev: .venv/play requirements/dev.txt
	@echo "Installing what checks and tests need (requirements/dev.txt) in .venv"
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

.venv/lock: .venv/made-for requirements/lock.txt
	@echo "Installing what locking needs (requirements/lock.txt) in .venv"
	@$(PIP) --require-hashes -r requirements/lock.txt
	@touch $@
