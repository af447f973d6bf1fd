"""`grow_below`: a node of a fitted tree is grown anew, with a split of the user's or without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ..._messages import Setting, Value, remedy, shortened
from ...data.columns.columns import Columns
from ...data.frames.weights import check_lengths
from ...errors import DataError, ParameterError
from ...growing.below import Place, grow_at
from ...growing.data_cuts import floors_in, with_data_cuts
from ...growing.draft import table_of
from ...growing.memory.node_tables import NodePart, NodeTables
from ...growing.memory.table_surrogates import SplitTaken, Surrogate
from ...growing.recipe import Recipe
from ...growing.tables import UNKNOWN
from ...learning.learning_set import LearningSet
from ...learning.node_source import place_of, source_of_node
from ...learning.target import Target
from ...model.splits.explain_split import GrownFrom, check_rows, known_node, not_of_fit, path_words
from ...pruning.growth import Growth
from ...pruning.pruners.evidence import KEEPS_ALL
from ...statistics.responses.response import Response
from ...tree.builder import Builder
from ...tree.graft import graft
from ...tree.rebuild import keep_nodes
from ...tree.split import LevelSplits, SplitTable, offsets
from ...tree.trace import arrivals
from ...tree.tree import SHARED, STAYS, Tree
from ...views.given_condition import as_split
from ...views.read_condition import read_condition
from ...views.words import plain

#: A longer condition is cut off in the note on it.
_LONGEST = 200


def grow_below(tree: Tree, growth: Growth, grown_from: GrownFrom, node: int, split: str | None = None) -> Tree:
    """A tree whose nodes below one node are grown anew; all other nodes stay.

    Parameters
    ----------
    tree : Tree
    growth : Growth
        Of the nodes below; with that of the tree and no split, pruning there is undone.
    grown_from : GrownFrom
        The rows that the tree was grown from.
    node : int
    split : str, optional
        A condition on one feature: rows that fulfil it go down the first branch, and both branches are grown.

    Raises
    ------
    ParameterError
        There is no such node, it is empty, or the split divides none of its rows.
    DataError
        These are not the rows that the tree was grown from.
    """
    if tree.monotonic is not None:
        growth = replace(growth, recipe=growth.recipe.in_order(tuple(tree.monotonic[0].tolist())))
    here = rows_at(tree, growth.recipe, grown_from, node)
    learning, recipe = grown_from.learning, growth.recipe
    if recipe.criterion.data_cuts:
        growth = _with_cuts_of_all_rows(growth, grown_from)
    place = place_of(tree, node, learning, growth.recipe, grown_from.keep)
    if split is None:
        below = _grown(learning, growth, place, here)
    else:
        below = _split(tree, growth, learning, place, here, split, node)
    return in_place(tree, grown_from, node, below)


def rows_at(tree: Tree, recipe: Recipe, grown_from: GrownFrom, node: int) -> NodeTables:
    """The rows of a node, in shares.

    Raises
    ------
    ParameterError
        There is no such node, or it is empty.
    DataError
        These are not the rows that the tree was grown from.
    """
    known_node(tree, node)
    rows, share = grown_from.arrivals(tree, node)
    if not len(rows):
        if tree.rows[node]:
            raise not_of_fit(tree, node, 0)
        raise ParameterError(f"node {node} is empty: no row of training came to it, so nothing can be grown below it.")
    learning = grown_from.learning
    divides = recipe.missing.policy == "fractional" and learning.has_missing
    here = NodeTables(learning.columns, learning.response, learning.exact, rows, share, raised=divides)
    check_rows(tree, node, here.whole.moments, len(rows))
    return here


def in_place(tree: Tree, grown_from: GrownFrom, node: int, below: Tree) -> Tree:
    """The tree with another one in the place of a node and of all below it."""
    is_cut = np.arange(tree.n_nodes) == node
    grown = graft(keep_nodes(replace(tree, weight_squares=None), is_cut), {node: below})
    return grown_from.learning.with_weight_squares(replace(grown, made_by=tree.made_by), grown_from.keep)


def _with_cuts_of_all_rows(growth: Growth, grown_from: GrownFrom) -> Growth:
    """The growth with cuts at values of all rows, which those of a node do not hold; a split by hand stays as it is."""
    keep = slice(None) if grown_from.keep is None else grown_from.keep
    floors = partial(floors_in, grown_from.learning.columns.take(np.arange(grown_from.learning.n)[keep]))
    criterion, finish = replace(growth.recipe.criterion, data_cuts=False), growth.finishing

    def finishing(tree: Tree) -> Tree:
        return with_data_cuts(tree if finish is None else finish(tree), floors)

    return replace(growth, recipe=replace(growth.recipe, criterion=criterion), finishing=finishing)


def _grown(learning: LearningSet, growth: Growth, place: Place, node: NodeTables) -> Tree:
    """The tree of a node's rows."""
    tree = grow_at(place, source_of_node(learning, growth.recipe, place, node), growth.recipe)
    return tree if growth.finishing is None else growth.finishing(tree)


