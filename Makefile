# `make help` lists what there is. Only Python 3.11+ and make are needed to start.

PORT ?= 8000
HOST ?= 127.0.0.1
SERVERS ?= any
ARGS ?=

BIN := .venv/bin
RUN := $(BIN)/python
export PYTHONUNBUFFERED := 1

.DEFAULT_GOAL := help
.PHONY: help setup run test check format bench audit lock migrations migrations-check messages clean

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/base.stamp: requirements/base.txt requirements/environment.py
	@python="$$(requirements/python.sh)" && "$$python" requirements/environment.py base

.venv/dev.stamp: requirements/dev.txt requirements/environment.py
	@python="$$(requirements/python.sh)" && "$$python" requirements/environment.py dev

setup: .venv/dev.stamp ## Make the environment in .venv: locked packages for running, testing and linting

run: .venv/base.stamp ## Set everything up and serve the site with its worker (PORT=8000, HOST=0.0.0.0 lets others in)
	@$(RUN) manage.py serve --host $(HOST) --port $(PORT)

test: .venv/dev.stamp ## All tests, on SQLite and on PostgreSQL and Redis (SERVERS=own, ARGS="-k word")
	@$(RUN) -m tests.run --servers $(SERVERS) -- $(ARGS)

check: .venv/dev.stamp ## Linters, types, layers, templates, migrations, deployment settings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	$(BIN)/djlint --lint --quiet templates
	$(RUN) manage.py makemigrations --check --dry-run
	@echo "$(RUN) manage.py check --deploy (as in production)"
	@DJANGO_SETTINGS_MODULE=config.settings.production SECRET_KEY=$$($(RUN) -c 'import secrets; print(secrets.token_hex(40))') \
	  DATABASE_URL=postgresql:///none REDIS_URL=redis://none EMAIL_URL=consolemail:// ALLOWED_HOSTS=league.example.org \
	  $(RUN) manage.py check --deploy --fail-level WARNING

format: .venv/dev.stamp ## Put all Python files in the project's form
	@$(BIN)/ruff check -q --fix .
	@$(BIN)/ruff format -q .

bench: .venv/dev.stamp ## Measure the engine's speed (docs/performance.md)
	@$(BIN)/pytest tests/benchmarks -p no:randomly -p no:xdist --benchmark-only --benchmark-columns=min,median,mean,ops $(ARGS)

audit: .venv/dev.stamp ## Known weaknesses of the packages (asks a public database)
	@$(BIN)/pip-audit --require-hashes --disable-pip -r requirements/dev.txt

lock: ## Read requirements/*.in anew: newest allowed versions, with hashes
	@python="$$(requirements/python.sh)" && "$$python" requirements/environment.py lock

migrations: .venv/dev.stamp ## Write the migrations that the models ask for
	@$(RUN) manage.py makemigrations

migrations-check: .venv/dev.stamp ## Say whether a migration is missing
	@$(RUN) manage.py makemigrations --check --dry-run

messages: .venv/dev.stamp ## Collect the texts to translate (needs gettext)
	@$(RUN) manage.py makemessages --all --ignore .venv --ignore var --no-obsolete

clean: ## Remove the environment, caches and collected files; never var/, where the data is
	rm -rf .venv staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
