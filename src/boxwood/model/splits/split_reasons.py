"""Why a feature won or lost at a node, in a sentence; and why a node is a leaf."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...growing.grow import open_nodes
from ...growing.protocol import Level
from ...views.words import p_value, plain
from ..records import function_name
from .split_offers import ABSENT, CONSTANT, RANKED, REFUSED, TIE, UNPAID, USED, Offer, net_gain
from .split_parts import Node


def why(offer: Offer, ranked: list[Offer], node: Node, chosen: bool) -> str:
    """Why a feature won or lost.

    Parameters
    ----------
    offer : Offer
    ranked : list of Offer
        The candidates of the node, best first.
    node : Node
    chosen : bool
        The node is split by it.
    """
    if chosen and offer.rank != 1:
        best = f", where {_name(ranked[0], node)} comes first" if ranked else ""
        return f"put here by pruning, which raised a branch: it was chosen among other rows than these{best}"
    if offer.state == RANKED and node.tests and not node.is_pure:
        return _tested(offer, ranked[0], node, chosen)
    if offer.state == RANKED and offer.rank is not None and ranked and not node.tests:
        if offer.rank == 1:
            return _won(offer, ranked, node, chosen)
        return _lost(offer, ranked[0], node)
    if offer.state == USED:
        return f"already tested above, at node {node.used[offer.column]}"
    if offer.state == ABSENT:
        return "missing in every row here"
    if offer.state == CONSTANT:
        return "is constant in this node"
    if node.is_pure:
        return "nothing to gain: all rows have the same response"
    if node.tests:
        return "groups of the least size would leave fewer than two branches"
    if offer.state == REFUSED:
        return _refused(offer, node)
    return _below(offer, node)


def _won(offer: Offer, ranked: list[Offer], node: Node, chosen: bool) -> str:
    """The best candidate."""
    head = "chosen" if chosen else "best, but not used"
    criterion = node.recipe.criterion
    if place := criterion.place(None):
        return f"{head}: {place}"
    what = f"{criterion.score_name} {_short(offer.score)}"
    tied = [] if _handicap(node) else [o for o in ranked[1:] if _ties(o.score, offer.score)]
    if tied:
        others = ", ".join(_name(o, node) for o in tied)
        return f"{head}: {what} ties with {others}; the first column is taken"
    if len(ranked) == 1:
        return f"{head}: {what}; there is no other candidate"
    return f"{head}: {what} is the largest{_handicap(node)}"


def _lost(offer: Offer, best: Offer, node: Node) -> str:
    """A candidate behind the best one."""
    criterion, winner = node.recipe.criterion, _name(best, node)
    if place := criterion.place(winner):
        return place
    what = f"{criterion.score_name} {_short(offer.score)}"
    if _ties(offer.score, best.score) and not _handicap(node):
        return f"{what} is equal to that of {winner}; the earlier column is taken"
    if offer.score >= best.score:
        return f"{what} falls behind {winner}{_handicap(node)}"
    return f"{what} is below {_short(best.score)} of {winner}"


def _handicap(node: Node) -> str:
    """What scores are changed by before they are compared."""
    chance = " after what many levels gain by chance is taken off"
    return node.recipe.criterion.handicap or (chance if node.recipe.branching.correct_levels else "")


def _tested(offer: Offer, best: Offer, node: Node, chosen: bool) -> str:
    """A feature that CHAID tested."""
    alpha = node.recipe.criterion.alpha
    what = f"adjusted p {p_value(offer.test.log_adjusted_p)}"
    if offer.score > alpha:
        return f"{what} is above alpha = {_short(alpha)}"
    if offer is best:
        if chosen:
            return f"chosen: {what} is the smallest, and at most alpha = {_short(alpha)}"
        return f"best, but not used: {what}"
    if _same_test(offer, best):
        return f"{what} is equal to that of {_name(best, node)}; the earlier column is taken"
    if offer.test.log_adjusted_p <= best.test.log_adjusted_p:
        return f"{what} is that of {_name(best, node)}, whose p before the adjustment is smaller"
    return f"{what} is larger than {p_value(best.test.log_adjusted_p)} of {_name(best, node)}"


def _same_test(one: Offer, other: Offer) -> bool:
    """Whether two tests agree within rounding; logarithms of p are compared, because p may be tiny."""
    pairs = ((one.test.log_adjusted_p, other.test.log_adjusted_p), (one.test.log_p, other.test.log_p))
    return all(a == b or abs(a - b) <= 1e-9 * max(1.0, abs(b)) for a, b in pairs)


def _refused(offer: Offer, node: Node) -> str:
    """No split of the feature is allowed, or it was not drawn."""
    if node.recipe.draws.max_features > 0:
        return "was not drawn here, or no split of it is allowed"
    limits = node.recipe.termination
    if limits.min_branch_weight > 0:
        return f"no split leaves a weight of {_short(limits.min_branch_weight)} in at least two branches"
    if limits.min_samples_leaf > 1:
        return f"no split leaves {limits.min_samples_leaf} rows in each branch"
    if limits.min_weight_fraction_leaf > 0:
        return f"no split leaves {_short(limits.min_weight_fraction_leaf)} of the total weight in each branch"
    if limits.min_impurity_decrease > 0:
        return f"no split lowers impurity by {_short(limits.min_impurity_decrease)} of all rows"
    return node.recipe.criterion.refusal


def _below(offer: Offer, node: Node) -> str:
    """A feature whose split is allowed, but which the criterion does not admit."""
    rules, numbers = node.recipe.criterion.gain, offer.numbers
    if rules is None:
        return _refused(offer, node)
    gain = _short(numbers["gain"])
    if offer.state == UNPAID:
        return f"gain {gain} of its best cut does not pay for the choice among its cuts"
    if not numbers.get("above_mean", True):
        less = " less its charge" if numbers.get("charge", 0.0) > 0 else ""
        return f"gain {_short(net_gain(offer))}{less} is below the mean gain {_short(numbers['mean_gain'])}"
    if net_gain(offer) <= 0:
        return "gains nothing"
    if numbers["intrinsic_value"] <= max(rules.slack, TIE):
        return f"intrinsic value {_short(numbers['intrinsic_value'])} is too small for a ratio"
    return f"gain {gain}, but the best score of this node is below epsilon = {_short(rules.epsilon)}"


def leaf_note(node: Node, moments: np.ndarray, rows: int) -> str:
    """Why the node is a leaf; "" when it is split."""
    tree, t = node.tree, node.node
    if not tree.is_leaf[t]:
        return ""
    if node.is_pure:
        return "leaf: all rows have the same response"
    limits, depth = node.recipe.termination, int(tree.depth[t])
    if reached := limits.limit_at(depth, rows, float(node.tables.response.weight(moments))):
        return f"leaf: {reached}"
    level, unstopped = Level(moments[None], np.array([rows]), depth), replace(limits, stop=None)
    if not open_nodes(level, replace(node.recipe, termination=unstopped), tree.response)[0]:
        return "leaf: all rows have the same response"
    if limits.stop is not None and not open_nodes(level, node.recipe, tree.response)[0]:
        return f"leaf: termination function {function_name(limits.stop)} stops here"
    if node.replayed is not None and len(node.replayed.splits):
        return "leaf: split during growth, then pruned"
    return "leaf: no feature offers a split that is allowed and good enough"


def _ties(one: float, other: float) -> bool:
    return abs(one - other) <= TIE * max(1.0, abs(other))


def _name(offer: Offer, node: Node) -> str:
    return plain(node.tree.schema[offer.column].name)


def _short(value: float) -> str:
    return format(value, ".4g")
