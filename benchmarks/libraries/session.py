"""What every adapter offers: whether the library is here and can do a problem, and sessions that time whole fits."""

from __future__ import annotations

import gc
import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from benchmarks.problems import Data, Problem


@dataclass(frozen=True)
class Job:
    """A problem with its rows, a limit of depth (None = unpruned) and a number of threads."""

    problem: Problem
    data: Data
    depth: int | None
    threads: int


class Session(Protocol):
    """A library at work on one job."""

    def fit(self) -> float:
        """Fit once, conversion and binning included; seconds."""

    def predict(self, X) -> np.ndarray | None:
        """Predictions of the last fitted tree for other rows; None where the program made none."""

    def close(self) -> None:
        """End what was started."""


@dataclass(frozen=True)
class Library:
    """One contestant.

    Attributes
    ----------
    name : str
    absent : callable
        () -> why it cannot be used on this machine, or None.
    unable : callable
        (problem, depth) -> why it cannot do this, or None.
    open : callable
        Job -> Session.
    """

    name: str
    absent: Callable[[], str | None]
    unable: Callable[[Problem, int | None], str | None]
    open: Callable[[Job], Session]


class InProcess:
    """A library of Python: its fit is one call in this process."""

    def __init__(self, job: Job, train: Callable[[Job], object], predictions: Callable[[object, object], np.ndarray]):
        self._job, self._train, self._predictions = job, train, predictions
        self.model = None

    def fit(self) -> float:
        """Fit once; the model before is freed by then, so that no memory is reused for nothing."""
        self.model = None
        gc.collect()
        began = time.perf_counter()
        self.model = self._train(self._job)
        return time.perf_counter() - began

    def fit_in_a_row(self, times: int) -> float:
        """Fit so many times; seconds of one of them, code and data in the processor's caches."""
        gc.collect()
        began = time.perf_counter()
        for _ in range(times):
            self.model = self._train(self._job)
        return (time.perf_counter() - began) / times

    def predict(self, X) -> np.ndarray:
        """Classes as numbers from 0, or numbers."""
        return np.asarray(self._predictions(self.model, X))

    def close(self) -> None:
        """Let go of the model."""
        self.model = None


def can_all(problem: Problem, depth: int | None) -> str | None:
    """Nothing is too much for this library."""
    return None


def in_process(name: str, package: str, train, predictions, unable=can_all) -> Library:
    """A library that is imported from a package."""

    def absent() -> str | None:
        return None if importlib.util.find_spec(package) else "not installed"

    return Library(name, absent, unable, lambda job: InProcess(job, train, predictions))


def is_frame(X) -> bool:
    """Whether X has named columns, some of them of categories."""
    return hasattr(X, "columns")


def as_codes(X) -> np.ndarray:
    """Float32 numbers for a library without nominal columns: a level is its code, a missing one NaN."""
    if not is_frame(X):
        return X
    out = np.empty(X.shape, dtype=np.float32, order="F")
    for j, name in enumerate(X.columns):
        column = X[name]
        if column.dtype == "category":
            out[:, j] = column.cat.codes
            out[out[:, j] < 0, j] = np.nan
        else:
            out[:, j] = column
    return out


def one_tree_a_class(problem: Problem, depth: int | None) -> str | None:
    """Boosting's libraries grow a tree for every class when there are more than two."""
    return "grows a tree for each class" if problem.classes > 2 else None