def _split(
    tree: Tree, growth: Growth, learning: LearningSet, place: Place, node: NodeTables, text: str, number: int
) -> Tree:
    """The node split by a condition, with what is grown below its branches."""
    recipe = growth.recipe
    table, of_missing = as_split(read_condition(text, learning.schema, "split"), learning.schema)
    if of_missing is not None and recipe.missing.predicts_by_rows:
        raise ParameterError(
            f"split {shortened(text)}: ", Setting("compat", "rpart"), " decides where missing values go; ",
            remedy("leave them out."),
        )  # fmt: skip
    stump, found = divided(tree, place.recipe(recipe), node, table, of_missing)
    if sum(len(child.rows) > 0 for child in found) < 2:
        raise divides_none(tree, number, text)
    below = {
        c: _grown(learning, growth, place.below(stump, c, recipe), child)
        for c, child in enumerate(found, 1)
        if len(child.rows)
    }
    return graft(stump, below)


def divides_none(tree: Tree, node: int, text: str) -> ParameterError:
    """The error of a split that leaves the rows of a node together."""
    where = path_words(tree, node) or "the root"
    return ParameterError(f"split {shortened(text)} divides no rows of node {node} ({where}): all go down one branch.")


def divided(
    tree: Tree, recipe: Recipe, node: NodeTables, table: SplitTable, of_missing: int | None
) -> tuple[Tree, list[NodeTables]]:
    """The rows of a node divided by a split: a tree of this split alone, and the rows of each branch.

    Parameters
    ----------
    tree : Tree
    recipe : Recipe
        Decides about missing values, unless ``of_missing`` names their branch.
    node : NodeTables
    table : SplitTable
    of_missing : int or None
    """
    n = int(table.index.max()) + 1
    parts, unknown = node.by_split(table, 0, n)
    searched = of_missing is None and recipe.missing.policy == "surrogate" and n == 2 and recipe.missing.max_surrogates
    surrogates = node.surrogates(table, recipe) if searched else []
    missing = _branch_of_missing(recipe, node.taken(table), n) if of_missing is None else of_missing
    stump = _stump(tree, table, missing, [node.whole, *parts, *[unknown] * (missing == n)], surrogates)
    found = below_stump(stump, node)
    wholes = [child.whole for child in found]
    if recipe.missing.predicts_by_rows:
        missing = int(wholes[1].rows > wholes[0].rows) if wholes[0].rows != wholes[1].rows else STAYS
    return _stump(tree, table, missing, [node.whole, *wholes], surrogates), found


def below_stump(stump: Tree, node: NodeTables) -> list[NodeTables]:
    """The rows of a node that go down each branch of its split."""
    columns = node.columns.take(node.rows)
    return [node.below(*arrivals(stump, columns, child)) for child in range(1, stump.n_nodes)]


def _branch_of_missing(recipe: Recipe, taken: SplitTaken, n: int) -> int:
    """Where missing values go by the policy of the recipe, after a split in n branches."""
    missing = recipe.missing
    if missing.policy == "fractional":
        return SHARED
    if missing.policy == "own_branch" and (taken.branch == UNKNOWN).any():
        return n
    weights = [int(taken.weight[taken.branch == c].sum()) for c in range(n)]
    is_even = len(set(weights)) == 1 and not recipe.constraints.monotonic
    if missing.policy == "surrogate" and (missing.stays_in_growth or is_even):
        return STAYS
    return int(np.argmax(weights))


