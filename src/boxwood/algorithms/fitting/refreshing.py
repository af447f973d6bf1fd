"""The statistics of the nodes of a fitted tree, anew from other rows; its splits stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...data.frames.weights import bounded_weights, check_lengths, read_weights
from ...errors import WeightError
from ...evaluation.node_drift import FreshSums, NodeDrift, drift_of_nodes
from ...growing.recipe import Recipe
from ...learning.learning_set import NO_WEIGHT, learning_set
from ...learning.parameters import checked
from ...learning.responses import class_priors_and_costs, read_exposure
from ...model.readable import readable
from ...model.settings import restored
from ...model.splits.explain_split import GrownFrom, not_of_fit
from ...model.splits.rivals import without_unseen
from ...model.tree_model import TreeModel
from ...statistics.grid_sums import grid_sums
from ...statistics.responses.response import Response
from ...statistics.row_moments import EndedRows, moments_at
from ...tree.descend import route_shares
from ...tree.join_leaves import join_leaves
from ...tree.rebuild import keep_nodes
from ...tree.shares import passed_in_parts
from ...tree.tree import SHARED, Tree
from ..editing.rows_of_fit import RowsOfFit
from .algorithm import Algorithm, rows_kept
from .growing_below import rows_at, with_tree
from .leaves import smoothing_of

#: Statistics this close are equal but for rounding: as a share of themselves, and of the largest of their kind.
_CLOSE, _SMALL = 1e-6, 1e-9
#: Weights whose effective number of rows is this close to their number are equal.
_ROUNDING = 1e-9


def refreshed(algorithm: Algorithm, model: TreeModel, given: RowsOfFit) -> TreeModel:
    """A model of the same splits whose nodes hold the statistics of new rows; the same model if these are equal.

    Rows that the fit would have held out for its pruner are held out here too.

    Raises
    ------
    ParameterError
        The leaves do not predict constants.
    DataError
        The rows do not match the model.
    """
    settings = _settings(algorithm, model, given)
    sums = _sums(algorithm, model, given, settings)
    tree = _with_sums(model.tree, sums, lambda: _response(algorithm, model.tree, sums, settings))
    if tree is model.tree:
        return model
    note = (
        f"The statistics of the nodes are those of {int(sums.rows[0]):,} newer rows; the splits are those of the fit."
    )
    if model.edits:  # they cannot be undone or replayed with these rows
        many = f"{len(model.edits):,} edit{'s' * (len(model.edits) != 1)}"
        note += f" {many} came before; their log is in the earlier model."
    return replace(with_tree(model, readable(join_leaves(tree)), note), edits=(), unedited=None)


def node_drift(algorithm: Algorithm, model: TreeModel, given: RowsOfFit, level: float) -> NodeDrift:
    """How the nodes of a model differ between the rows of the fit and new rows; errors as for :func:`refreshed`."""
    sums = _sums(algorithm, model, given, _settings(algorithm, model, given))
    return drift_of_nodes(model.tree, sums, level)


def refuse_other_rows(
    algorithm: Algorithm, model: TreeModel, given: RowsOfFit, recipe: Recipe, grown_from: GrownFrom
) -> None:
    """Refuse rows that are not those that a model was grown from: a node has other sums of them.

    Raises
    ------
    DataError
    """
    tree = model.tree
    if recipe.missing.predicts_by_rows:  # growth sent rows elsewhere than prediction does
        for leaf in np.flatnonzero(tree.is_leaf & (tree.rows > 0)).tolist():
            rows_at(tree, recipe, grown_from, leaf)
        return
    sums = _sums(algorithm, model.under("missing"), given, _settings(algorithm, model, given))
    other = np.flatnonzero(_differ(tree, sums)).tolist()
    if other:
        raise not_of_fit(tree, other[0], int(sums.rows[other[0]]))


def _settings(algorithm: Algorithm, model: TreeModel, given: RowsOfFit) -> dict:
    of_fit = restored(model.settings) if given.settings is None else given.settings
    return checked(algorithm.parameters[model.task], of_fit)


def _sums(algorithm: Algorithm, model: TreeModel, given: RowsOfFit, settings: dict) -> FreshSums:
    """Sums over the new rows of each node."""
    model.need_constant_leaves("refresh")
    model.tree.response.need_sums("refresh")
    tree, columns = model.tree, given.columns
    y = tree.response.read(given.y)
    check_lengths(columns.n, len(y))
    tree.response.check(y)
    sample = read_weights(given.weight, columns.n)
    exposure = read_exposure(given.exposure, columns.n)
    weight = _with_class_weights(tree.response, y, sample)
    kept = _kept(algorithm, model, given, settings, weight)
    if kept is not None:
        columns = columns.take(kept)
        y, weight, sample, exposure = (None if a is None else a[kept] for a in (y, weight, sample, exposure))
    weight = None if weight is None else bounded_weights(weight)
    if not (tree.missing == SHARED).any():
        at = model.answer(columns, "node")
        rows = _added_up(tree, np.bincount(at, minlength=tree.n_nodes)[:, None], np.sum)[:, 0]
    else:
        model.refuse(columns)
        parts = route_shares(tree, columns, model.policies["unseen"], model.threads)
        at, share = parts.node.astype(np.int64), parts.share
        rows = np.bincount(passed_in_parts(tree, parts, columns.n)[1], minlength=tree.n_nodes)
        y, exposure, sample = (None if a is None else a[parts.row] for a in (y, exposure, sample))
        weight = share if weight is None else share * weight[parts.row]
        sample = None if sample is None else np.sqrt(share) * sample
    moments = moments_at(tree.response, EndedRows(at, y, weight, exposure), tree.moments)
    moments = _added_up(tree, moments, lambda parts, axis: _union(tree.response, parts))
    return FreshSums(moments, rows.astype(np.int64), _squares(tree, at, sample))


def _with_class_weights(response: Response, y: np.ndarray, sample: np.ndarray | None) -> np.ndarray | None:
    """Weights of rows times those of their classes, which stay as they were at the fit."""
    if not response.class_weights:
        return sample
    of_class = np.asarray(response.class_weights)[y]
    return of_class if sample is None else of_class * sample


def _kept(
    algorithm: Algorithm, model: TreeModel, given: RowsOfFit, settings: dict, weight: np.ndarray | None
) -> np.ndarray | None:
    """Positions of the rows of positive weight that the fit would not have held out; None = all."""
    rows = None
    if weight is not None and not (weight > 0).all():
        rows = np.flatnonzero(weight > 0)
        if not len(rows):
            raise WeightError(NO_WEIGHT)
    pruner = algorithm.active_pruner(settings)
    if pruner is None or pruner.holdout is None:
        return rows
    target = algorithm.target(
        given.y, settings, weight=given.weight, exposure=given.exposure, name=model.response_name, task=model.task
    )
    learning = learning_set(without_unseen(given.columns), target, model.threads, settings.get("max_bins"))
    keep = rows_kept(learning, pruner, settings)
    return rows if keep is None else learning.rows[keep]


def _added_up(tree: Tree, own: np.ndarray, union) -> np.ndarray:
    """Statistics of the rows that end in each node, with those of its branches: (T, M) -> (T, M)."""
    found = own.copy()
    for t in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        first = int(tree.first_child[t])
        found[t] = union(np.concatenate([found[t][None], found[first : first + int(tree.n_children[t])]]), axis=0)
    return found


def _union(response: Response, parts: np.ndarray) -> np.ndarray:
    """Moments of parts together, some of which may hold no rows."""
    filled = parts[response.weight(parts) > 0]
    return response.union(filled) if len(filled) else np.zeros(parts.shape[1])


def _squares(tree: Tree, at: np.ndarray, sample: np.ndarray | None) -> np.ndarray | None:
    """Sums of the squared weights of the rows of each node; None without weights."""
    if sample is None:
        return None
    own = grid_sums(at, tree.n_nodes, [float(sample.max()) ** 2], lambda rows: [sample[rows] ** 2])
    return _added_up(tree, own, np.sum)[:, 0]


def _response(algorithm: Algorithm, tree: Tree, sums: FreshSums, settings: dict) -> Response:
    """The response with what depends on the root: priors over shares, and smoothing."""
    response, root = tree.response, sums.moments[0]
    if response.labels:
        priors = class_priors_and_costs(response, settings)[1]
        response = response.with_priors(priors, lambda: root)
    how = smoothing_of(settings, algorithm.active_pruner(settings))
    return response if how is None else response.smoothed(root, int(sums.rows[0]), how)


def _differ(tree: Tree, sums: FreshSums) -> np.ndarray:
    """Whether nodes have other statistics than these, but for rounding; bool, shape (T,)."""
    near = _CLOSE * np.abs(tree.moments) + _SMALL * np.abs(tree.moments).max(axis=0)
    return (sums.rows != tree.rows) | (np.abs(sums.moments - tree.moments) > near).any(axis=1)


def _with_sums(tree: Tree, sums: FreshSums, response) -> Tree:
    """The tree with other statistics, ``response`` makes its response; the tree itself where they are equal."""
    if not _differ(tree, sums).any():
        return tree
    found = replace(
        tree, moments=sums.moments, rows=sums.rows, response=response(), weight_squares=sums.weight_squares,
    )  # fmt: skip
    if sums.weight_squares is not None:
        equal = found.row_weight[0] >= np.sqrt(sums.weight_squares[0] * sums.rows[0]) * (1.0 - _ROUNDING)
        found = replace(found, weight_squares=None) if equal else found
    empty = (sums.rows == 0) & ~tree.is_leaf
    return keep_nodes(found, empty) if empty.any() else found
