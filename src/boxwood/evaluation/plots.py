"""Pictures of an evaluation: ROC, precision and recall, calibration, gains, lift, confusion, scores, residuals."""

from __future__ import annotations

import numpy as np

from ..errors import ParameterError
from ..pictures.axes import given_axes, new_axes
from ..pictures.colours import OKABE_ITO
from ..pictures.fonts import families
from ..statistics.intervals import wilson
from ..views.words import amount, level, plain

_GREY = "#5a636e"
#: More different scores than this are put into so many groups of equal weight.
_GROUPS = 10


def plot_evaluation(found, kind: str, target_class=None, ax=None):
    """Draw an evaluation; arguments as for ``Evaluation.plot``."""
    kinds = CLASS_KINDS if found.rows.labels else NUMBER_KINDS
    if kind not in kinds:
        what = "classes" if found.rows.labels else "numbers"
        raise ParameterError(f"kind must be one of {', '.join(map(repr, kinds))} for {what}; got {kind!r}.")
    draws = kinds[kind]
    ranked = None if kind in ("confusion", "residuals") else found.ranking(target_class)
    ax = given_axes(ax) or new_axes("plot")
    if ranked is None:
        draws(ax, found)
    else:
        draws(ax, found, ranked)
    ax.spines[["top", "right"]].set_visible(False)
    names = ax.get_legend_handles_labels()[1]
    if names:
        ax.legend(frameon=False, prop={"family": families(names), "size": "small"})
    return ax


def _name(ax, x: str, y: str) -> None:
    ax.set_xlabel(x, fontfamily=families([x]), parse_math=False)
    ax.set_ylabel(y, fontfamily=families([y]), parse_math=False)


def _class(found, ranked) -> str:
    return f"{plain(found.response_name)} = {level(ranked.label)}"


def _from_zero(values: np.ndarray) -> np.ndarray:
    return np.concatenate(([0.0], values))


def _roc(ax, found, ranked) -> None:
    area, influence = ranked.auc()
    se = "" if found.of == "training set" else f" ± {ranked.rows.standard_error(influence):.3f}"
    ax.plot(_from_zero(ranked.alarms), _from_zero(ranked.found), "o-", color=OKABE_ITO[0], markersize=3,
            label=f"model, AUC {area:.3f}{se}")  # fmt: skip
    ax.plot([0, 1], [0, 1], ":", color=_GREY, linewidth=0.9, label="baseline, AUC 0.5")
    ax.set_aspect("equal")
    _name(ax, "false positive rate", f"true positive rate of {_class(found, ranked)}")


def _precision_recall(ax, found, ranked) -> None:
    precision = np.cumsum(ranked.cases) / np.cumsum(ranked.cases + ranked.others)
    value = ranked.average_precision()[0]
    ax.step(_from_zero(ranked.found), np.concatenate((precision[:1], precision)), where="pre", color=OKABE_ITO[0],
            label=f"model, average precision {value:.3f}")  # fmt: skip
    ax.axhline(ranked.share, linestyle=":", color=_GREY, linewidth=0.9, label=f"baseline, {ranked.share:.3f}")
    ax.set_ylim(0, 1.02)
    _name(ax, f"recall of {_class(found, ranked)}", "precision")


def _calibration(ax, found, ranked) -> None:
    said, share, low, high = calibration(ranked)
    ax.errorbar(said, share, yerr=(share - low, high - share), fmt="o", color=OKABE_ITO[0], markersize=4, capsize=3,
                label="model, 95 % interval")  # fmt: skip
    ax.plot([0, 1], [0, 1], ":", color=_GREY, linewidth=0.9, label="perfectly calibrated")
    ax.set_aspect("equal")
    _name(ax, f"predicted probability of {_class(found, ranked)}", "observed share")


