# Two commands on a fresh machine with Python 3.11+, pip and make: `make demo` and `make test`.
unexport PYTHONDONTWRITEBYTECODE  # tests start hundreds of processes, and each would compile all that it imports
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

MINIMUM = $(VENV)/minimum
MINIMUM_TESTS = asp batch bulk census cores crosscheck_cluster diplomacy_oracle readme saved_games search_answers showing
SECONDS = 120
SHARE = 1/1
VERSIONS = oldest 3.11 3.12 3.13 3.14

.PHONY: demo quick test lint unit slow-test campaigns browser-test theory versions docs fuzz generated kernel kit bench packages clean

demo: $(VENV)/.installed  ## judge a convoy paradox
	$(BIN)/satjudge resolutions datc:6.F.14
	$(BIN)/satjudge judge datc:6.F.14

quick: $(VENV)/.installed-dev  ## the tests that your changes are most likely to break, in about 20 seconds
	$(BIN)/python tests/quick.py

test: $(VENV)/.installed-dev  ## everything that must be green, on a machine without fonts, browser and compiler
	@$(MAKE) --no-print-directory --jobs 2 lint unit
	@echo "Left out: long tests (make slow-test), and pages in a real browser (apt-get install chromium chromium-driver; make browser-test)"

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.installed-dev
	$(BIN)/python -m compileall -q satjudge  # once, and not by each process
	$(BIN)/pytest -n 3 -q --dist worksteal  # one more than cores on a small machine: some tests wait for processes

slow-test: $(VENV)/.installed-dev  ## what takes many seconds by itself: clusters, files that unpack to much, every published game and map
	HYPOTHESIS_PROFILE=long $(BIN)/pytest -n 2 -q -m "slow or hypothesis" --dist worksteal --share $(SHARE) --ignore tests/proofs/test_theory.py

campaigns: $(VENV)/.installed-dev  ## what certificates rest on, tried on boards and mutants by the thousand (docs/papers/certificates.md); make campaigns SHARE=1/4
	$(BIN)/pytest -n 2 -q -m campaign --dist worksteal --share $(SHARE) --ignore tests/proofs/test_theory.py

browser-test: $(VENV)/.installed-dev  ## pages of `report` and `explore` in Debian's Chromium; make browser-test ONLY='not site'
	$(BIN)/pytest -q -m browser -k "$(ONLY)" --share $(SHARE)

theory: $(VENV)/.installed-dev  ## the formal rules and theorems of models/theory: proofs, cases, 10,000 boards, and each clause broken once
	@command -v coqc >/dev/null && command -v ocamlopt >/dev/null || \
	  { echo "The theory needs Rocq: apt-get install coq libcoq-mathcomp-ssreflect ocaml-nox"; exit 1; }
	$(BIN)/pytest -q -m "slow or campaign" tests/proofs/test_theory.py

versions:  ## the tests under each of these: the oldest dependencies that are allowed, versions of Python here: make versions VERSIONS="oldest 3.12"
	@for version in $(VERSIONS); do \
	  if [ "$$version" = oldest ]; then \
	    $(MAKE) $(MINIMUM)/.installed || exit 1; \
	    $(MINIMUM)/bin/python -m pytest -q -n 2 $(foreach test,$(MINIMUM_TESTS),$(wildcard tests/*/test_$(test).py)) || exit 1; \
	    continue; \
	  fi; \
	  for python in $$HOME/.pyenv/versions/$$version.*/bin/python$$version python$$version none; do \
	    "$$python" -c "" 2>/dev/null && break; \
	  done; \
	  if [ "$$python" = none ]; then echo "left out: Python $$version is not on this machine"; continue; fi; \
	  $(MAKE) unit PYTHON="$$python" VENV=$(VENV)/$$version || exit 1; \
	done

docs: $(VENV)/.installed-dev  ## the documentation in site/, built without a network; its first page is site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	$(BIN)/pytest -q -m site tests/house/test_site.py

fuzz: $(VENV)/.installed-dev  ## every input format, mutated at random: make fuzz SECONDS=600
	FUZZ_SECONDS=$(SECONDS) $(BIN)/pytest -q -s -m fuzz tests/fuzz

generated: $(VENV)/.installed-dev  ## write anew what is made from sources: kept equations, the map and rulebook by default, schemas, pictures
	$(BIN)/python tests/judging/test_equations.py
	$(BIN)/python tests/show/test_documents.py
	$(BIN)/python docs/pictures/make_rooms.py
	$(BIN)/python docs/pictures/make_pictures.py

kernel: $(VENV)/.installed-dev  ## the compiled kernel in models/kernel, by clang; its version is told, and the bytes are promised for that one
	$(BIN)/python -m release.kernel

bench: $(VENV)/.installed-dev  ## the speed of satjudge beside that of the diplomacy package: tables and a plot in docs/speed
	$(BIN)/python benchmarks/bench.py --json docs/papers/speed/bench.json --markdown docs/papers/speed/bench.md --plot docs/papers/speed/size.svg --page docs/papers/speed.md

packages: $(VENV)/.installed-dev  ## what a release uploads, checked: dist/ and build/certificates/; make packages TAG=v0.1.0 says first what stands in the way
	$(if $(TAG),$(BIN)/python release/ready.py $(TAG))
	rm -rf dist build/certificates && mkdir -p build/certificates
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/pyroma -n 10 .
	$(BIN)/python release/certificates.py build/certificates/satjudge-certificates.zip
	$(BIN)/python -m release.kit build/diplomacy-kit
	$(BIN)/python -m release.js build/npm

kit: $(VENV)/.installed-dev  ## the conformance kit as a package for programs in any language: build/diplomacy-kit and its zip file
	$(BIN)/python -m release.kit build/diplomacy-kit

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $(VENV)/.installed $@

# The packages are the oldest that are allowed; pytest and its like are current ones.
$(MINIMUM)/.installed: pyproject.toml
	$(PYTHON) -m venv --clear $(MINIMUM)
	$(MINIMUM)/bin/pip install --quiet --disable-pip-version-check uv
	$(MINIMUM)/bin/uv pip install --quiet --python $(MINIMUM)/bin/python --resolution lowest-direct \
	  -e ".[pictures,pettingzoo,oracles,proofs,cluster]"
	$(MINIMUM)/bin/pip install --quiet --disable-pip-version-check pytest pytest-xdist hypothesis matplotlib clingo
	touch $@

clean:
	rm -rf $(VENV) build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
