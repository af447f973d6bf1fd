"""The platforms and Pythons that wheels are built for, and the names that compilers, pip and Debian have for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: The oldest C library of each kind that wheels run with.
GLIBC, MUSL = "2.28", "1.2"
#: From which version of Python on the stable ABI serves (nanobind), as in pyproject.toml.
STABLE = "0x030C0000"


@dataclass(frozen=True)
class Platform:
    """A processor with a C library."""

    machine: str
    libc: str

    @property
    def name(self) -> str:
        return f"{self.machine}-{self.libc}"

    @property
    def target(self) -> str:
        """What the compiler calls it."""
        return f"{self.machine}-linux-" + (f"gnu.{GLIBC}" if self.libc == "glibc" else "musl")

    @property
    def tags(self) -> tuple[str, ...]:
        """What pip calls it: the wheel's own tag, then those of older systems whose wheels it takes too."""
        if self.libc == "musl":
            return tuple(f"musllinux_1_{minor}_{self.machine}" for minor in (2, 1))
        versions = (GLIBC.replace(".", "_"), "2_27", "2_26", "2_24")
        return (*(f"manylinux_{v}_{self.machine}" for v in versions), f"manylinux2014_{self.machine}")

    @property
    def debian(self) -> str:
        """What Debian calls the processor."""
        return {"x86_64": "amd64", "aarch64": "arm64"}[self.machine]


@dataclass(frozen=True)
class Python:
    """A Python that a wheel is built for and tested with."""

    version: str  # of the headers and of the test
    suite: str  # the release of Debian that has it
    stable: bool

    @property
    def tag(self) -> str:
        """Python and ABI as wheels name them."""
        return "cp312-abi3" if self.stable else "cp{0}-cp{0}".format(self.version.replace(".", ""))

    def suffix(self, platform: Platform) -> str:
        """How the extension module's file name ends."""
        if self.stable:
            return ".abi3.so"
        libc = "gnu" if platform.libc == "glibc" else "musl"
        return f".cpython-{self.version.replace('.', '')}-{platform.machine}-linux-{libc}.so"


PLATFORMS = tuple(Platform(machine, libc) for libc in ("glibc", "musl") for machine in ("x86_64", "aarch64"))
PYTHONS = (Python("3.11", "bookworm", stable=False), Python("3.13", "trixie", stable=True))


def wheel_name(version: str, python: Python, platform: Platform) -> str:
    """The file name of a wheel."""
    return f"boxwood-{version}-{python.tag}-{platform.tags[0]}.whl"


def audited_tag(report: str) -> str:
    """The tag that auditwheel finds a wheel to be consistent with, from what `auditwheel show` prints."""
    found = re.search(r'platform tag:\s*"([^"]+)"', report)
    return found.group(1) if found else ""


def is_at_most(audited: str, allowed: str) -> bool:
    """Whether a wheel of one tag runs wherever one of another does: the same family and machine, no newer libc."""
    pattern = r"(manylinux|musllinux)_(\d+)_(\d+)_(\w+)"
    a, b = re.fullmatch(pattern, audited), re.fullmatch(pattern, allowed)
    if not a or not b:
        return False
    return a.group(1, 4) == b.group(1, 4) and [*map(int, a.group(2, 3))] <= [*map(int, b.group(2, 3))]