def _stump(tree: Tree, table: SplitTable, missing: int, nodes: list[NodePart], surrogates: list[Surrogate]) -> Tree:
    """A tree of one split; its score is the decrease of the tree's measure."""
    moments = np.array([part.moments for part in nodes])
    rows = np.array([part.rows for part in nodes], dtype=np.int64)
    response, n = tree.response, len(nodes) - 1
    weight = response.weight(moments)
    impurity = response.impurity(moments, tree.made_by["measure"])
    score = impurity[0] - float(weight[1:] @ impurity[1:]) / max(float(weight[1:].sum()), 1e-300)
    builder = Builder(tree.schema, response)
    builder.add(moments[:1], rows[:1], _level(table, [missing], [score], tree.log_p is not None, surrogates))
    leaves = SplitTable.empty(n)
    builder.add(moments[1:], rows[1:], _level(leaves, [STAYS] * n, [np.nan] * n, tree.log_p is not None))
    return builder.freeze({})


def _level(
    splits: SplitTable, missing: list[int], score: list[float], by_tests: bool, surrogates: Sequence[Surrogate] = ()
) -> LevelSplits:
    """Splits of a level without competitors; surrogates are those of the first."""
    n, none, nothing = len(splits), np.zeros(0), SplitTable.empty(0)
    starts, unknown = offsets([0] * n), np.full(n, np.nan)
    drafts = table_of([one.draft for one in surrogates])
    agreement = np.array([one.agreement for one in surrogates], dtype=np.float64)
    adjusted = np.array([one.adjusted for one in surrogates], dtype=np.float64)
    surrogate_start = offsets([len(surrogates)] + [0] * (n - 1))
    log_p = unknown if by_tests else None
    missing_of, flags, scores = np.array(missing, dtype=np.int32), np.zeros(n, dtype=bool), np.array(score)
    return LevelSplits(
        splits, missing_of, flags, scores, surrogate_start, drafts, agreement, adjusted, starts, nothing, none, log_p
    )  # fmt: skip


def for_recipe(grown_from: GrownFrom, other: GrownFrom) -> GrownFrom:
    """The rows that a tree was grown from, as the recipe of another estimator encodes them."""
    if other.learning.response != grown_from.learning.response:
        raise ParameterError(
            "recipe treats y otherwise than this model (", Setting("criterion", "poisson"), ", ",
            Setting("class_weight"), ", priors, costs or ", Setting("target_class"), "); ",
            remedy("give it those of this model."),
        )  # fmt: skip
    return replace(grown_from, learning=other.learning)


def note_of(node: int, split: str | None, name: str) -> str:
    """What was done to a node, for the notes of the model."""
    text = "" if split is None else plain(" ".join(split.split()))
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
    by_hand = f"split by hand, {text}, and " if text else ""
    return f"Node {node} was {by_hand}grown below by {name}, unpruned."


def with_tree(model, tree: Tree, note: str):
    """A model that predicts with a tree that was grown anew in part, which is its full tree from now on."""
    return replace(
        model, full_tree=tree, tree=tree, family=None, alpha=KEEPS_ALL, held_out=None, confusion=None, sequence=None,
        judged_by=None, folds=None, pruned_by=None, family_by=None, notes=(*model.notes, note),
    )  # fmt: skip


def check_rows_of_fit(columns: Columns, sample: Target, response: Response) -> None:
    """Refuse rows that growth in a tree with this response cannot use: of other lengths, levels or classes.

    Raises
    ------
    DataError
    """
    check_lengths(columns.n, len(sample.y))
    as_before = remedy("give the data of the fit, with the same ", Setting("sample_weight"), ".")
    if columns.unseen and columns.weighs_unseen(sample.weight):
        raise DataError("X holds levels that the fit did not have; ", as_before)
    lacking = [label for label in response.labels if label not in sample.response.labels]
    if lacking:
        raise DataError(
            "y has no row of the class ", Value(lacking[0], shortened(lacking[0])),
            ", one of the classes of the model; ", as_before,
        )  # fmt: skip
    new = [label for label in sample.response.labels if label not in response.labels]
    if new:
        known = f", but the classes of the model are {list(response.labels)}; "
        raise DataError("y has the class ", Value(new[0], shortened(new[0])), known, as_before)


def refuse_edited(model) -> None:
    """Refuse a model that was edited by hand: its log would not hold what is grown.

    Raises
    ------
    ParameterError
    """
    if model.edits:
        raise ParameterError("this model was edited by hand; ", remedy("use edit(X, y), which also keeps the log."))
