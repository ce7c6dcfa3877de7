# `make` lists the targets. Works with GNU make 3.81 (macOS) and later.
# PYTHON chooses the interpreter of a new .venv, KPVIZ_BROWSER the tests' browser; PYTEST_ARGS goes to pytest,
# BENCH_ARGS to the benchmarks, VERSIONS says with which versions test-versions fills .venv.

PYTEST_ARGS ?=
BENCH_ARGS ?=
VERSIONS ?= lowest
bin = .venv/bin
node = $(bin)/node node_modules
sphinx = $(bin)/python -m sphinx -q -W --keep-going -d build/docs/doctrees

.PHONY: help run test test-versions test-browsers test-pyodide check docs docs-check format bench assets lock wheel clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

run: ## set up and open the app
	@sh scripts/setup
	@trap : INT; $(bin)/kpviz app || [ $$? -eq 130 ]  # Ctrl+C is no error

test: ## set up everything that tests need, a browser included, and run them
	@sh scripts/setup dev
	@browser=$$(sh scripts/browser) && KPVIZ_BROWSER="$$browser" KPVIZ_REQUIRE_BROWSER=1 PYTHONDONTWRITEBYTECODE= \
		$(bin)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

test-versions: ## run the tests at the ends of what pyproject.toml allows: VERSIONS=lowest (in Python 3.11) or newest
	@sh scripts/setup test $(VERSIONS)
	@browser=$$(sh scripts/browser) && KPVIZ_BROWSER="$$browser" KPVIZ_REQUIRE_BROWSER=1 PYTHONDONTWRITEBYTECODE= \
		$(bin)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

test-browsers: ## run the main journeys in Firefox and WebKitGTK
	@sh scripts/setup test
	@sh scripts/browsers
	@KPVIZ_REQUIRE_BROWSERS=1 $(bin)/python -m pytest -n 2 --dist loadgroup tests/journeys

test-pyodide: ## run the tests of pages with Python in them with Pyodide, which is fetched
	@sh scripts/setup test
	@$(bin)/python scripts/pyodide.py build/pyodide
	@browser=$$(sh scripts/browser) && KPVIZ_BROWSER="$$browser" KPVIZ_REQUIRE_BROWSER=1 KPVIZ_PYODIDE=build/pyodide \
		$(bin)/python -m pytest tests/browser/test_alone.py $(PYTEST_ARGS)

check: ## formatters, linters, types, import rules
	@sh scripts/setup dev
	$(bin)/ruff format --check
	$(bin)/ruff check
	$(bin)/python scripts/plain.py
	$(bin)/mypy
	$(bin)/lint-imports
	$(node)/prettier/bin/prettier.cjs --check --log-level=warn .
	$(node)/eslint/bin/eslint.js .
	$(node)/typescript/bin/tsc

docs: ## build the documentation into build/docs/html, and run its examples
	@sh scripts/setup dev
	rm -rf build/docs docs/generated
	$(sphinx) -b html docs build/docs/html
	$(sphinx) -b doctest docs build/docs/doctest

docs-check: docs ## open every page of the documentation in a browser
	@browser=$$(sh scripts/browser) && KPVIZ_BROWSER="$$browser" $(bin)/python scripts/check_docs.py

format: ## format the code and mend what the linters can
	@sh scripts/setup dev
	$(bin)/ruff check --fix
	$(bin)/ruff format
	$(node)/eslint/bin/eslint.js --fix .
	$(node)/prettier/bin/prettier.cjs --write --log-level=warn .

bench: ## time the engine, the app, films and the page that plays itself
	@sh scripts/setup dev
	@browser=$$(sh scripts/browser) && KPVIZ_BROWSER="$$browser" OPENBLAS_NUM_THREADS=1 $(bin)/python -m benchmarks $(BENCH_ARGS)

assets: ## make fonts, theme, thumbnails, the reference's tables and the README's film and pictures again
	@sh scripts/setup dev
	@$(bin)/python scripts/fonts.py
	@$(bin)/python scripts/theme.py
	@$(bin)/python scripts/thumbnails.py
	@$(bin)/python scripts/lesson_pictures.py
	@$(bin)/python scripts/panels.py
	@$(bin)/python scripts/reference.py
	@browser=$$(sh scripts/browser) && KPVIZ_BROWSER="$$browser" $(bin)/python scripts/pictures.py

lock: ## write constraints.txt anew (needs Python 3.11)
	@sh scripts/lock

wheel: ## build the wheel and the sdist into dist/
	@$${PYTHON:-python3} -m venv build/venv
	@build/venv/bin/python -m pip install -qq --disable-pip-version-check "build>=1.2"
	@build/venv/bin/python -m build

clean: ## remove caches and what was built; .venv and node_modules stay
	rm -rf build dist docs/generated *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . \( -name .venv -o -name node_modules \) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
