"""A tree as a fitted decision tree of scikit-learn, for the programs that draw, explain and translate those."""

from __future__ import annotations

import pickle
import warnings

import numpy as np

from .._messages import Column, Message, remedy
from ..data.columns.distinct import distinct
from ..errors import BoxwoodWarning, ParameterError, check_one_of, level_outside
from ..statistics.measures.tables import merge_moments
from ..statistics.responses.classes import EQUAL
from ..statistics.responses.registry import MEAN
from ..statistics.responses.response import Response
from ..tree.tree import Tree
from ..views.kinds import set_words
from ..views.words import level, plain
from .answers import Answers
from .bridges import LEVELS_CHOICES, MatrixColumn, bridge_plan, not_compared, to_codes
from .plan import ExportPlan
from .raw_rows import RawRows
from .sklearn_nodes import TARGET, NumberedNodes, numbered, thresholds
from .values import refuse_wide_cuts

#: Measures of impurity -> scikit-learn's criteria; of numbers by another measure, "squared_error" is named.
_CRITERIA = {"gini": "gini", "entropy": "entropy", "variance": "squared_error", "poisson": "poisson",
             "absolute_error": "absolute_error"}  # fmt: skip


def write(plan: ExportPlan, options: dict) -> bytes:
    """The fitted tree of scikit-learn as a pickle, which needs no further package to be written or read.

    Raises
    ------
    ParameterError
        As for :func:`to_sklearn`.
    """
    return pickle.dumps(to_sklearn(plan, options["missing"], options["levels"]), protocol=5)


