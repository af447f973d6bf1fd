"""One case: drawn from its target and number, run under strict rules, and assessed."""

from __future__ import annotations

import importlib
import random
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

from boxwood.errors import BoxwoodError, BoxwoodWarning
from fuzz.targets import TARGETS

#: What a case may end in.
RAN, REFUSED = "ran", "refused"


@dataclass(frozen=True)
class Fault:
    """What a case did that it may not: a raw error, a warning of others, a broken promise.

    Attributes
    ----------
    where : str
        The same for all cases with the same fault: kind of the error and the last line of boxwood.
    trace : str
    """

    where: str
    trace: str


def target(name: str):
    """The module of a target: ``draw(random) -> bytes`` and ``run(bytes)``, which raises what it meets."""
    return importlib.import_module(f"fuzz.{TARGETS[name]}")


def drawn(name: str, number: int) -> bytes:
    """The case of this number; it depends on nothing else."""
    return target(name).draw(random.Random(f"{name}:{number}"))


def assess(name: str, data: bytes) -> str | Fault:
    """Run a case: an answer or an error of boxwood is right; all else, warnings included, is a fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", BoxwoodWarning)
        try:
            target(name).run(data)
        except BoxwoodError as error:
            return REFUSED if str(error) else _fault(error)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - any other is what is looked for
            return _fault(error)
    return RAN


def _fault(error: BaseException) -> Fault:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "boxwood" in Path(frame.filename).parts] or frames
    last = ours[-1]
    where = f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno} ({last.name})"
    return Fault(where, "".join(traceback.format_exception(error))[-6000:])


def replay(words: str, keep: str | None = None) -> int:
    """Run one case again and print what it does; 1 when it is a finding."""
    name, _, which = words.partition(":")
    if name not in TARGETS or not which:
        print(f"--replay takes TARGET:NUMBER or TARGET:FILE; the targets are {', '.join(TARGETS)}")
        return 2
    data = drawn(name, int(which)) if which.isdigit() else Path(which).read_bytes()
    if keep:
        Path(keep).write_bytes(data)
    print(f"{name}: {len(data)} bytes, beginning with {data[:300]!r}")
    found = assess(name, data)
    print(found if isinstance(found, str) else f"{found.where}\n{found.trace}")
    return int(isinstance(found, Fault))
