# Everything sets itself up: `make play` and `make test` work from a bare clone with Python >= 3.11 and g++.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
PY := $(BIN)/python
# The virtual environment's cmake and ninja come first, so that a machine without them works too.
export PATH := $(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
LOCK := flock .build.lock
GAME ?= connect-four
NATIVE_SOURCES = $(shell find native include -name '*.[ch]pp' -o -name '*.h')
SEED ?= 0

.PHONY: help play web test format check-full bench bench-games bench-engine bench-constraint bench-library bench-view bench-pages bench-clicks bench-spectators bench-scsp bench-xcsp3 bench-symmetry bench-symmetry-cost bench-puzzles bench-players bench-published bench-scaling bench-proofs bench-truth bench-tree bench-threads bench-signatures lint docs wheel wheel-test build clean native-tests sanitize sanitize-thread bench-qcsp bench-tournament bench-starts unit bench-env bench-env-corpus bench-belief bench-stage-symmetry bench-shares bench-forced-wins bench-simultaneous bench-equilibrium bench-hidden

help:  ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

play: build  ## play in the browser; over ssh, or without a display, watch a match in the terminal (GAME=breakthrough for another game)
	@if [ -z "$${SSH_CONNECTION:-}$${SSH_TTY:-}" ] && [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then $(BIN)/woodstock web $(GAME); \
	else $(BIN)/woodstock watch $(GAME); fi

web: build  ## play, watch, analyse and write rules in the browser, on this machine
	@$(BIN)/woodstock web

# The native tests compile while mypy reads.
test: build  ## everything that must pass before a commit
	$(MAKE) --no-print-directory -j2 lint native-tests
	$(MAKE) --no-print-directory unit

check-full: lint build native-tests sanitize docs wheel-test  ## all tests, with the slow sweeps, the sanitizers, the site and the wheels
	$(PY) -m pytest

# Modules are compiled once, also if the environment asks for no compiled files: the tests start hundreds of processes.
unit: export PYTHONDONTWRITEBYTECODE :=
unit: build
	$(PY) -m pytest -m "not full" -n auto --dist worksteal

lint: build  ## format, ruff and mypy --strict
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(NATIVE_SOURCES)
	$(BIN)/ruff check .
	$(BIN)/mypy
	web/node_modules/.bin/tsc --noEmit -p web

format: build  ## format all sources as `make lint` wants them
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(NATIVE_SOURCES)

native-tests: build
	$(LOCK) scripts/build native_tests
	build/native_tests

sanitize: build
	$(LOCK) scripts/build sanitize
	build/sanitize/native_tests

sanitize-thread: build  ## the native tests of the quantified search under ThreadSanitizer
	$(LOCK) scripts/build sanitize-thread
	build/sanitize-thread/native_tests

bench-qcsp: build  ## quantified search: nodes and CPU with and without guides, the rate of the bus
	$(PY) -m bench.qcsp --out bench/results/qcsp.txt

bench: bench-engine bench-games bench-signatures  ## all benchmarks

bench-engine: build  ## playouts and steps per second
	$(PY) -m bench.engine

bench-games: build  ## load every rulesheet of the corpus: times and sizes of each phase
	$(PY) -m bench.games

bench-symmetry: build  ## groups, and states and time to solve games with and without symmetries
	$(PY) -m bench.symmetry --out bench/results/symmetry.txt

bench-stage-symmetry: build  ## moves merged by symmetries of states, and how much trees shrink, on 25 games
	$(PY) -m bench.stage_symmetry --out bench/results/stage_symmetry.txt
	$(PY) -m bench.stage_symmetry --search --out bench/results/stage_symmetry_search.txt
	$(PY) -m bench.stage_symmetry --tree --out bench/results/symmetry_trees.txt

bench-shares: build  ## the published players: does each share of the time hold, on every bundled game
	$(PY) -m bench.shares --out bench/results/shares.txt

bench-hidden: build  ## matches of players of hidden information, and how much they can be exploited (JOBS=16 MINUTES=10)
	$(PY) -m bench.hidden_matches --jobs $(or $(JOBS),1) --minutes $(or $(MINUTES),10) --out bench/results/hidden_matches.txt
	$(PY) -m bench.exploitability --jobs $(or $(JOBS),1) --out bench/results/exploitability.txt

bench-forced-wins: build  ## forced wins by one quantified network and by search
	$(PY) -m bench.forced_wins --out bench/results/forced_wins.txt
	$(PY) -m bench.forced_wins --matches 20 --out bench/results/forced_wins_matches.txt

bench-symmetry-cost: build  ## stages and simulations a second, with symmetries compared with without
	$(PY) -m bench.symmetry cost

bench-puzzles: build  ## one-player rulesheets: how many reach their best goal within the clocks
	$(PY) -m bench.puzzles --moves 5 --out bench/results/puzzles.txt
	$(PY) -m bench.puzzles --competition --out bench/results/puzzles_2016.txt

bench-proofs: build  ## right moves within a second and results known early, with and without proofs beside the tree
	$(PY) -m bench.proofs --out bench/results/proofs.txt
	$(PY) -m bench.proofs states --out bench/results/proof_states.txt

bench-truth: build  ## tic-tac-toe is never lost, and best moves are found in small solved games
	$(PY) -m bench.truth --out bench/results/truth.txt

bench-published: build  ## mac-ucb-2015 against uct-2016 and fc-ucb-2016, a small table; experiments/cons-table-3.toml is the long one
	$(PY) -m bench.players --player mac-ucb-2015 --rivals "uct-2016;fc-ucb-2016" --games tic-tac-toe,connect-four,kaseklau,sheep-and-wolf --cpu --seconds 0.1 --pairs 4 --opening 2 --out bench/results/published.txt

bench-players: build  ## matches of mac-ucb-sym against every rival at 0.3 s a move: hours; a stopped run can be resumed
	$(PY) -m bench.players --out bench/results/players.txt

bench-scaling: build  ## each player against itself with a quarter of the time, at 0.2, 0.8 and 3.2 s a move: hours
	$(PY) -m bench.scaling --out bench/results/scaling.txt

bench-simultaneous: build  ## exploitability of played strategies at 0.01, 0.1, 1 and 10 s a state: an hour, or minutes with JOBS=16
	$(PY) -m bench.simultaneous --seconds 0.01,0.1,1,10 --jobs $(or $(JOBS),1) --out bench/results/simultaneous.txt

bench-tree: build  ## leaves a second, the tree's time for each and bytes for each state
	$(PY) -m bench.tree --out bench/results/tree.txt

bench-threads: build  ## two threads compared with one: speed, and matches at equal numbers of simulations
	$(PY) -m bench.threads

bench-signatures: build  ## the signature of each player's tree after a fixed number of simulations
	$(PY) -m bench.signatures

bench-equilibrium: build  ## exact equilibria: NashConv and CFR+ compared with OpenSpiel, and what symmetries save
	$(PY) -m bench.equilibrium --out bench/results/equilibrium.txt

bench-tournament: build  ## the overhead of a tournament, and its statistics against known truth
	$(PY) -m bench.tournament --out bench/results/tournament.txt

bench-starts: build  ## START, two PLAYs and STOP on every rulesheet, with four busy loops on each two cores
	$(PY) -m bench.matches starts --load 4 --jobs $$(( ($$(nproc) + 1) / 2 )) --out bench/results/starts.txt

bench-pages: build  ## the pages in a browser: first line of an analysis, its updates, diagnostics, a playable board
	$(PY) -m bench.pages --out bench/results/pages.txt

bench-view: build  ## draw every rulesheet of the corpus: how many have a board
	nice -n 10 $(PY) -m bench.games --view

bench-clicks: build  ## play every rulesheet of the corpus by clicks: how many moves are on the board
	nice -n 15 $(PY) -m bench.clicks --out bench/results/clicks.txt

bench-spectators: build  ## eight matches and fifty spectators on one site: late moves, time of clicks
	$(PY) -m bench.spectators --out bench/results/spectators.txt

bench-env: build  ## environments for learning: steps a second compared with OpenSpiel and pgx (installs jax and pgx)
	$(PY) -m pip install --quiet jax pgx
	$(PY) -m bench.env --out bench/results/env.txt

bench-env-corpus: build  ## every public rulesheet as an environment, through the tests of PettingZoo and Gymnasium
	nice -n 10 $(PY) -m bench.env_corpus --out bench/results/env_corpus.txt

bench-belief: build  ## beliefs: particle steps a second, distance from exact ones, rebuilding, deadlines, a sweep
	nice -n 5 $(PY) -m bench.belief --out bench/results/belief.txt

bench-library: build  ## the bundled games: compared with their oracles, sizes and speeds
	$(PY) -m bench.library --out bench/results/library.txt

bench-constraint: build  ## enumerate solutions: ours against ACE, Choco and CP-SAT (needs Java; installs pycsp3, ortools)
	$(PY) -m pip install --quiet pycsp3 ortools
	$(PY) -m bench.constraint --out bench/results/constraint.txt

bench-scsp: build  ## sizes of translated games compared with published ones, and stages solved per second
	$(PY) -m bench.scsp --out bench/results/scsp.txt

bench-xcsp3: build  ## count exported instances by ACE, Choco and our solver (needs Java; installs pycsp3)
	$(PY) -m pip install --quiet pycsp3
	$(PY) -m bench.xcsp3_counts --out bench/results/xcsp3.txt

docs: build $(VENV)/.docsready  ## build the site into build/site and run every example of README, docs and docstrings
	$(PY) -m pytest -n auto tests/unit/docs tests/unit/test_public_names.py
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict
	@echo "open build/site/index.html"

wheel: build $(VENV)/.releaseready  ## the source archive and the wheels, into dist
	scripts/wheel

wheel-test: wheel  ## try the wheels in empty virtual environments: a match, the examples of the README
	$(PY) scripts/wheel_test.py

build: $(VENV)/.ready  ## compile the native module and install the package for development
	@$(LOCK) scripts/build module
	@$(LOCK) scripts/build pages

$(VENV)/.ready: pyproject.toml scripts/setup
	@$(LOCK) scripts/setup "$(PYTHON)"

$(VENV)/.docsready $(VENV)/.releaseready: $(VENV)/.%ready: $(VENV)/.ready
	@$(LOCK) scripts/setup "$(PYTHON)" $*

clean:  ## remove everything that was built, and the virtual environment
	rm -rf build dist $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .build.lock