def calibration(ranked) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Mean predicted probability, observed share and its 95 % Wilson interval, of each score or group of scores."""
    each = ranked.cases + ranked.others
    group = np.arange(len(each))
    if len(each) > _GROUPS:
        middle = (np.cumsum(each) - 0.5 * each) / each.sum()
        group = np.unique((middle * _GROUPS).astype(int), return_inverse=True)[1]
    square = np.bincount(group[ranked.group], ranked.rows.square)
    total, hits = np.bincount(group, each), np.bincount(group, ranked.cases)
    said, share = np.bincount(group, each * ranked.score) / total, hits / total
    effective = total**2 / square  # so many rows of equal weight are as sure
    low, high = wilson(share, effective)
    return said, share, np.minimum(low, share), np.maximum(high, share)


def _gains(ax, found, ranked) -> None:
    asked = np.cumsum(ranked.cases + ranked.others) / (ranked.cases + ranked.others).sum()
    ax.plot(100 * _from_zero(asked), 100 * _from_zero(ranked.found), "o-", color=OKABE_ITO[0], markersize=3,
            label="model")  # fmt: skip
    ax.plot([0, 100 * ranked.share, 100], [0, 100, 100], "--", color=OKABE_ITO[2], linewidth=0.9, label="perfect model")
    ax.plot([0, 100], [0, 100], ":", color=_GREY, linewidth=0.9, label="random")
    _name(ax, "% of cases, ranked by score", f"% of {_class(found, ranked)} found")


def _lift(ax, found, ranked) -> None:
    asked = np.cumsum(ranked.cases + ranked.others) / (ranked.cases + ranked.others).sum()
    ax.plot(100 * asked, ranked.found / asked, "o-", color=OKABE_ITO[0], markersize=3, label="model")
    ax.axhline(1.0, linestyle=":", color=_GREY, linewidth=0.9, label="random")
    _name(ax, "% of cases, ranked by score", f"lift of {_class(found, ranked)}")


def _scores(ax, found, ranked) -> None:
    score, weight = ranked.score[ranked.group], ranked.rows.weight
    edges = np.linspace(0.0, 1.0, 21)
    for which, colour, name in (
        (ranked.positive, OKABE_ITO[1], level(ranked.label)),
        (~ranked.positive, OKABE_ITO[0], ""),
    ):
        each = weight[which] / weight[which].sum()
        ax.hist(score[which], edges, weights=each, histtype="step", color=colour, label=name or "all others")
    _name(ax, f"predicted probability of {_class(found, ranked)}", "share of its rows")


def _confusion(ax, found) -> None:
    labels = [level(label) for label in found.rows.labels]
    table = found.confusion
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    ax.imshow(share, cmap="Blues", vmin=0.0, vmax=1.0)
    for i, j in np.ndindex(table.shape):
        words = f"{amount(table[i, j])}\n{100 * share[i, j]:.1f} %"
        ax.text(j, i, words, ha="center", va="center", color="white" if share[i, j] > 0.5 else "black")
    fonts = families(labels)
    ax.set_xticks(range(len(labels)), labels, fontfamily=fonts, parse_math=False)
    ax.set_yticks(range(len(labels)), labels, fontfamily=fonts, parse_math=False)
    _name(ax, f"predicted {plain(found.response_name)}", "actual")


def _residuals(ax, found) -> None:
    rows = found.rows
    ax.plot(rows.predicted, rows.truth - rows.predicted, "o", color=OKABE_ITO[0], markersize=3, alpha=0.6)
    ax.axhline(0.0, linestyle=":", color=_GREY, linewidth=0.9)
    _name(ax, f"predicted {plain(found.response_name)}", "actual - predicted")


#: Kind of picture -> what draws it.
CLASS_KINDS = {
    "roc": _roc, "precision_recall": _precision_recall, "calibration": _calibration, "gains": _gains, "lift": _lift,
    "confusion": _confusion, "scores": _scores,
}  # fmt: skip
NUMBER_KINDS = {"residuals": _residuals}
