#!/usr/bin/env bash
# A system of the musl C library with a Python, compiled from Debian's sources: musl_python.sh ROOT VERSION SUITE.
# Needs musl-tools and root; the compiler stays outside of the system. What numpy needs is there, SSL is not.
set -euo pipefail
ROOT=$(realpath -m "$1") VERSION=$2 SUITE=$3
LIBRARY=trixie # its musl, 1.2.5, loads the wheels of numpy; 1.2.3 of bookworm ends with a segmentation fault there
WORK=$ROOT.work
command -v musl-gcc >/dev/null || { echo "musl-gcc is missing; on Debian: apt-get install musl-tools"; exit 2; }

echo "== the sources of Python $VERSION from $SUITE"
mkdir -p "$WORK/lists/partial" "$WORK/build" "$WORK/zlib/include" "$WORK/zlib/lib" "$ROOT"
mirror=$(apt-cache policy | grep -oE 'https?://[^ ]*/debian ' | head -n 1)
printf 'deb-src %s %s main\ndeb %s %s main\n' "$mirror" "$SUITE" "$mirror" "$LIBRARY" > "$WORK/sources.list"
options=(-qq -o "Dir::Etc::sourcelist=$WORK/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$WORK/lists")
apt-get "${options[@]}" update
for source in "python$VERSION" zlib; do  # a missing archive of Debian's own changes does no harm: they are not needed
  (cd "$WORK" && apt-get "${options[@]}" source --download-only "$source") || true
  for archive in "$WORK/$source"_*.orig.tar.[gx]z; do tar xf "$archive" -C "$WORK/build"; done
done
(cd "$WORK" && apt-get "${options[@]}" download musl)
dpkg-deb -x "$WORK"/musl_*.deb "$ROOT"

echo "== zlib and Python for musl"
# configure believes what the compiler calls its system, which is that of glibc.
printf '#!/bin/sh\n[ "$1" = --print-multiarch ] && exit 1\nexec musl-gcc "$@"\n' > "$WORK/cc"
chmod +x "$WORK/cc"
(
  cd "$WORK"/build/zlib*
  "$WORK/cc" -O1 -fPIC -DHAVE_UNISTD_H -c adler32.c compress.c crc32.c deflate.c inf*.c trees.c uncompr.c zutil.c
  ar rcs "$WORK/zlib/lib/libz.a" ./*.o
  cp zlib.h zconf.h "$WORK/zlib/include"
)
cd "$WORK"/build/Python*
./configure --quiet --prefix=/usr --disable-test-modules --without-ensurepip CC="$WORK/cc" \
  CFLAGS="-O1 -I$WORK/zlib/include" LDFLAGS="-L$WORK/zlib/lib" ZLIB_CFLAGS="-I$WORK/zlib/include" ZLIB_LIBS="-L$WORK/zlib/lib -lz"
make --silent -j"$(nproc)"
make --silent install DESTDIR="$ROOT" COMPILEALL_OPTS=-qq

echo "== where programs look for the C library in $ROOT"
machine=$(uname -m)
mkdir -p "$ROOT/lib"
ln -sfn "../usr/lib/$machine-linux-musl/libc.so" "$ROOT/lib/ld-musl-$machine.so.1"
