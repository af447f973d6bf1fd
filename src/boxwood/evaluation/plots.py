"""Charts of an evaluation: ROC, precision and recall, calibration, gains, lift, confusion, scores, residuals."""

from __future__ import annotations

import numpy as np

from .._messages import must_be
from ..errors import ParameterError
from ..pictures.chart import Chart, MatrixChart, Series
from ..pictures.colours import OKABE_ITO
from ..statistics.intervals import wilson
from ..views.figures import number, percent
from ..views.words import amount, level, plain

#: More different scores than this are put into so many groups of equal weight.
_GROUPS = 10
_ENDS = np.array([0.0, 1.0])
#: A picture of residuals has at most so many points, every k-th row.
_MOST_POINTS = 5000


def chart_of(found, kind: str, target_class=None) -> Chart | MatrixChart:
    """The chart of an evaluation; arguments as for ``Evaluation.plot``.

    Raises
    ------
    ParameterError
        There is no such kind or class, or the rows hold none of it.
    """
    kinds = CLASS_KINDS if found.rows.labels else NUMBER_KINDS
    if kind not in kinds:
        what = "classes" if found.rows.labels else "numbers"
        raise ParameterError(must_be("kind", f"one of {', '.join(map(repr, kinds))} for {what}", kind))
    if kind in ("confusion", "residuals"):
        return kinds[kind](found)
    return kinds[kind](found, found.ranking(target_class))


def _class(found, ranked) -> str:
    return f"{plain(found.response_name)} = {level(ranked.label)}"


def _from_zero(values: np.ndarray) -> np.ndarray:
    return np.concatenate(([0.0], values))


def _baseline(x, y, name: str) -> Series:
    return Series(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64), name, "faint", ":")


def _roc(found, ranked) -> Chart:
    area, influence = ranked.auc()
    se = "" if found.of == "training set" else f" ± {number(ranked.rows.standard_error(influence), area)}"
    model = Series(_from_zero(ranked.alarms), _from_zero(ranked.found), f"model, AUC {area:.3f}{se}", marks=True)
    lines = (model, _baseline(_ENDS, _ENDS, "baseline, AUC 0.5"))
    return Chart("false positive rate", f"true positive rate of {_class(found, ranked)}", lines, square=True)


def _precision_recall(found, ranked) -> Chart:
    precision = np.cumsum(ranked.cases) / np.cumsum(ranked.cases + ranked.others)
    value = ranked.average_precision()[0]
    # Steps: the precision of a score holds back to the recall of the score above it.
    recall = np.repeat(_from_zero(ranked.found), 2)[1:-1]
    lines = (
        Series(recall, np.repeat(precision, 2), f"model, average precision {value:.3f}"),
        _baseline(_ENDS, [ranked.share] * 2, f"baseline, {ranked.share:.3f}"),
    )
    return Chart(f"recall of {_class(found, ranked)}", "precision", lines, from_zero=True)


def _calibration(found, ranked) -> Chart:
    predicted, share, low, high = calibration(ranked)
    errors = np.array([share - low, high - share])
    lines = (
        Series(predicted, share, "model, 95 % interval", line="", marks=True, errors=errors),
        _baseline(_ENDS, _ENDS, "perfectly calibrated"),
    )
    return Chart(f"predicted probability of {_class(found, ranked)}", "observed share", lines, square=True)


def calibration(ranked) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Mean predicted probability, observed share and its 95 % Wilson interval, of each score or group of scores."""
    each = ranked.cases + ranked.others
    group = np.arange(len(each))
    if len(each) > _GROUPS:
        middle = (np.cumsum(each) - 0.5 * each) / each.sum()
        group = np.unique((middle * _GROUPS).astype(int), return_inverse=True)[1]
    square = np.bincount(group[ranked.group], ranked.rows.square)
    total, hits = np.bincount(group, each), np.bincount(group, ranked.cases)
    predicted, share = np.bincount(group, each * ranked.score) / total, hits / total
    effective = total**2 / square  # so many rows of equal weight are as sure
    low, high = wilson(share, effective)
    return predicted, share, np.minimum(low, share), np.maximum(high, share)


def _share_tested(ranked) -> np.ndarray:
    """Share of the rows at or above each score."""
    each = ranked.cases + ranked.others
    return np.cumsum(each) / each.sum()


def _gains(found, ranked) -> Chart:
    perfect = (np.array([0.0, 100 * ranked.share, 100.0]), np.array([0.0, 100.0, 100.0]))
    lines = (
        Series(100 * _from_zero(_share_tested(ranked)), 100 * _from_zero(ranked.found), "model", marks=True),
        Series(*perfect, "perfect model", OKABE_ITO[2], "--"),
        _baseline(100 * _ENDS, 100 * _ENDS, "random"),
    )
    return Chart("% of cases, ranked by score", f"% of {_class(found, ranked)} found", lines)


def _lift(found, ranked) -> Chart:
    share_tested = _share_tested(ranked)
    lines = (
        Series(100 * share_tested, ranked.found / share_tested, "model", marks=True),
        _baseline(100 * _ENDS, [1.0, 1.0], "random"),
    )
    return Chart("% of cases, ranked by score", f"lift of {_class(found, ranked)}", lines, from_zero=True)


def _scores(found, ranked) -> Chart:
    score, weight = ranked.score[ranked.group], ranked.rows.weight
    edges = np.linspace(0.0, 1.0, 21)
    lines = []
    for which, ink, name in (
        (ranked.positive, OKABE_ITO[1], level(ranked.label)),
        (~ranked.positive, OKABE_ITO[0], "all others"),
    ):
        share = np.histogram(score[which], edges, weights=weight[which] / weight[which].sum())[0]
        height = np.concatenate(([0.0], np.repeat(share, 2), [0.0]))
        lines.append(Series(np.repeat(edges, 2), height, name, ink))
    return Chart(f"predicted probability of {_class(found, ranked)}", "share of its rows", tuple(lines), from_zero=True)


def _confusion(found) -> MatrixChart:
    names = tuple(level(label) for label in found.rows.labels)
    table = found.confusion
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    words = tuple(
        tuple(f"{amount(table[i, j])}\n{percent(share[i, j])}" for j in range(len(names))) for i in range(len(names))
    )
    return MatrixChart(f"predicted {plain(found.response_name)}", "actual", names, words, share)


def _residuals(found) -> Chart:
    rows = found.rows
    step = -(-len(rows.truth) // _MOST_POINTS)
    predicted, rest = rows.predicted[::step], (rows.truth - rows.predicted)[::step]
    every = f", every {step}th row" if step > 1 else ""
    ends = [float(predicted.min()), float(predicted.max())]
    lines = (Series(predicted, rest, line="", marks=True), _baseline(ends, [0.0, 0.0], ""))
    return Chart(f"predicted {plain(found.response_name)}{every}", "actual - predicted", lines)


#: Kind of picture -> what makes its chart.
CLASS_KINDS = {
    "roc": _roc, "precision_recall": _precision_recall, "calibration": _calibration, "gains": _gains, "lift": _lift,
    "confusion": _confusion, "scores": _scores,
}  # fmt: skip
NUMBER_KINDS = {"residuals": _residuals}
