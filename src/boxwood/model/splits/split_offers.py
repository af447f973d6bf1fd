"""The candidate split of every feature at one node: its parts, their measures, and its rank in growth."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ...growing.gain import has_many_levels
from ...growing.memory.significance import FeatureTest
from ...growing.termination import Termination, below_root
from ...growing.ties import TIE
from ...statistics.responses.registry import CLASSES
from ...tree.split import SplitTable
from ...views.candidates import Branch
from ...views.measured import Partition, measured
from .split_parts import Node, parts_of

#: What a feature is at a node: ranked by growth; tested above and not again; missing or constant here; none of its
#: splits is allowed; no cut pays its charge; allowed but not eligible (below the average gain).
RANKED, USED, ABSENT, CONSTANT, REFUSED = "ranked", "used", "absent", "constant", "refused"
UNPAID, BELOW = "unpaid", "below"


@dataclass(frozen=True, eq=False)
class Offer:
    """One feature at the node.

    Attributes
    ----------
    column : int
    state : str
        RANKED, USED, ABSENT, CONSTANT, REFUSED, UNPAID or BELOW.
    split : str
        Its best cut or grouping as text.
    branches : tuple of Branch
    unknown : Branch
    partition : Partition
    numbers : dict
    score : float
    rank : int or None
    test : FeatureTest or None
        Of CHAID.
    """

    column: int
    state: str
    split: str
    branches: tuple[Branch, ...]
    unknown: Branch
    partition: Partition
    numbers: dict = field(default_factory=dict)
    score: float = np.nan
    rank: int | None = None
    test: FeatureTest | None = None


def offers(node: Node) -> list[Offer]:
    """What every feature offers, ranked ones first, then the others in column order."""
    found = [_offer(node, j) for j in range(len(node.tree.schema))]
    if node.tests and not node.is_pure:
        found = _by_significance(found, node)
    found = [_with_mean(offer, found, node) for offer in found]
    return sorted(found, key=lambda o: (o.rank is None, o.rank or 0, o.column))


def _by_significance(found: list[Offer], node: Node) -> list[Offer]:
    """CHAID's candidates ranked: by adjusted p, raw p, statistic and column, but what growth took comes first."""
    taken = node.replayed.splits.feature[0] if node.replayed is not None and len(node.replayed.splits) else -1
    tested = [o for o in found if o.test is not None and o.test.state == "tested" and o.state in (RANKED, BELOW)]

    def place(offer: Offer) -> tuple:
        test = offer.test
        return (offer.column != taken, test.log_adjusted_p, test.log_p, -test.statistic, offer.column)

    rank = {offer.column: at for at, offer in enumerate(sorted(tested, key=place), start=1)}
    return [replace(o, state=RANKED, rank=rank[o.column]) if o.column in rank else o for o in found]


def _offer(node: Node, j: int) -> Offer:
    """One feature: its parts, measures, rank and state."""
    rank, table, s = _listed(node, j)
    net = None
    test = node.tests[j] if node.tests else None
    state = RANKED if rank is not None else _state(node, j, test)
    if rank is None and state == BELOW and test is None:
        table, net, state = _own_cut(node, j)
    parts, unknown, split = parts_of(node, j, (table, s), test)
    gain = node.recipe.criterion.gain
    width = node.tables.response.width
    moments = np.array([b.moments for b in parts], dtype=float).reshape(-1, width)
    partition = Partition(node.tables.response, moments, unknown.moments, gain is not None)
    numbers = measured(partition)
    score = np.nan if rank is None else float(node.replayed.score[rank - 1])
    if test is not None and test.state == "tested":
        numbers |= _tested(test)
        score = test.adjusted_p
    elif rank is not None and "gain" in numbers:
        net = score * numbers["intrinsic_value"] if gain is not None and gain.ratio else score
    elif state == BELOW and not node.tree.schema[j].type.has_cuts:
        net = numbers.get("gain")
    if net is not None and "gain" in numbers:
        numbers |= _charge(node, j, numbers["gain"], net)
    return Offer(j, state, split, parts, unknown, partition, numbers, score, rank, test)


