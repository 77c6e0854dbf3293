# `make help` lists what there is. Only Python 3.11+ and make are needed to start.

PORT ?= 8000
HOST ?= 127.0.0.1
SERVERS ?= any
ARGS ?=

BIN := .venv/bin
RUN := $(BIN)/python
export PYTHONUNBUFFERED := 1
# Tests and servers are many processes: each would compile everything anew where this is set.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run test thorough shuffle check style layers types templates migrations-check deployment
.PHONY: drill reliability load-pages load-writes load-sockets production
.PHONY: format fonts bench tournament browsers pages mails walk event-time swiss-time server-time kept-pages kept-changes hot-pages guests-load hostile redis-away postgres-away races fuzz audit lock upgrade migrations messages clean

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/base.stamp: requirements/base.txt requirements/environment.py
	@python="$$(requirements/python.sh)" && "$$python" requirements/environment.py base

.venv/dev.stamp: requirements/dev.txt requirements/servers.txt requirements/environment.py
	@python="$$(requirements/python.sh)" && "$$python" requirements/environment.py dev

setup: .venv/dev.stamp ## Make the environment in .venv: locked packages for running, testing and linting

run: .venv/base.stamp ## Set everything up and serve the site with its worker (PORT=8000, HOST=0.0.0.0 lets others in)
	@$(RUN) manage.py serve --host $(HOST) --port $(PORT)

test: .venv/dev.stamp ## All tests on SQLite, and what they send to it on PostgreSQL and Redis (SERVERS=own, ARGS="-k word")
	@$(RUN) -m tests.run --servers $(SERVERS) -- $(ARGS)

thorough: .venv/dev.stamp ## The same in full: every page in every form, every odd value, every release (ARGS="tests/browser")
	@THOROUGH=1 $(RUN) -m tests.run --servers $(SERVERS) -- $(ARGS)

shuffle: .venv/dev.stamp ## All tests in full, each on both databases, in another order and with other chance (ARGS="--randomly-seed=SEED" repeats one)
	@THOROUGH=1 $(RUN) -m tests.run --servers $(SERVERS) --everything -- --hypothesis-profile=chance $(or $(ARGS),--randomly-seed=$$(date +%s))

check: style layers types templates migrations-check deployment ## All of the following checks (make -k check shows all faults)

style: .venv/dev.stamp ## ruff: lint and form
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .

layers: .venv/dev.stamp ## import-linter: config, games, league, engine, in this direction
	$(BIN)/lint-imports --no-logo

types: .venv/dev.stamp ## mypy: strict for the engine, Django's types for the rest
	$(BIN)/mypy

templates: .venv/dev.stamp ## djlint
	$(BIN)/djlint --lint --quiet templates games

migrations-check: .venv/dev.stamp ## Say whether a migration is missing
	$(RUN) manage.py makemigrations --check --dry-run

deployment: .venv/dev.stamp ## Django's own checks, with the production settings
	$(RUN) -m tests.deployment

format: .venv/dev.stamp ## Put all Python files in the project's form
	@$(BIN)/ruff check -q --fix .
	@$(BIN)/ruff format -q .

bench: .venv/dev.stamp ## Measure the engine's speed (docs/performance.md)
	@$(BIN)/pytest tests/benchmarks -p no:randomly -p no:xdist --benchmark-enable --benchmark-only --benchmark-columns=min,median,mean,ops $(ARGS)

tournament: .venv/dev.stamp ## Robots of a game compared: novice against chance, searcher against novice (GAME=key ARGS="--playouts 120")
	@$(RUN) -m engine tournament --game $(GAME) --robots novice,beginner --workers 2 $(ARGS)
	@$(RUN) -m engine tournament --game $(GAME) --robots searcher,novice --workers 2 $(ARGS)

browsers: .venv/dev.stamp ## Play a match of a game to its end in Chromium, at a desk and on a phone (GAME=key)
	@$(RUN) -m tests.benchmarks.browsers --game $(GAME) $(ARGS)

pages: .venv/dev.stamp ## What pages weigh and how fast they show on a slow phone (ARGS="--times 5 --only my")
	@$(RUN) -m tests.benchmarks.pages $(ARGS)

mails: .venv/dev.stamp ## Every mail of the site as a phone shows it, in both languages, light and dark: pictures in var/mails/
	@$(BIN)/pytest -q -p no:randomly -n0 tests/benchmarks/mails.py $(ARGS)

walk: .venv/dev.stamp ## A club's year as a new secretary walks through it, on a phone with a real mail server: taps, fields, minutes (ARGS="--language de")
	@$(RUN) -m tests.benchmarks.secretary $(ARGS)

event-time: .venv/dev.stamp ## What a duplicate event of 300 tables and 28 boards takes: its figures, its pages
	@$(BIN)/pytest -q -p no:randomly -n0 tests/benchmarks/event_time.py $(ARGS)

swiss-time: .venv/dev.stamp ## What a round of a large Swiss and of a cup of 1,000 takes, and their pages
	@$(BIN)/pytest -q -p no:randomly -n0 tests/benchmarks/swiss_time.py $(ARGS)