def run(content: bytes, plan: ExportPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """What scikit-learn makes of rows; it refuses infinities, and numbers beyond single precision, in any column."""
    import sklearn

    model = pickle.loads(content)
    bridged = bridge_plan(plan, options["missing"], TARGET)
    laid = numbered(bridged, options["levels"])
    codes = to_codes(bridged, rows.columns, options["levels"], options["missing"])
    with np.errstate(over="ignore"):
        single = codes.astype(np.float32)
    lost = not_compared(plan, rows, options["missing"]) | np.isinf(single).any(axis=1)
    if rows.made:
        lost[-rows.made :] |= _moved(bridged.tree, laid, codes[-rows.made :])
    single[lost] = 0.0
    node = laid.nodes[model.apply(single, check_input=False)]
    probability = model.predict_proba(single, check_input=False) if plan.has_classes else None
    predicted = model.predict(single, check_input=False).astype(object)
    return Answers(predicted, node, probability, lost), f"scikit-learn {sklearn.__version__}"


def _moved(tree: Tree, laid: NumberedNodes, codes: np.ndarray) -> np.ndarray:
    """Rows with a number that single precision moves across a cut."""
    moved = np.zeros(len(codes), dtype=bool)
    single = thresholds(tree, laid)
    for i in np.flatnonzero(laid.column >= 0).tolist():
        numbers = codes[:, laid.column[i]]
        with np.errstate(over="ignore"):
            moved |= (numbers <= laid.cut[i]) != (numbers.astype(np.float32) <= single[i])
    return moved


def to_sklearn(plan: ExportPlan, missing: str = "as_tree", levels: str = "codes"):
    """The tree as a fitted DecisionTreeClassifier or DecisionTreeRegressor; its input is the matrix of ``to_codes``.

    Parameters and errors as in :meth:`boxwood.model.readable.ReadableTree.to_sklearn`.
    """
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    check_one_of("levels", levels, LEVELS_CHOICES)
    plan = bridge_plan(plan, missing, TARGET)
    refuse_wide_cuts(plan, TARGET)
    tree, laid = plan.tree, numbered(plan, levels)
    kind = DecisionTreeClassifier if plan.has_classes else DecisionTreeRegressor
    made = kind(criterion=_CRITERIA.get(_measure(tree), "squared_error"))
    made.n_features_in_ = made.max_features_ = len(laid.columns)
    made.n_outputs_ = 1
    if tree.schema.named:
        made.feature_names_in_ = np.array([_name(tree, column) for column in laid.columns], dtype=object)
    if plan.has_classes:
        made.classes_ = np.array(tree.classes)
        made.n_classes_ = np.int64(len(tree.classes))
    made.tree_ = arrays_of(plan, laid)
    _warn_of_rounding(tree)
    return made


def _measure(tree: Tree) -> str:
    """The measure of impurity: that of the tree if scikit-learn has it."""
    given = tree.made_by.get("measure")
    return given if given in ("gini", "entropy") and tree.response.labels else tree.response.measures[0]


def arrays_of(plan: ExportPlan, laid: NumberedNodes):
    """The nodes as scikit-learn's ``tree_``."""
    from sklearn.tree._tree import Tree as Arrays

    facts, values = _contents(plan, laid, _measure(plan.tree))
    n_classes = [max(len(one.labels), 1) for one in _responses(plan.tree)]
    arrays = Arrays(len(laid.columns), np.array(n_classes, dtype=np.intp), len(n_classes))
    nodes = np.zeros(len(values), dtype=arrays.__getstate__()["nodes"].dtype)  # 0 between the fields, too
    for name, column in facts.items():
        nodes[name] = column
    arrays.__setstate__({"max_depth": laid.depth, "node_count": len(nodes), "nodes": nodes, "values": values})
    return arrays


def _name(tree: Tree, column: MatrixColumn) -> str:
    feature = tree.schema[column.feature]
    if not column.levels:
        return feature.name
    return set_words(plain(feature.name), [level(feature.levels[code]) for code in column.levels], None)


def _contents(plan: ExportPlan, laid: NumberedNodes, measure: str) -> tuple[dict, np.ndarray]:
    """The nodes by scikit-learn's fields, and what they predict, shape (nodes, responses, width)."""
    tree = plan.tree
    values = _predicted(plan)[laid.nodes]
    moments, rows = _counted(tree, laid)
    weight = tree.response.weight(moments)
    # A rate may be shrunk towards that of the root, which is the first row.
    impurity = tree.response.impurity(np.vstack([tree.moments[:1], moments]), measure)[1:]
    if tree.response.takes_exposure:  # scikit-learn's rate is a mean weighted by exposure; it halves the deviance
        exposure = moments[:, 1]
        impurity = np.divide(weight * impurity, 2.0 * exposure, out=np.zeros_like(weight), where=exposure > 0)
        weight = exposure
    if not laid.whole.all():
        _join_parts(laid, weight, values)
    left, right = laid.children.T
    facts = {
        "left_child": left,
        "right_child": right,
        "feature": laid.column,
        "threshold": thresholds(tree, laid),
        "impurity": np.where(rows == 1, 0.0, impurity),  # of one row there is none, but for rounding
        "n_node_samples": rows,
        "weighted_n_node_samples": weight,
        "missing_go_to_left": laid.missing,
    }
    return facts, np.ascontiguousarray(values)


def _responses(tree: Tree) -> tuple[Response, ...]:
    """The responses, of which most trees have one."""
    return tree.response.responses or (tree.response,)


def _predicted(plan: ExportPlan) -> np.ndarray:
    """What each node predicts of each response, float64, shape (T, responses, width)."""
    tree = plan.tree
    if not tree.response.responses:
        return (_probability(plan) if plan.has_classes else np.asarray(tree.value)[:, None])[:, None, :]
    of_each = [one.predicts_of(part) for one, part in tree.response.parts(tree.moments[tree.moments_node])]
    found = np.zeros((tree.n_nodes, len(of_each), max(each.shape[1] for each in of_each)))
    for r, each in enumerate(of_each):
        found[:, r, : each.shape[1]] = each
    return found


def _join_parts(laid: NumberedNodes, weight: np.ndarray, values: np.ndarray) -> None:
    """Give nodes that hold a part of the rows the weight of their children, and what these predict on average."""
    for i in reversed(np.flatnonzero(laid.children[:, 0] >= 0).tolist()):
        below = laid.children[i]
        weight[i] = weight[below].sum()
        if not laid.whole[i]:
            values[i] = np.average(values[below], 0, weight[below] if weight[i] > 0 else None)


def _probability(plan: ExportPlan) -> np.ndarray:
    """The probabilities of each node, such that the predicted class has the largest."""
    tree = plan.tree
    p, predicted = tree.probability.copy(), np.asarray(tree.value, dtype=np.int64)
    every = np.arange(len(p))
    short_of = p.max(axis=1) - p[every, predicted]
    costly = (short_of > EQUAL).any()
    by_costs = [t for t in plan.ends if short_of[t] > EQUAL] if costly else []
    if by_costs:
        raise ParameterError(
            f"scikit-learn predicts the most probable class, and node {by_costs[0]} predicts "
            f"{tree.response.labels[predicted[by_costs[0]]]!r}, which costs less; fit without costs."
        )
    equal = short_of <= EQUAL  # equal but for rounding
    p[every[equal], predicted[equal]] = p[equal].max(axis=1)
    return p


def _counted(tree: Tree, laid: NumberedNodes) -> tuple[np.ndarray, np.ndarray]:
    """Moments and rows of each node."""
    moments, rows = tree.moments[laid.nodes].astype(np.float64), np.asarray(tree.rows)[laid.nodes].copy()
    is_mean = tree.response.kind == MEAN
    for i in reversed(np.flatnonzero(~laid.whole).tolist()):
        t, below = laid.nodes[i], list(laid.children[i])
        if below[0] < 0:  # rows that stay at an inner node
            first = int(tree.first_child[t])
            children = slice(first, first + int(tree.n_children[t]))
            rows[i] = max(int(rows[i] - tree.rows[children].sum()), 0)
            passed_down = float(tree.weight[children].sum() / tree.weight[t]) if tree.weight[t] > 0 else 1.0
            share = max(1.0 - passed_down, 0.0)
            moments[i] *= (share, 1.0, share) if is_mean else share
        else:
            rows[i] = rows[below].sum()
            moments[i] = merge_moments(moments[below]) if is_mean else moments[below].sum(axis=0)
    return moments, rows


def _warn_of_rounding(tree: Tree) -> None:
    """Warn of cuts that single precision cannot distinguish from another one, or from both whole numbers beside it."""
    of_break = np.repeat(tree.splits.feature, np.diff(tree.splits.breaks_start))
    lost = []
    for j in distinct(of_break).tolist():
        cuts = distinct(tree.splits.breaks[of_break == j])
        with np.errstate(over="ignore"):
            same = np.diff(cuts.astype(np.float32), append=np.nan) == 0
            if tree.schema[j].integer:
                same |= (np.floor(cuts) < cuts) & (
                    np.floor(cuts).astype(np.float32) == np.ceil(cuts).astype(np.float32)
                )
        lost += [(tree.schema[j].name, cut) for cut in cuts[same].tolist()]
    if lost:
        name, cut = lost[0]
        warnings.warn(
            Message(
                f"scikit-learn rounds X to single precision, which is too coarse for {len(lost)} of {len(of_break)} "
                f"cuts of the tree, first {cut!r} of ", Column(name, "column"), ": rows near them can be predicted "
                "differently. ", remedy("Subtract a constant from the column, or round it, and fit again"), ".",
            ),
            BoxwoodWarning,
            stacklevel=level_outside(),
        )  # fmt: skip
