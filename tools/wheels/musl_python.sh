#!/usr/bin/env bash
# A system of the musl C library with a Python, compiled from Debian's sources on and for any processor:
# musl_python.sh ROOT VERSION SUITE MACHINE ZIG BUILDER.
# ZIG: the command of the compiler. BUILDER: a Debian system of this processor with the same Python, which runs the scripts
# of the build. The compiler stays outside of the system. What numpy needs is there; SSL, ctypes, bz2 and lzma are not.
set -euo pipefail
shopt -s nullglob
ROOT=$(realpath -m "$1") VERSION=$2 SUITE=$3 MACHINE=$4 ZIG=$5 BUILDER=$(realpath "$6")
LIBRARY=trixie # its musl, 1.2.5, loads the wheels of numpy; 1.2.3 of bookworm ends with a segmentation fault there
WORK=$ROOT.work
declare -A DEBIAN=([x86_64]=amd64 [aarch64]=arm64)

echo "== the sources of Python $VERSION from $SUITE"
mkdir -p "$WORK/lists/partial" "$WORK/build" "$WORK/zlib/include" "$WORK/zlib/lib" "$ROOT"
mirror=$(apt-cache policy | grep -oE 'https?://[^ ]*/debian ' | head -n 1)
printf 'deb-src %s %s main\ndeb [arch=%s] %s %s main\n' "$mirror" "$SUITE" "${DEBIAN[$MACHINE]}" "$mirror" "$LIBRARY" > "$WORK/sources.list"
options=(-qq -o "Dir::Etc::sourcelist=$WORK/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$WORK/lists" \
  -o "Dir::Cache=$WORK" -o "APT::Architectures=${DEBIAN[$MACHINE]}" -o "APT::Architecture=${DEBIAN[$MACHINE]}")
apt-get "${options[@]}" update
for source in "python$VERSION" zlib; do  # a missing archive of Debian's own changes does no harm: they are not needed
  (cd "$WORK" && apt-get "${options[@]}" source --download-only "$source") || true
  for archive in "$WORK/$source"_*.orig.tar.{gz,xz,bz2}; do tar xf "$archive" -C "$WORK/build"; done
done
(cd "$WORK" && apt-get "${options[@]}" download musl)
dpkg-deb -x "$WORK"/musl_*.deb "$ROOT"

echo "== zlib and Python for musl on $MACHINE"
printf '#!/bin/sh\nexec %s cc -target %s-linux-musl -fno-sanitize=undefined -fPIC -w -Wno-date-time "$@"\n' "$ZIG" "$MACHINE" > "$WORK/cc"
for tool in ar ranlib; do printf '#!/bin/sh\nexec %s %s "$@"\n' "$ZIG" "$tool" > "$WORK/$tool"; done
libraries=$(echo "$BUILDER"/{usr/,}lib/*-linux-gnu | tr ' ' ':')
printf '#!/bin/sh\nPYTHONHOME=%s/usr exec %s --library-path %s %s "$@"\n' \
  "$BUILDER" "$(ls "$BUILDER"/lib*/ld-linux-*.so.* | head -n 1)" "$libraries" "$BUILDER/usr/bin/python$VERSION" > "$WORK/builder"
chmod +x "$WORK"/{cc,ar,ranlib,builder}
(
  cd "$WORK"/build/zlib*
  "$WORK/cc" -O1 -fPIC -DHAVE_UNISTD_H -c adler32.c compress.c crc32.c deflate.c inf*.c trees.c uncompr.c zutil.c
  "$WORK/ar" rcs "$WORK/zlib/lib/libz.a" ./*.o
  cp zlib.h zconf.h "$WORK/zlib/include"
)
cd "$WORK"/build/Python*
# Python 3.13 detects musl by a macro of musl's stdarg.h; the compiler reads its own stdarg.h, which does not define it.
if [ -f Misc/platform_triplet.c ]; then sed -i 's/error unknown libc/define LIBC musl/' Misc/platform_triplet.c; fi
# Python 3.11 asks the compiler where it looks for headers, and gets those of this machine, which are glibc's.
if [ -f setup.py ]; then sed -i -E 's/self.add_(cross_compiling|multiarch)_paths\(\)/pass/' setup.py; fi
# Another vendor in the name of this machine: configure then runs nothing that it compiled, not even for this processor.
./configure --quiet --prefix=/usr --disable-test-modules --without-ensurepip --with-build-python="$WORK/builder" \
  --build="$(uname -m)-build-linux-musl" --host="$MACHINE-host-linux-musl" ac_cv_file__dev_ptmx=yes ac_cv_file__dev_ptc=no \
  ac_cv_buggy_getaddrinfo=no \
  CC="$WORK/cc" AR="$WORK/ar" RANLIB="$WORK/ranlib" READELF="$(command -v readelf)" PKG_CONFIG=false CFLAGS="-g0 -O1 -I$WORK/zlib/include" \
  LDFLAGS="-dynamic -L$WORK/zlib/lib" ZLIB_CFLAGS="-I$WORK/zlib/include" ZLIB_LIBS="-L$WORK/zlib/lib -lz"
make --silent -j"$(nproc)"
make --silent install DESTDIR="$ROOT" COMPILEALL_OPTS=-qq

echo "== where programs look for the C library in $ROOT"
mkdir -p "$ROOT/lib"
ln -sfn "../usr/lib/$MACHINE-linux-musl/libc.so" "$ROOT/lib/ld-musl-$MACHINE.so.1"
rm -rf "$WORK"