server-time: .venv/dev.stamp ## Queries and milliseconds of the most visited pages, on the demo and on 60 pairs
	@$(BIN)/pytest -q -p no:randomly -n0 tests/benchmarks/server_time.py $(ARGS)

kept-pages: .venv/dev.stamp ## Kept pages, 304s and drawn pages beside a bare Django page (DATABASE_URL with the demo, REDIS_URL, production settings)
	@$(RUN) -m tests.benchmarks.kept_pages $(ARGS)

kept-changes: .venv/dev.stamp ## How soon a change is on a page that many look at (as make kept-pages)
	@$(RUN) -m tests.benchmarks.kept_changes $(ARGS)

hot-pages: .venv/dev.stamp ## Pages of who is logged in beside a bare page, and on a large database (ARGS="postgres:///demo postgres:///large")
	@$(RUN) -m tests.benchmarks.hot_pages $(ARGS)

guests-load: .venv/dev.stamp ## Guests at 50 tables beside members at 50, on a server that runs: see tests/benchmarks/tables_load.py
	@$(RUN) -m tests.benchmarks.tables_load --tables 50 --guests 50 $(ARGS)

hostile: .venv/dev.stamp ## Send every odd value to every address (the tests send each address a tenth of them)
	@THOROUGH=1 $(BIN)/pytest -q -n 2 tests/hostile $(ARGS)

production: .venv/dev.stamp ## Walk docs/production.md from an empty computer on: all of it, the image built in a clean root (as root)
	@folder="$$(mktemp -d -p /var/tmp)" && trap 'rm -rf "$$folder"' EXIT && \
		unshare --mount $(RUN) -m tests.production.image "$$folder" && \
		$(RUN) -m tests.production.walk --image "$$folder" $(ARGS)

redis-away: .venv/dev.stamp ## Take Redis away from a worker and beat, twice, and see that they go on
	@$(BIN)/pytest -q -p no:randomly -n0 tests/reliability/redis_away.py $(ARGS)

postgres-away: .venv/dev.stamp ## Take PostgreSQL away from all of production, twice, and see that it goes on
	@$(BIN)/pytest -q -s -p no:randomly -n0 tests/reliability/postgres_away.py $(ARGS)

reliability: .venv/dev.stamp ## Break what can break while people write, and see that nothing is lost or doubled (FULL=1: for hours)
	@$(BIN)/pytest -q -s -p no:randomly -n0 tests/reliability/acknowledged.py tests/reliability/mails.py \
		tests/reliability/clocks.py tests/reliability/redis_away.py tests/reliability/postgres_away.py \
		tests/reliability/web_killed.py tests/live/test_broken_lines.py $(ARGS)

drill: .venv/dev.stamp ## Lose a database while people write, and bring it back by the commands of docs/production.md
	@$(BIN)/pytest -q -s -p no:randomly -n0 tests/reliability/drill.py $(ARGS)

load-pages: .venv/dev.stamp ## Locust reads pages of a production of its own (ARGS="--users 100 --seconds 60")
	@nice $(RUN) -m tests.benchmarks.load.pages $(ARGS)

load-writes: .venv/dev.stamp ## 75 tables submit at once, each request three times (ARGS="--tables 75 --pairs 25")
	@nice $(RUN) -m tests.benchmarks.load.writes $(ARGS)

load-sockets: .venv/dev.stamp ## 500 tables with 2,000 sockets beside a bare echo (ARGS="--tables 50 --robots 100": beside robots' tables)
	@nice $(RUN) -m tests.benchmarks.load.sockets $(ARGS)

races: .venv/dev.stamp ## Each act of an evening with each at once, on PostgreSQL, so often (RACES=5)
	@RACES=$(or $(RACES),5) $(BIN)/pytest -q -n 2 tests/concurrency/test_services_in_pairs.py $(ARGS)

fuzz: .venv/dev.stamp ## Let atheris look for files that break the readers of deals (ARGS="--seconds 600")
	@$(RUN) -m tests.fuzz.run $(ARGS)

audit: .venv/dev.stamp ## Known weaknesses of the packages (asks a public database)
	@$(BIN)/pip-audit --require-hashes --disable-pip -r requirements/dev.txt

lock: ## Write requirements/*.txt for what the *.in files ask now; versions stay where they may
	@python="$$(requirements/python.sh)" && "$$python" requirements/environment.py lock

upgrade: ## Write requirements/*.txt with the newest versions that the *.in files allow
	@python="$$(requirements/python.sh)" && "$$python" requirements/environment.py upgrade

migrations: .venv/dev.stamp ## Write the migrations that the models ask for
	@$(RUN) manage.py makemigrations

messages: .venv/dev.stamp ## Collect the texts to translate and compile their translations (needs gettext)
	@$(RUN) -m tests.translations.collect

fonts: .venv/dev.stamp ## Cut the bundled faces to the letters that the site writes (tests/faces.py)
	@$(RUN) -m tests.faces

clean: ## Remove the environment, caches and collected files; never var/, where the data is
	rm -rf .venv staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
