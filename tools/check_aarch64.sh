#!/usr/bin/env bash
# Do the trees have the same bits on another architecture? Compiles the kernel for 64-bit Arm and runs the digests of
# tests/golden/test_bits.py with an Arm Python under emulation. Needs root once, for debootstrap; all it fetches lies in
# build/aarch64. VENV: an environment with pip and nanobind.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHON=${VENV:-.venv}/bin/python BUILD=build/aarch64
ROOT=$BUILD/root SITE=$BUILD/site

for tool in aarch64-linux-gnu-g++:g++-aarch64-linux-gnu qemu-aarch64-static:qemu-user-static debootstrap:debootstrap; do
  command -v "${tool%:*}" >/dev/null || { echo "${tool%:*} is missing; on Debian: apt-get install ${tool#*:}"; exit 2; }
done

if [ ! -x "$ROOT/usr/bin/python3.11" ]; then
  echo "== an Arm system with Python 3.11 in $ROOT"
  rm -rf "$ROOT"
  mkdir -p "$BUILD"
  debootstrap --foreign --arch=arm64 --variant=minbase --include=python3-minimal,libpython3.11-stdlib,libpython3.11-dev \
    bookworm "$ROOT" >/dev/null
  for package in "$ROOT"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$ROOT"; done
fi

if [ ! -d "$SITE/sklearn" ]; then
  echo "== the packages boxwood needs, for Arm, in $SITE"
  "$PYTHON" -m pip install --quiet --target "$SITE" --only-binary=:all: --python-version 3.11 --implementation cp \
    --platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64 numpy narwhals scikit-learn
fi

echo "== the kernel for Arm in $BUILD"
include="$PWD/$ROOT/usr/include/python3.11"
ln -sfn ../aarch64-linux-gnu "$include/aarch64-linux-gnu"  # where pyconfig.h of Debian looks for that of the architecture
make --no-print-directory kernel BUILD="$BUILD" CXX=aarch64-linux-gnu-g++ ${VENV:+VENV="$VENV"} ${OPT:+OPT="$OPT"} \
  PYCONF="$include .cpython-311-aarch64-linux-gnu.so"

echo "== digests under emulation"
PYTHONPATH=$BUILD/python:$SITE:tests exec qemu-aarch64-static -L "$ROOT" "$ROOT/usr/bin/python3.11" \
  -W ignore -m golden.test_bits --check
