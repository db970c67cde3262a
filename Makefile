# halfpoint: `make help` lists what can be made.
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
STAMP := $(VENV)/.ready
STAN := .venv-stan/bin/python
ARENA := .venv-arena/bin/python
AUDIT := .venv-audit/bin
SPHINX := $(BIN)/sphinx-build -q -W --keep-going -b html -d build/doctrees docs build/site
OUT ?= runs/study
EDITION ?= computed
N ?= 20
FUZZ ?= 50000
MUTANTS ?= 200
SEED ?= 1
DRAWN = $(shell grep -rl --include='test_*.py' 'mark.draws' tests)
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup schemas lock check test cases coverage slow seeds mutants fuzz kills audit sbom nightly study notebooks docs picture pictures headlines bench fields agreement clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

setup: $(STAMP) ## make .venv and install halfpoint with every dependency locked

$(STAMP): pyproject.toml .ci/requirements/lock.txt .ci/requirements/installer.txt
	@python=$$(.ci/python) && echo "setup: using $$python" && "$$python" -m venv --clear $(VENV)
	@$(PY) -m pip install -q --disable-pip-version-check --require-hashes -r .ci/requirements/installer.txt
	@$(BIN)/uv pip install -q --python $(PY) --compile-bytecode --require-hashes -r .ci/requirements/lock.txt \
	  || { echo "setup: uv could not install; trying pip"; $(PY) -m pip install -q --require-hashes -r .ci/requirements/lock.txt; }
	@$(PY) -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(PY) .ci/link.py
	@OMP_NUM_THREADS=1 $(PY) .ci/compile.py
	@touch $(STAMP)
	@echo "setup: done, $(BIN)/halfpoint is ready"

schemas: $(STAMP) ## make the JSON Schemas of the answers from their types (apps/workflows/schemas)
	@$(PY) -m halfpoint.apps.workflows.schemas.make

lock: ## write the lock files anew from pyproject.toml (needs the network)
	$(BIN)/uv pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate \
	  --all-extras --no-emit-package halfpoint pyproject.toml -o .ci/requirements/lock.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate \
	  .ci/requirements/installer.in -o .ci/requirements/installer.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate \
	  -c .ci/requirements/lock.txt .ci/requirements/build.in -o .ci/requirements/build.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate \
	  -c .ci/requirements/lock.txt .ci/requirements/benchmarks.in -o .ci/requirements/benchmarks.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate \
	  .ci/requirements/arena.in -o .ci/requirements/arena.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate \
	  .ci/requirements/audit.in -o .ci/requirements/audit.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate \
	  .ci/requirements/peers.in -o .ci/requirements/peers.txt

check: $(STAMP) ## lint, format, imports, prose, generated tables, bare notebooks, pages (warnings are errors), types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(PY) .ci/catalogue.py --check
	$(PY) .ci/picture.py --check
	$(PY) .ci/notebooks.py
	$(PY) .ci/prose.py
	$(PY) .ci/named_tests.py --check
	$(PY) .ci/names.py
	HALFPOINT_DOCS_NOTEBOOKS=kept $(SPHINX)
	$(PY) .ci/typed_wheel.py

test: $(STAMP) ## set up, get a browser if there is none, run the tests, a few cases of the dear ones
	@.ci/browser
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow and not further"

cases: $(STAMP) ## the tests with all their cases, as CI runs them
	@.ci/browser
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow"

coverage: $(STAMP) ## the tests, and which lines of the library they run (build/coverage); below the floor of pyproject.toml: red
	@.ci/browser
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow and not full_disk" --cov --cov-report=term:skip-covered --cov-report=html:build/coverage/html

slow: $(STAMP) ## the tests that take minutes, with PyTensor's C compiler; with HALFPOINT_TESTS_SECONDS=900 as many as fit, other ones each day
	@.ci/browser
	PYTENSOR_FLAGS=traceback__limit=0 $(BIN)/pytest -n 2 --dist loadfile -m slow

seeds: $(STAMP) ## what is said of draws under N other seeds (20), then without vector instructions
	@failed=""; for seed in $$(seq 1 $(N)); do \
	  HALFPOINT_TESTS_SEEDS=$$seed $(BIN)/pytest -q -n 2 --dist loadfile -m "draws and not slow" $(DRAWN) || failed="$$failed $$seed"; \
	done; \
	NUMBA_CPU_NAME=generic $(BIN)/pytest -q -n 2 --dist loadfile -m "draws and not slow" $(DRAWN) || failed="$$failed generic"; \
	echo "seeds: $(N) and the generic processor, failed:$${failed:- none}"; test -z "$$failed"

mutants: $(STAMP) ## hours: which of 200 random wrong lines the tests catch (MUTANTS=200 SEED=1)
	$(PY) .ci/mutants.py --count $(MUTANTS) --seed $(SEED)

fuzz: $(STAMP) ## hours: a million damaged files (FUZZ=50000 of each kind) for every reader, also of what halfpoint wrote
	$(PY) tests/fuzz/campaign.py --inputs $(FUZZ) --seed $$(date +%Y%m%d)
	$(PY) tests/apps/cli/fuzz_commands.py --inputs 150 --seed $$(date +%Y%m%d)
	$(PY) -W ignore::DeprecationWarning tests/fuzz/costly.py