def _listed(node: Node, j: int) -> tuple[int | None, SplitTable | None, int]:
    """Rank of a feature in growth, and its split there."""
    if node.replayed is None:
        return None, None, 0
    at = np.flatnonzero(node.replayed.splits.feature == j)
    return (int(at[0]) + 1, node.replayed.splits, int(at[0])) if len(at) else (None, None, 0)


def _state(node: Node, j: int, test: FeatureTest | None) -> str:
    """Why growth did not rank a feature, as far as that is known before its best cut is known."""
    if j in node.used:
        return USED
    n_values = node.tables.n_values(j)
    if n_values == 0:
        return ABSENT
    if n_values == 1 and (test is None or test.state == "constant"):
        return CONSTANT
    if test is not None:
        return REFUSED if test.state != "tested" else BELOW
    listed = not node.tree.schema[j].type.has_cuts
    if listed and not (node.recipe.criterion.gain is not None and _large_enough(node, j)):
        return REFUSED
    return BELOW


def _large_enough(node: Node, j: int) -> bool:
    """Whether two levels have the weight that C4.5 requires."""
    _, parts, _ = node.tables.by_value(j)
    least = node.recipe.termination.min_branch_weight - 1e-9
    return sum(float(node.tables.response.weight(p.moments)) >= least for p in parts) >= 2


def _own_cut(node: Node, j: int) -> tuple[SplitTable | None, float | None, str]:
    """The best cut of a feature that growth did not rank, its gain less its charge, and whether it was allowed."""
    if not node.tree.schema[j].type.has_cuts:
        return None, None, BELOW
    recipe = node.recipe
    criterion, limits = recipe.criterion.unfiltered, below_root(recipe.termination, float(node.tree.weight[0]))
    for tried, termination, state in (
        (criterion, limits, BELOW),
        (criterion.uncharged, limits, UNPAID),
        (criterion.uncharged, Termination(), REFUSED),
    ):
        found = node.tables.best_cut(j, replace(recipe, criterion=tried, termination=termination))
        if found is not None:
            return found.table, found.value if state == BELOW else None, state
    return None, None, REFUSED


def _tested(test: FeatureTest) -> dict[str, float]:
    """The numbers of CHAID's own test."""
    found = {"statistic": test.statistic, "df": test.df[0], "p": test.p, "log_p": test.log_p}
    if len(test.df) > 1:
        found["df_within"] = test.df[1]
    return found | {"multiplier": test.multiplier, "adjusted_p": test.adjusted_p}


def _charge(node: Node, j: int, gain: float, net: float) -> dict[str, float]:
    """What C4.5 takes off the gain of a cut for the number of cuts it was chosen from, derived from the remainder."""
    rules = node.recipe.criterion.gain
    if rules is None or not rules.charge:
        return {}
    if not node.tree.schema[j].type.has_cuts:
        return {"charge": 0.0}
    weight = float(node.tables.response.weight(node.tables.whole.moments))
    n_cuts = round(2.0 ** ((gain - net) * weight))
    return {"charge": float(np.log2(max(n_cuts, 1)) / weight), "n_cuts": float(n_cuts)}


def _with_mean(offer: Offer, found: list[Offer], node: Node) -> Offer:
    """The offer with the mean gain of the candidates, and whether its own is at least that (docs/c45.md)."""
    if node.tables.response.kind != CLASSES:
        return offer
    rules = node.recipe.criterion.gain
    slack = 0.0 if rules is None else rules.slack
    eligible = [o for o in found if o.state in (RANKED, BELOW)]
    counted = [o for o in eligible if not _has_many_levels(node, o.column)] or eligible
    gains = [g for g in map(net_gain, counted) if g > -slack - TIE]
    if not gains:
        return offer
    mean = float(np.sum(gains)) / len(gains)
    above = net_gain(offer) >= mean - slack - TIE * max(1.0, abs(mean))
    return replace(offer, numbers=offer.numbers | {"mean_gain": mean, "above_mean": bool(above)})


def net_gain(offer: Offer) -> float:
    """Information gain less C4.5's charge."""
    return offer.numbers.get("gain", 0.0) - offer.numbers.get("charge", 0.0)


def _has_many_levels(node: Node, j: int) -> bool:
    """C4.5 leaves nominal features of very many levels out of the mean gain."""
    rules = node.recipe.criterion.gain
    return rules is not None and rules.above_average and has_many_levels(node.tree.schema[j], node.n)
