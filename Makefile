# Two commands do everything on a fresh machine with Python 3.11+, a C++17 compiler and make:
#   make conform   set up, build, run the main job on the embedded engine
#   make test      set up, build, lint, run every test
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
JOBS   ?= $(shell nproc)

.PHONY: setup build conform lint test sanitize check-amd-tests check-rocm check-kernels bench wheel docs clean

setup: $(VENV)/.ready

# One virtual environment, one editable install without isolation into ./build; later builds only call cmake.
$(VENV)/.ready: pyproject.toml tools/bootstrap.py
	$(PYTHON) tools/bootstrap.py $(VENV)
	@touch $@

build: setup
	@$(BIN)/python tools/build.py --jobs $(JOBS)

conform: build
	@$(BIN)/python examples/least_squares/run.py
	@$(BIN)/scale-x-conform run --library cublas --level quick

lint: build
	@$(BIN)/python tools/lint.py

typing: build
	@$(BIN)/python tools/typing_tree.py

# Many tests load a copy of the engine of their own, each with a few bytes of static thread-local storage, of which
# the loader keeps 512 bytes for all libraries that come late.
test: export GLIBC_TUNABLES = glibc.rtld.optional_static_tls=65536
test: build
	@$(BIN)/python tools/lint.py
	@$(BIN)/python -m pytest -q --numprocesses $(JOBS) --dist worksteal

# The pages of docs/ that the generator writes.
docs: build
	@$(BIN)/python tools/docs.py

# ASan+UBSan on the quick level, TSan on the threaded tests; not zero when a sanitizer speaks. One part of it:
# python tools/sanitize.py address --library cublas
sanitize: setup
	@$(BIN)/python tools/sanitize.py

# AMD's own tests of rocSOLVER and rocBLAS against the embedded engine (downloads Debian packages into a cache on first
# use); results by family are kept in benchmarks/.
check-amd-tests: build
	@$(BIN)/python tools/amd_tests.py --table benchmarks/amd-rocsolver-checkin.md
	@$(BIN)/python tools/amd_rocblas_tests.py --table benchmarks/amd-rocblas-quick.md

# The ROCm facts and the engine's answers against AMD's headers and libraries of 6.4 and 7.2 (Debian packages, cached).
check-rocm: build
	@$(BIN)/python tools/check_rocm.py

# The device kernels through AMD's own hipRTC for every architecture (downloads it on first use; no GPU).
check-kernels: build
	@$(BIN)/python tools/check_kernels.py

bench: build
	@env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE $(BIN)/python -m pytest -q benchmarks

clean:
	rm -rf build dist $(VENV)

# A wheel for other machines: NVIDIA-named libraries inside, scipy-openblas64 left to its own wheel.
wheel: setup
	@$(BIN)/python -m build --wheel --no-isolation -o dist
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --exclude libscipy_openblas64_.so -w dist/repaired dist/scale_x-*.whl
