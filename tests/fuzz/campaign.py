"""Cases of one target in worker processes: a crash or a hang ends only its worker, and the next goes on behind it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.case import RAN, REFUSED

#: A worker is replaced after this many cases; one that is silent for so many seconds is ended from outside.
BATCH, SILENCE, PROGRESS = 2000, 150, 15


@dataclass(frozen=True)
class Budget:
    """What a target may use: seconds, cases, and the number of its first case."""

    seconds: float
    cases: int
    first: int


@dataclass
class Result:
    """What the cases of a target came to."""

    name: str
    counts: Counter = field(default_factory=Counter)
    faults: dict = field(default_factory=dict)

    @property
    def cases(self) -> int:
        """How many cases were run."""
        return self.counts.total()

    @property
    def findings(self) -> list[str]:
        """One text for each kind of fault: how often, its trace, and how to run its first case again."""
        return [
            f"FINDING {self.name}: {where}, {len(numbers)} times\n{trace}\n"
            f"replay with: PYTHONPATH=src:tests python -m fuzz --replay {self.name}:{numbers[0]}"
            for where, (numbers, trace) in self.faults.items()
        ]

    def add(self, number: int, what: str, fault: list[str] | None) -> None:
        """Count a case."""
        self.counts[what] += 1
        if fault is not None:
            self.faults.setdefault(fault[0], ([], fault[1]))[0].append(number)

    def __str__(self) -> str:
        counts = f"{self.counts[RAN]} ran, {self.counts[REFUSED]} refused, {self.counts['fault']} faults"
        return f"{self.name:16} {self.cases:7} cases: {counts} of {len(self.faults)} kinds"


def campaign(name: str, budget: Budget, started: float) -> Result:
    """Run a target until its time or its cases are used up."""
    result, next_one, last = Result(name), budget.first, budget.first + budget.cases
    ends = time.monotonic() + budget.seconds
    with tempfile.TemporaryDirectory() as folder:
        while next_one < last and time.monotonic() < ends:
            words = [name, next_one, min(BATCH, last - next_one), ends - time.monotonic(), folder]
            next_one = _batch(words, result, Path(folder), started)
    return result


def _batch(words: list, result: Result, folder: Path, started: float) -> int:
    """Run one worker to its end; the number of the case to go on with.

    A crash or a hang is a finding when a new worker meets it too in the same cases. A loaded machine and the threads of
    a library can do it once in a very long while; that trace is printed and is no finding.
    """
    name, first, _, seconds, _ = words
    code, output = _worker(words, result, folder, started)
    at = int((folder / "journal").read_bytes())
    if code != 0:
        trace, again = output, [name, first, at + 1 - first, seconds, folder]
        code, output = _worker(again, result, folder, started)
        if code == 0:
            print(f"NOT REPEATED: {name}:{at} ended its worker once\n{trace}", flush=True)
    lines = (folder / "results").read_text(encoding="utf-8").splitlines()
    for line in lines:
        result.add(*json.loads(line))
    if code == 0:
        return first + len(lines) if lines else sys.maxsize
    at = int((folder / "journal").read_bytes())
    kind = "hang" if "Timeout (" in output or code == -9 else f"crash, exit status {code}"
    result.add(at, "fault", [f"{kind} {_deepest(output)}", output])
    return at + 1


def _worker(words: list, result: Result, folder: Path, started: float) -> tuple[int, str]:
    """Run the cases in a process of their own: its exit status and the end of its output."""
    (folder / "journal").write_bytes(b"%020d" % words[1])
    (folder / "results").write_bytes(b"")
    with (folder / "output").open("wb") as output:
        worker = subprocess.Popen([sys.executable, "-m", "fuzz.worker", *map(str, words)], stdout=output, stderr=output)
        code = _wait(worker, result, folder, started)
    return code, (folder / "output").read_text(errors="replace")[-6000:]


def _wait(worker: subprocess.Popen, result: Result, folder: Path, started: float) -> int:
    """Wait for a worker, print how far it is, and end it when it falls silent."""
    before, changed, shown = b"", time.monotonic(), time.monotonic()
    try:
        while worker.poll() is None:
            time.sleep(0.05)
            now, at = time.monotonic(), (folder / "journal").read_bytes()
            if at != before:
                before, changed = at, now
            if now - changed > SILENCE:
                worker.kill()
            if now - shown > PROGRESS:
                done = result.cases + len((folder / "results").read_bytes().splitlines())
                print(f"{now - started:5.0f} s  {result.name:16} {done:7} cases, at {int(at)}", flush=True)
                shown = now
    finally:
        worker.kill()
        worker.wait()
    return worker.returncode


def _deepest(output: str) -> str:
    """The innermost line of boxwood in the stack that faulthandler wrote."""
    return next((line.strip() for line in output.splitlines() if "boxwood" in line and "File" in line), "")
