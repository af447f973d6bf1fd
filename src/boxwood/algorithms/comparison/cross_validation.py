"""Cross-validates several models on the same folds: quality on held-out rows, size and time."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np

from ..._messages import Message, Setting, must_be, remedy
from ..._threads import Threads
from ...data.columns.columns import Columns
from ...data.columns.identifiers import are_identifiers, blank_identifiers, with_ignored
from ...errors import BoxwoodError, ParameterError
from ...learning.folds import content_folds, dealt_folds
from ...learning.learning_set import learning_set
from ...learning.responses import read_target
from ...views.words import amount, level
from .entrants import Entrant, Fitted, Truth
from .price import Price
from .result import Baseline, Comparison, Entry
from .scoring import Scoring, standard_error

log = logging.getLogger("boxwood")


def folds_of(columns: Columns, truth: Truth, folds, salt: int | None) -> np.ndarray:
    """The fold of each row, shape (n,); -1 for rows of weight 0, which nobody learns from or is evaluated by.

    Parameters
    ----------
    columns : Columns
    truth : Truth
    folds : int or array-like of int, shape (n,)
        Number of folds, drawn from the content of the rows (stratified by class); or the fold of each row.
    salt : int, optional
        Seed of the folds.

    Raises
    ------
    ParameterError
        Fewer than two folds, or too few rows for so many.
    """
    kept = np.arange(columns.n) if truth.weight is None else np.flatnonzero(truth.weight > 0)
    fold = np.full(columns.n, -1, dtype=np.int64)
    if np.ndim(folds) > 0:
        given = np.asarray(folds)
        if given.shape != (columns.n,) or given.dtype.kind not in "iub":
            raise ParameterError(
                Setting("folds"), f" must be a number, or a whole number for each of the {columns.n} rows.",
            )  # fmt: skip
        fold[kept] = np.unique(given[kept], return_inverse=True)[1]
    else:
        if isinstance(folds, bool) or not isinstance(folds, (int, np.integer)) or folds < 2:
            raise ParameterError(must_be("folds", "a whole number of at least 2, or one number per row", folds))
        settings = {"class_weight": None, "priors": None, "costs": None, "criterion": "variance"}
        y = truth.coded(np.arange(columns.n))
        schema = with_ignored(columns.schema, are_identifiers(columns), columns.n, True, lambda _: None)
        content = blank_identifiers(columns, schema)
        learning = learning_set(content, read_target(y, settings, weight=truth.weight, task=truth.task), 1)
        if learning.n < folds:
            raise ParameterError(
                f"there are {learning.n} rows, too few for {folds} folds; ",
                remedy("give fewer folds, or the fold of each row."),
            )  # fmt: skip
        drawn = content_folds(learning, int(folds), salt)
        fold[kept] = dealt_folds(learning, int(folds), salt) if drawn is None else drawn
    if fold.max() < 1:
        raise ParameterError(Setting("folds"), " must name at least 2 folds; all rows are in one.")
    return fold


def learned_without(entrant: Entrant, fold: np.ndarray, f: int) -> Fitted:
    """An entrant fitted to the rows outside fold ``f``; -1 = to all rows of weight."""
    return entrant.fit(np.flatnonzero((fold >= 0) & (fold != f)))


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """What every entrant is evaluated on.

    Attributes
    ----------
    truth : Truth
    fold : int64, shape (n,)
    scoring : Scoring
    threads : int
        Fits at the same time.
    """

    truth: Truth
    fold: np.ndarray
    scoring: Scoring
    threads: int = 1

    def run(self, entrants: list[Entrant], baselines: Collection[str] = ()) -> Comparison:
        """Fit every entrant without each fold in turn, and to all rows; one that fails is reported and left out.

        ``baselines`` names the entrants that are not readable, against which the best tree is compared.
        """
        n_folds = int(self.fold.max()) + 1
        jobs = [(c, f) for c in range(len(entrants)) for f in range(-1, n_folds)]
        results: dict[tuple[int, int], _Job] = {}
        for (c, f), done in zip(jobs, self._done(entrants, jobs), strict=True):
            results[c, f] = done
            what = "all rows" if f < 0 else f"fold {f + 1} of {n_folds}"
            log.info("%s: %s, %s", entrants[c].name, what, done.error or f"{done.seconds:.3f} s")
        entries = [
            self._entry(entrants[c].name, [results[c, f] for f in range(-1, n_folds)]) for c in range(len(entrants))
        ]
        compared = _against_the_best(entries, self)
        return Comparison(
            compared, self.scoring.name, n_folds, self.scoring.larger_is_better, baseline=self._baseline(),
            price=_price(compared, set(baselines), self),
        )  # fmt: skip

    def _baseline(self) -> Baseline:
        """What always predicting the most frequent class (or the shares of the classes), or the mean, would score."""
        rows = np.flatnonzero(self.fold >= 0)
        y, weight, labels = self.truth.y[rows], self.truth.weights(rows), self.truth.labels
        if not labels:
            mean = float(np.average(y, weights=weight))
            words, predicted = f"the mean {amount(mean)}", np.full(len(y), mean)
        else:
            share = np.bincount(y, weight, len(labels)) / weight.sum()
            most = int(np.argmax(share))
            words = level(labels[most])
            predicted = np.tile(share, (len(y), 1)) if self.scoring.of_probability else np.full(len(y), most)
        return Baseline(words, self._score(self._loss(rows, predicted), rows)[0])

    def _done(self, entrants: list[Entrant], jobs: list[tuple[int, int]]) -> Iterator[_Job]:
        """Results in the order of the jobs."""
        if self.threads == 1:
            yield from (self._job(entrants[c], f) for c, f in jobs)
            return
        with Threads(self.threads) as pool:
            waiting: list[Future] = [pool.submit(self._job, entrants[c], f) for c, f in jobs]
            try:
                for future in waiting:
                    yield future.result()
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _job(self, entrant: Entrant, f: int) -> _Job:
        """One fit, and the losses of the rows left out; f = -1 fits all rows."""
        began = time.perf_counter()
        try:
            fitted = learned_without(entrant, self.fold, f)
            seconds = time.perf_counter() - began
            if f < 0:
                return _Job(seconds, fitted.leaves, fitted.depth)
            held_out = np.flatnonzero(self.fold == f)
            predicted = fitted.evaluate(held_out, self.scoring.of_probability)
            return _Job(seconds, fitted.leaves, fitted.depth, held_out, np.asarray(predicted))
        except Exception as error:  # noqa: BLE001 - whatever a model fails of, the others are compared
            where = "all rows" if f < 0 else f"without fold {f + 1}"
            why = error.message if isinstance(error, BoxwoodError) else f"{type(error).__name__}: {error}"
            return _Job(0.0, error=Message(f"{where}: ", why))

    def _entry(self, name: str, jobs: list[_Job]) -> Entry:
        """One row of the table."""
        errors = [job.error for job in jobs if job.error]
        if errors:
            return Entry(name, error=errors[0])
        whole, folds = jobs[0], jobs[1:]
        rows = np.concatenate([job.rows for job in folds])
        loss = np.full(len(self.fold), np.nan)
        loss[rows] = self._loss(rows, np.concatenate([job.predicted for job in folds]))
        rows = np.sort(rows)
        score, se = self._score(loss[rows], rows)
        each = tuple(self._score(self._loss(job.rows, job.predicted), job.rows)[0] for job in folds)
        seconds = float(np.mean([job.seconds for job in folds]))
        return Entry(
            name, score, se, each, whole.leaves, whole.depth, float(np.mean([job.leaves for job in folds])), seconds,
            loss=loss,
        )  # fmt: skip

    def _loss(self, rows: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        return self.scoring.loss(self.truth.y[rows], predicted, self.truth.weights(rows), self.fold[rows])

    def _score(self, loss: np.ndarray, rows: np.ndarray) -> tuple[float, float]:
        weight = self.truth.weights(rows)
        return self.scoring.summary(loss, weight, self.spread)

    @property
    def spread(self) -> float:
        """Weighted variance of a number; NaN for classes."""
        if self.truth.labels:
            return np.nan
        rows = np.flatnonzero(self.fold >= 0)
        y, weight = self.truth.y[rows], self.truth.weights(rows)
        return float(np.average((y - np.average(y, weights=weight)) ** 2, weights=weight))


@dataclass(frozen=True, eq=False)
class _Job:
    """What one fit gave."""

    seconds: float
    leaves: float = np.nan
    depth: float = np.nan
    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    predicted: np.ndarray = field(default_factory=lambda: np.zeros(0))
    error: str = ""


def _against_the_best(entries: list[Entry], evaluation: CrossValidation) -> tuple[Entry, ...]:
    """The entries with their distance from the best one."""
    best = _best(entries, evaluation)
    if best is None:
        return tuple(entries)
    return tuple(
        entry.against(best.score, _paired_error(entry, best, evaluation)) if _is_alive(entry) else entry
        for entry in entries
    )


def _price(entries: Collection[Entry], baselines: set[str], evaluation: CrossValidation) -> Price | None:
    """The best tree against the best of the baselines."""
    other = _best([e for e in entries if e.name in baselines], evaluation)
    tree = _best([e for e in entries if e.name not in baselines and not np.isnan(e.leaves)], evaluation)
    if other is None or tree is None:
        return None
    apart = other.score - tree.score if evaluation.scoring.larger_is_better else tree.score - other.score
    se = _paired_error(tree, other, evaluation)
    return Price(tree.name, other.name, tree.score, other.score, tree.leaves, apart, se)


def _is_alive(entry: Entry) -> bool:
    return not entry.error and not np.isnan(entry.score)


def _best(entries: Collection[Entry], evaluation: CrossValidation) -> Entry | None:
    """The entry with the best score, the first of equal ones; None if all failed."""
    sign = 1.0 if evaluation.scoring.larger_is_better else -1.0
    return max(filter(_is_alive, entries), key=lambda e: sign * e.score, default=None)


def _paired_error(entry: Entry, other: Entry, evaluation: CrossValidation) -> float:
    """Standard error of the difference of two scores, row by row, so that what all find hard does not count."""
    rows = np.flatnonzero(evaluation.fold >= 0)
    unit = evaluation.spread if evaluation.scoring.name == "r2" else 1.0
    return standard_error((entry.loss - other.loss)[rows], evaluation.truth.weights(rows)) / unit
