PYTHON ?= python3
PY := .venv/bin/python
.DEFAULT_GOAL := help

.PHONY: help
help: ## Show what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Make .venv with the pinned requirements, tools included (skipped when nothing changed)
	@$(PYTHON) tools/bootstrap.py requirements-dev.txt

.PHONY: run
run: ## Start the dashboard: web server, worker and scheduler (PORT=8000; DATABASE_URL, REDIS_URL)
	@$(PYTHON) tools/bootstrap.py requirements.txt && exec $(PY) -m tools.run

.PHONY: check
check: setup ## Lint, formats, types, import floors, missing migrations
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m djlint --lint --quiet templates
	$(PY) -m djlint --check --quiet templates
	.venv/bin/lint-imports
	$(PY) manage.py makemigrations --check --dry-run

.PHONY: test
test: setup ## Check, then every test on SQLite, then database and broker tests on PostgreSQL and Redis
	@$(MAKE) --no-print-directory check
	@exec $(PY) -m tools.test $(ARGS)

.PHONY: bench
bench: setup ## Measure speed (tests/benchmarks), as ratios within one run
	$(PY) -m tests.benchmarks

.PHONY: fmt
fmt: setup ## Format code and templates
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	$(PY) -m djlint --reformat --quiet templates

.PHONY: clean
clean: ## Remove .venv and caches; keeps var/, where the data are
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
