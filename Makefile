# The two commands: `make demo` shows the judge at work, `make test` proves it. Each sets up first.
.DEFAULT_GOAL := help
.PHONY: help setup languages demo test check serve bench train-demo soak faults fuzz clean

BIN := .venv/bin

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv and an nsjail that starts; done once
	@scripts/setup

languages: ## compilers and interpreters for the tests, where they are missing; as root with apt
	@scripts/languages

demo: setup ## judge the bundled sample rollouts over HTTP and print one table
	@$(BIN)/microcoder demo

test: setup languages ## run every test
	$(BIN)/pytest

check: setup ## lint, format, types, layers, sizes
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/repo/test_sizes.py

serve: setup ## start the judge's HTTP service on a loopback port
	@$(BIN)/microcoder serve

bench: setup ## what isolation costs, beside other graders, in one run (about 5 minutes)
	@$(BIN)/microcoder bench sandbox

train-demo: ## a small training run fed by the judge (not part of this version yet)
	@echo "make $@: not part of this version yet" >&2; exit 2

soak: setup ## the judge under load and with its parts killed, for 15 minutes or so
	@$(BIN)/python -m benchmarks.soak $(SOAK)

faults: setup ## a small cluster under load while its parts die, freeze and fill up; as root, ten minutes or so
	@$(BIN)/python -m benchmarks.cluster_faults $(FAULTS)

fuzz: setup ## the comparison of outputs, on texts made to break it, for ten minutes
	@$(BIN)/pip install -q -e '.[fuzz]'
	@$(BIN)/python tests/fuzz/compare.py -max_total_time=600 -verbosity=0 -print_final_stats=1 $(FUZZ)

clean: ## remove what the commands above made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