kills: $(STAMP) ## hours: every command that writes, killed, with each call failing, with the power cut at each write; names
	$(PY) -W ignore::DeprecationWarning tests/apps/cli/names_campaign.py
	$(PY) -W ignore::DeprecationWarning tests/apps/cli/kill_campaign.py --seed $$(date +%Y%m%d) --table build/killed-$$(date +%Y%m%d).csv
	$(PY) -W ignore::DeprecationWarning tests/apps/cli/kill_campaign.py --seed $$(date +%Y%m%d) --table build/failed-$$(date +%Y%m%d).csv \
	  --faults --moments 67 --commands rate
	$(PY) -W ignore::DeprecationWarning tests/apps/cli/kill_campaign.py --calls --table build/calls-$$(date +%Y%m%d).csv
	@if [ "$$(id -u)" = 0 ] && [ -e /dev/fuse ]; then $(PY) -W ignore::DeprecationWarning tests/apps/cli/power_cuts.py; \
	else echo "kills: no cuts of the power without root and /dev/fuse"; fi

$(AUDIT)/python: $(STAMP) .ci/requirements/audit.txt
	$(PY) -m venv --clear .venv-audit
	$@ -m pip install -q --disable-pip-version-check --require-hashes -r .ci/requirements/audit.txt
	@touch $@

audit: $(AUDIT)/python ## known vulnerabilities of everything locked (needs the network)
	@set -e; for file in lock installer build audit benchmarks arena peers; do \
	  $(AUDIT)/pip-audit --disable-pip --require-hashes -r .ci/requirements/$$file.txt; \
	done

sbom: $(AUDIT)/python ## everything that is locked, with its hashes, as CycloneDX in build/sbom.json
	@mkdir -p build
	$(AUDIT)/cyclonedx-py requirements --pyproject pyproject.toml --mc-type library --output-reproducible \
	  -o build/sbom.json .ci/requirements/lock.txt

nightly: slow seeds mutants fuzz kills ## by night: the slow tests, then simulation-based calibration of every model
	$(BIN)/halfpoint calibrate all --simulations 300 --out runs/calibration

study: $(STAMP) ## set up, get the games, sample the twelve models, compare, report (EDITION=all for the three)
	$(BIN)/halfpoint study --edition $(EDITION) --out $(OUT)

notebooks: $(STAMP) ## run every notebook on the replica, without writing outputs into it
	$(PY) notebooks/run.py

picture: $(STAMP) ## draw the imports between folders from the code into CONTRIBUTING.md
	$(PY) .ci/picture.py

pictures: $(STAMP) ## take the pictures of pages in README.md and docs, of simulated games
	$(PY) docs/figures/make_pages.py

docs: $(STAMP) ## build the documentation in build/site, warnings are errors
	$(SPHINX)
	@echo "docs: open build/site/index.html"

headlines: $(STAMP) ## every headline of the documents run anew, beside what the pages print
	$(PY) benchmarks/records.py

bench: $(STAMP) ## hours: every benchmark, one after the other; each writes its figures beside itself
	@$(BIN)/uv pip install -q --python $(PY) --require-hashes -r .ci/requirements/benchmarks.txt
	@test -x $(STAN) || { \
	  python=$$(ls -d "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/3.12*/bin/python 2>/dev/null | tail -n 1); \
	  $(BIN)/uv venv -q --python "$${python:-3.12}" $(dir $(STAN)).. && \
	  $(BIN)/uv pip install -q --python $(STAN) --require-hashes -r .ci/requirements/benchmarks.txt; \
	} || echo "bench: no Python 3.12 for PyStan, Stan will be missing"
	@set -e; for file in benchmarks/bench_*.py; do \
	  echo "== $$file"; STAN_PYTHON=$(abspath $(STAN)) $(PY) $$file; \
	done

fields: $(STAMP) ## every rating system beside each field's best reference, ten minutes, writes benchmarks/tables/fields.md (FOLDER=...)
	$(PY) benchmarks/fields.py $(FOLDER)

.venv-peers/bin/python: $(STAMP) .ci/requirements/peers.txt
	@$(BIN)/uv venv -q --clear --python $(PY) .venv-peers
	@$(BIN)/uv pip install -q --python $@ --require-hashes -r .ci/requirements/peers.txt
	@touch $@

agreement: $(STAMP) ## fit others beside halfpoint on the same data, write docs/agreement.md
	@$(BIN)/uv pip install -q --python $(PY) --require-hashes -r .ci/requirements/benchmarks.txt
	@test -x $(ARENA) || $(BIN)/uv venv -q --python $(PY) $(dir $(ARENA))..
	@$(BIN)/uv pip install -q --python $(ARENA) --require-hashes -r .ci/requirements/arena.txt
	ARENA_PYTHON=$(abspath $(ARENA)) $(PY) benchmarks/agreement.py

clean: ## remove what make made
	rm -rf $(VENV) .venv-stan .venv-arena .venv-peers .venv-audit build dist
