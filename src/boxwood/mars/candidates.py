"""The choice of the next term: every parent in the queue is tried with every column (docs/mars.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .earth import scan
from .growth import GrowingModel
from .queue import ParentQueue

#: The forms that a column may take under a parent.
NOTHING, KNOTS, LINEAR_ONLY, KNOTS_OF_OLD_FORM = 0, 1, 2, 3

#: Share of a hinge that must be new: while the model is small, and later (docs/mars.md).
_LEAST_SHARE, _SMALL_MODEL, _LEAST_SHARE_LATER = 0.01, 15, 1e-5

#: Without guards: the share below which a hinge is rounding.
_LEAST_SHARE_UNGUARDED = 1e-11

#: A linear column must have this much of squared norm left, in units of its variance.
_LEAST_LINEAR = 0.01

#: Candidates this close to the best are computed exactly; then the first wins unless another is better by more than
#: rounding (docs/reproducibility.md). earth lets rounding decide.
_NEAR, _TIE = 1e-8, 1e-12


@dataclass(frozen=True)
class ForwardRule:
    """How the forward pass searches; names as in docs/mars.md.

    Attributes
    ----------
    max_degree : int
        Most factors of a term.
    max_terms : int
        Slots for terms (earth's nk).
    penalty, thresh, new_variable_penalty : float
    minspan, endspan : int
        0 = by the formula.
    adjust_endspan : float
    fast_k : int
    fast_beta : float
    auto_linear : bool
        A linear term may replace a pair of hinges.
    linear : frozenset of int
        Design columns that enter linearly only.
    allowed : callable or None
        (columns of the parent, column) -> bool: whether the product may be tried.
    as_earth : bool
        earth's numbering of parents, and its absolute bound on linear columns.
    while_grsq_rises : bool
        The pass also ends when GRSq no longer rises.
    """

    max_degree: int
    max_terms: int
    penalty: float
    thresh: float = 0.001
    new_variable_penalty: float = 0.0
    minspan: int = 0
    endspan: int = 0
    adjust_endspan: float = 2.0
    fast_k: int = 20
    fast_beta: float = 1.0
    auto_linear: bool = True
    linear: frozenset[int] = frozenset()
    allowed: Callable[[tuple[int, ...], int], bool] | None = None
    as_earth: bool = False
    while_grsq_rises: bool = False


@dataclass(frozen=True)
class TermCandidate:
    """The best term found in a step; ``gain`` is the decrease of RSS, ``score`` what was compared."""

    slot: int
    column: int
    gain: float
    score: float
    cut: float
    linear: bool
    new_form: bool


class TermSearch:
    """The search for the best candidate, and the queue of parents that it tries.

    Parameters
    ----------
    search : MarsSearch
        The kernel's, which holds the columns of the model.
    rule : ForwardRule
    spread : float64, shape (p,)
        Variance of every design column.
    guarded : bool
        Gains that only rounding can have made are not believed, and nearly collinear hinges are left out.
    """

    def __init__(self, search, rule: ForwardRule, spread: np.ndarray, guarded: bool):
        self.search, self.rule, self.guarded = search, rule, guarded
        self.queue = ParentQueue(rule.fast_k, rule.fast_beta, rule.as_earth)
        least = np.ones_like(spread) if rule.as_earth else spread
        self.least_linear = _LEAST_LINEAR * (least if guarded else np.zeros_like(spread))

    def add_parent(self, slot: int, degree: int, size: int) -> None:
        """A new parent, if its degree allows one; ``size``: slots taken before the step."""
        self.queue.add(slot, size, degree < self.rule.max_degree)

    def best(self, model: GrowingModel, last_gain: float) -> TermCandidate | None:
        """The best candidate over parents in queue order and columns in order; ``last_gain``: of the step before."""
        size = len(model.products)
        if not self.queue.entries:
            self.queue.add(0, size, True)
        forms = model.forms()
        parents = [(e, self._allowed(model, e.slot, forms)) for e in self.queue.next(size)]
        live = [(e, allowed) for e, allowed in parents if allowed is not None and allowed.any()]
        found = self._examine(model, live, last_gain) if live else {}
        handicap = self._handicap(model)
        best = self._choose(model, live, found, handicap) if live else None
        shown = handicap if self.rule.as_earth else 1.0
        gains = {id(e): float((found["gain"][i] / shown).max()) for i, (e, _) in enumerate(live)}
        for entry, allowed in parents:
            if allowed is not None or not self.rule.as_earth:
                entry.gain, entry.size = gains.get(id(entry), -1.0), size
        return best

    def _examine(self, model: GrowingModel, live: list, last_gain: float) -> dict:
        slots = len(model.products) + 1
        least = _LEAST_SHARE if slots < _SMALL_MODEL else _LEAST_SHARE_LATER
        least = least if self.guarded else _LEAST_SHARE_UNGUARDED
        limit = min(1.01 * model.rss, 10.0 * last_gain) if self.guarded else 0.0
        terms = [(e.slot, model.products[e.slot], allowed) for e, allowed in live]
        found = self.search.examine(terms, least, self.least_linear, limit)
        names = ("gain", "cut", "linear", "new_form")
        return {name: values.reshape(len(live), -1) for name, values in zip(names, found, strict=True)}

    def _handicap(self, model: GrowingModel) -> np.ndarray:
        """By what the gain of each column is divided."""
        used = {column for form in model.forms() for column in form}
        price = 1.0 + self.rule.new_variable_penalty
        return np.array([1.0 if j in used else price for j in range(len(self.least_linear))])

    def _choose(self, model: GrowingModel, live: list, found: dict, handicap: np.ndarray) -> TermCandidate | None:
        """The candidate of the best score, the first of those that are as good; near ties are computed exactly."""
        scores = found["gain"] / handicap
        top = float(scores.max(initial=0.0))
        if top <= 0.0:
            return None
        near = np.argwhere(scores >= top * (1.0 - _NEAR)).tolist()
        if self.rule.as_earth:
            *place, new_form = scan(found, handicap)
            near = near if place in near else [place]
        best, tie = None, 0.0 if self.rule.as_earth else _TIE
        for i, j in near:
            one = {name: found[name][i, j].item() for name in found}
            slot, shape = live[i][0].slot, (one["cut"], bool(one["linear"]), bool(one["new_form"]))
            gain = self.search.exact_gain(model.products[slot], j, *shape) if len(near) > 1 else one["gain"]
            score = gain / handicap[j]
            if best is None or score > best.score * (1.0 + tie):
                best = TermCandidate(slot, j, gain, score, *shape)
                form = live[i][1][j]
        if not self.guarded:  # earth takes the form for new even where the linear column depends on others
            return replace(best, new_form=form in (KNOTS, LINEAR_ONLY))
        return replace(best, new_form=new_form) if self.rule.as_earth and best.linear else best

    def _allowed(self, model: GrowingModel, slot: int, forms: list[tuple[int, ...]]) -> np.ndarray | None:
        """The allowed form of each column under the parent in a slot; None for a slot that holds no term."""
        product = model.products[slot] if slot < len(model.products) else None
        if product is None or len(product) >= self.rule.max_degree:
            return None
        rule = self.rule
        parent = tuple(f[0] for f in product)
        allowed = np.zeros(len(self.least_linear), dtype=np.int8)
        for j in range(len(allowed)):
            if j in parent or (rule.allowed is not None and not rule.allowed(parent, j)):
                continue
            new_form = _is_new_form(set(parent), j, forms)
            if j in rule.linear:
                allowed[j] = LINEAR_ONLY if new_form else NOTHING
            else:
                allowed[j] = KNOTS if new_form else KNOTS_OF_OLD_FORM
        return allowed


def _is_new_form(parent: set[int], column: int, forms: list[tuple[int, ...]]) -> bool:
    """Whether the linear column can be new: not when all terms are of this very form (docs/mars.md)."""
    whole = parent | {column}
    return not forms or any(set(form) != whole for form in forms)
