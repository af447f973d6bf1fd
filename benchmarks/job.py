"""A job of `benchmarks.jobs`: what is done, beside whom, by how many threads; and the calls that many jobs share."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.problems import signal

Calls = tuple[Callable[[], object], Callable[[], object]]


@dataclass(frozen=True)
class Job:
    """One job beside one other program.

    Attributes
    ----------
    name : str
    peer : str
    threads : (int, int)
        Of ours and of the other.
    make : callable
        Both calls, with data of their own; a call that returns seconds is not timed from outside.
    peer_is_ours : bool
        Whether the other side is another fit of boxwood.
    """

    name: str
    peer: str
    threads: tuple[int, int]
    make: Callable[[], Calls]
    peer_is_ours: bool = False


JOBS: list[Job] = []


def job(name: str, peer: str, ours: int = 1, other: int = 1, peer_is_ours: bool = False):
    """Put a function that makes both calls on the list; ``ours``, ``other``: threads."""

    def listed(make: Callable[[], Calls]) -> Callable[[], Calls]:
        JOBS.append(Job(name, peer, (ours, other), make, peer_is_ours))
        return make

    return listed


def plain(X, y, **settings) -> Callable[[], object]:
    """The plain fit of classes, which other jobs of ours are multiples of."""
    from boxwood import CARTClassifier

    return lambda: CARTClassifier(pruning=None, max_surrogates=0, n_jobs=1, **settings).fit(X, y)


def default(kind: str, X, y, **settings) -> Callable[[], object]:
    import boxwood

    return lambda: getattr(boxwood, kind)(n_jobs=1, **settings).fit(X, y)


def of_classes(classes: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles of the signal as classes."""
    X, score = signal(n)
    return X, np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def beside_r(script: str, X: np.ndarray, y: np.ndarray) -> Callable[[], float]:
    """A call of R that returns the seconds which the script prints; `data` holds the table with the target `y`."""
    home = tempfile.TemporaryDirectory()
    path = Path(home.name) / "data.bin"
    np.column_stack((X, y)).astype(np.float64).T.tofile(path)
    read = (
        f'data <- as.data.frame(matrix(readBin("{path}", "double", {X.size + len(y)}), nrow={len(y)}));'
        f'names(data)[{X.shape[1] + 1}] <- "y";'
    )

    def call(kept=home) -> float:
        done = subprocess.run(["Rscript", "-e", read + script], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        return float(done.stdout.split()[-1])

    return call
