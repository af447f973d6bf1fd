"""Compiles the kernel without its bindings for systems that this machine is not: `make check-targets`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from wheels.build import tools

ROOT = Path(__file__).resolve().parents[1]
KERNEL = ROOT / "kernel"
FOLDER = ROOT / "build" / "targets"
#: Target of the compiler -> what it needs beside its name. WebAssembly has threads and exceptions on request.
TARGETS = {
    "x86_64-windows-gnu": "",
    "aarch64-macos": "",
    "wasm32-wasi": "-fwasm-exceptions -mcpu=generic+atomics+bulk_memory+exception_handling -pthread "
    "-D_LIBCPP_HAS_THREADS=1 -D_LIBCPP_HAS_THREAD_API_PTHREAD=1 -Wno-macro-redefined",
}
FLAGS = "-std=c++20 -O0 -g0 -fno-sanitize=undefined -ffp-contract=off -Wall -Wextra -Werror -c"


def sources() -> list[Path]:
    """The files that do not depend on Python, and one that includes every header."""
    headers = sorted(file for file in KERNEL.rglob("*.hpp") if file.parent.name != "bindings")
    every = FOLDER / "every_header.cpp"
    every.parent.mkdir(parents=True, exist_ok=True)
    every.write_text(
        "".join(f'#include "{file.relative_to(KERNEL).as_posix()}"\n' for file in headers), encoding="utf-8"
    )
    return [every, *sorted(file for file in KERNEL.rglob("*.cpp") if file.parent.name != "bindings")]


def main(words: list[str]) -> int:
    """Compile all files for each target, or for those named, with the compiler's wide numbers and with our own."""
    failed = 0
    for target, extra in TARGETS.items():
        if words and target not in words:
            continue
        for define in ("", "-DBOXWOOD_TWO_WORDS"):
            for file in sources():
                made = FOLDER / target / f"{file.stem}{define}.o"
                made.parent.mkdir(parents=True, exist_ok=True)
                command = [str(tools()), "-m", "ziglang", "c++", "-target", target, *FLAGS.split(), *extra.split()]
                command += [*define.split(), f"-I{KERNEL}", str(file), "-o", str(made)]
                status = subprocess.run(command, check=False).returncode
                print(f"{target}  {file.name} {define}  {'FAILED' if status else 'compiled'}", flush=True)
                failed += bool(status)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
