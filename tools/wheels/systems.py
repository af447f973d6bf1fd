"""Systems to build for and to test in: Debian's Pythons with their headers, and a Python of our own for musl.

A system is a folder that holds a root file system without a compiler. debootstrap fetches it; nothing is installed on
this machine. Debian has no Python for musl, so that one is compiled from Debian's source.
"""

from __future__ import annotations

import platform as this_machine
import shutil
import subprocess
from pathlib import Path

from wheels.platforms import Platform, Python


def system_of(python: Python, platform: Platform, folder: Path) -> Path:
    """Where the system of a Python and a platform lies."""
    return folder / "systems" / f"{python.suite}-{platform.name}"


def extract(packages: list[Path], root: Path) -> None:
    """The files of Debian packages, without running anything of them."""
    for package in packages:
        subprocess.run(["dpkg-deb", "-x", str(package), str(root)], check=True)


def debian(python: Python, platform: Platform, folder: Path) -> Path:
    """A Debian system with Python and its headers, of glibc; made once."""
    root = system_of(python, Platform(platform.machine, "glibc"), folder)
    if not (root / "usr" / "bin" / f"python{python.version}").exists():
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        include = f"python3-minimal,libpython{python.version}-stdlib,libpython{python.version}-dev"
        options = ["--foreign", "--variant=minbase", f"--arch={platform.debian}", f"--include={include}"]
        subprocess.run(["debootstrap", *options, python.suite, str(root)], check=True, stdout=subprocess.DEVNULL)
        extract(sorted((root / "var/cache/apt/archives").glob("*.deb")), root)
    return root


def headers(python: Python, platform: Platform, folder: Path) -> Path:
    """The folder of Python.h. Debian keeps the settings of each processor apart; musl shares those of glibc."""
    include = debian(python, platform, folder) / "usr" / "include" / f"python{python.version}"
    triplet = f"{platform.machine}-linux-gnu"
    link = include / triplet
    if not link.is_symlink():
        link.symlink_to(f"../{triplet}")
    return include


def musl(python: Python, platform: Platform, folder: Path, compiler: Path) -> Path:
    """A system of the musl C library with a Python compiled from Debian's source; made once."""
    root = system_of(python, platform, folder)
    if not (root / "lib" / f"ld-musl-{platform.machine}.so.1").is_symlink():  # the last step
        script = Path(__file__).with_name("musl_python.sh")
        builder = debian(python, Platform(this_machine.machine(), "glibc"), folder)
        words = [root, python.version, python.suite, platform.machine, compiler, builder]
        subprocess.run([str(word) for word in (script, *words)], check=True)
    return root


def system(python: Python, platform: Platform, folder: Path, compiler: Path) -> Path:
    """The system to try a wheel in."""
    if platform.libc == "glibc":
        return debian(python, platform, folder)
    return musl(python, platform, folder, compiler)


def command(root: Path, machine: str, program: str) -> list[str]:
    """How a program of a system is started: inside it, or under emulation where the processor is another."""
    if machine == this_machine.machine():
        return ["chroot", str(root), program]
    return [f"qemu-{machine}-static", "-L", str(root), str(root) + program]
