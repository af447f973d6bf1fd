"""The forward pass: pairs of hinges are added while they help (Friedman 1991, algorithm 2; SPECS 10.2 to 10.5)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .gcv import gcv, share_explained
from .learning import LearningRows
from .queue import ParentQueue
from .terms import LEFT, LINEAR, RIGHT, Factor

log = logging.getLogger("boxwood")

#: What the kernel may ask of a column under a parent.
NOTHING, KNOTS, LINEAR_ONLY, KNOTS_OF_OLD_FORM = 0, 1, 2, 3

#: Share of a hinge that must be new: while the model is small, and later (SPECS 10.3).
_LEAST_SHARE, _SMALL_MODEL, _LEAST_SHARE_LATER = 0.01, 15, 1e-5

#: A linear column must have this much of squared norm left, in units of its variance.
_LEAST_LINEAR = 0.01

#: Candidates this close to the best are worked out exactly; then the first wins unless another is better by more than
#: rounding (SPECS 0.2). earth lets rounding decide.
_NEAR, _TIE = 1e-8, 1e-12

#: A model whose GRSq falls below this is hopeless.
_WORST_GRSQ = -10.0


@dataclass(frozen=True)
class ForwardRule:
    """How the forward pass searches; names as in SPECS 10.

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


@dataclass(eq=False)
class Model:
    """What the forward pass builds: products in slots, and the least-squares problem in triangular form.

    Attributes
    ----------
    products : list of (list of Factor, or None)
        Slot -> factors; None where a slot stays empty.
    slots : list of int
        Slots of the independent terms, in the order in which they came.
    triangle : list of ndarray
        Column m of R in B = Q R, of length m + 1.
    with_y : list of ndarray of shape (K,)
        Row m of Q'y.
    rss : float
        Of the terms so far, over all responses.
    """

    products: list[list[Factor] | None] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)
    triangle: list[np.ndarray] = field(default_factory=list)
    with_y: list[np.ndarray] = field(default_factory=list)
    rss: float = 0.0

    @property
    def n_used(self) -> int:
        """Number of terms."""
        return sum(p is not None for p in self.products)

    def forms(self) -> list[tuple[int, ...]]:
        """Columns of each term but the constant."""
        return [tuple(f[0] for f in product) for product in self.products[1:] if product is not None]


@dataclass(frozen=True)
class Candidate:
    """The best term found in a step; ``gain`` is the decrease of RSS, ``score`` what was compared."""

    slot: int
    column: int
    gain: float
    score: float
    cut: float
    linear: bool
    new_form: bool


@dataclass(frozen=True, eq=False)
class ForwardPass:
    """The result: the model, why it stopped, and what each step gained.

    Attributes
    ----------
    model : Model
    stopped : str
        Why, for people.
    steps : tuple of (float, float)
        RSq and GRSq after each step.
    """

    model: Model
    stopped: str
    steps: tuple[tuple[float, float], ...]


def forward(rows: LearningRows, rule: ForwardRule, threads: int = 1) -> ForwardPass:
    """Run the forward pass.

    Parameters
    ----------
    rows : LearningRows
    rule : ForwardRule
    threads : int
        The result does not depend on it.

    Returns
    -------
    ForwardPass
    """
    return _Forward(rows, rule, threads).run()


class _Forward:
    def __init__(self, rows: LearningRows, rule: ForwardRule, threads: int):
        self.rows, self.rule = rows, rule
        self.search = rows.search((rule.minspan, rule.endspan, rule.adjust_endspan, not rule.as_earth), threads)
        self.queue = ParentQueue(rule.fast_k, rule.fast_beta, rule.as_earth)
        spread = np.ones(rows.p) if rule.as_earth else rows.variances()
        self.least_linear = _LEAST_LINEAR * spread
        self.model = Model()
        self._add([])
        self.whole = self.model.rss = float(np.sum(rows.y**2))
        self.last_gain = np.inf
        self.guarded = rows.root_weight is None or not rule.as_earth

    def run(self) -> ForwardPass:
        steps = []
        while True:
            stopped = self._step(steps)
            if stopped:
                log.info("mars: %d terms, %s", self.model.n_used, stopped)
                return ForwardPass(self.model, stopped, tuple(steps))

    def _step(self, steps: list) -> str:
        """Adds the best candidate; why the pass stops, or nothing."""
        model, rule = self.model, self.rule
        if len(model.products) >= rule.max_terms - 1:
            return f"it reached {rule.max_terms} terms"
        best = self._best()
        if best is None:
            return "no candidate helps"
        before = (len(model.products), len(model.slots), model.rss)
        r_before = share_explained(model.rss, self.whole)
        self._grow(best)
        self.last_gain = before[2] - model.rss
        r_squared, g_squared = self._shares()
        if rule.thresh > 0.0 and (r_squared - r_before < rule.thresh or g_squared < _WORST_GRSQ):
            self._forget(before)
            gained = r_squared - r_before < rule.thresh
            return f"RSq changed by less than {rule.thresh:g}" if gained else f"GRSq fell below {_WORST_GRSQ:g}"
        steps.append((r_squared, g_squared))
        return f"RSq reached {1.0 - rule.thresh:g}" if r_squared >= 1.0 - rule.thresh else ""

    def _shares(self) -> tuple[float, float]:
        n, penalty = self.rows.count(self.rule.as_earth), self.rule.penalty
        error, whole = gcv(self.model.rss, n, self.model.n_used, penalty), gcv(self.whole, n, 1, penalty)
        return float(share_explained(self.model.rss, self.whole)), float(share_explained(error, whole))

    def _add(self, factors: list[Factor]) -> bool:
        """Appends a term in the next slot; whether it says anything new."""
        model = self.model
        coefficients, norm, _, with_y = self.search.append(factors)
        slot = len(model.products)
        model.products.append(factors)
        if with_y is None:
            return False
        model.slots.append(slot)
        model.triangle.append(np.append(coefficients, norm))
        model.with_y.append(with_y)
        model.rss -= float(np.sum(with_y**2))
        return True

    def _grow(self, best: Candidate) -> None:
        """The terms of a candidate in two slots; an unused partner leaves its slot empty."""
        model, rule = self.model, self.rule
        parent = model.products[best.slot]
        size = len(model.products)
        straight = best.linear and (rule.auto_linear or best.column in rule.linear)
        directions = [LINEAR] if straight else [RIGHT, LEFT] if best.new_form else [RIGHT]
        cut = float(self.rows.columns[best.column].min()) if best.linear else best.cut
        for direction in directions:
            product = [*parent, (best.column, direction, cut)]
            if self._add(product):
                self.queue_add(len(model.products) - 1, len(product), size + 2)
            else:
                model.products[-1] = None
        if rule.as_earth and best.linear and not straight:
            self.queue_add(size + 1, 1, size + 2)  # earth counts the partner, which is 0 everywhere
        while len(model.products) < size + 2:
            model.products.append(None)

    def queue_add(self, slot: int, degree: int, size: int) -> None:
        """A new parent, if its degree leaves room."""
        self.queue.add(slot, size, self.rule.as_earth or degree < self.rule.max_degree)

    def _forget(self, before: tuple[int, int, float]) -> None:
        """Takes the terms of the last step away."""
        n_products, n_terms, rss = before
        model = self.model
        del model.products[n_products:]
        del model.slots[n_terms:], model.triangle[n_terms:], model.with_y[n_terms:]
        model.rss = rss

    def _best(self) -> Candidate | None:
        """The best candidate over parents in queue order and columns in order."""
        model = self.model
        size = len(model.products)
        if not self.queue.entries:
            self.queue.add(0, size, True)
        asked = [e for e in self.queue.next(size) if e.gain >= 0.0]
        forms = model.forms()
        parents = [(e, self._asks(e.slot, forms)) for e in asked]
        live = [(e, asks) for e, asks in parents if asks is not None and asks.any()]
        found = self._examine(live) if live else {}
        best = self._choose(live, found) if live else None
        gains = {id(e): float(found["gain"][i].max()) for i, (e, _) in enumerate(live)}
        for entry, _ in parents:
            entry.gain, entry.size = gains.get(id(entry), -1.0), size
        return best

    def _choose(self, live: list, found: dict) -> Candidate | None:
        """The candidate of the best score, the first of those that are as good; near ties are worked out exactly."""
        used = {column for form in self.model.forms() for column in form}
        price = 1.0 + self.rule.new_variable_penalty
        damp = np.array([1.0 if j in used else 1.0 / price for j in range(self.rows.p)])
        scores = found["gain"] * damp
        top = float(scores.max(initial=0.0))
        if top <= 0.0:
            return None
        near = np.argwhere(scores >= top * (1.0 - _NEAR))
        best, tie = None, 0.0 if self.rule.as_earth else _TIE
        for i, j in near.tolist():
            one = {name: found[name][i, j].item() for name in found}
            slot = live[i][0].slot
            if len(near) > 1:
                parent = self.model.products[slot]
                one["gain"] = self.search.exact_gain(parent, j, one["cut"], bool(one["linear"]), bool(one["new_form"]))
            score = one["gain"] * damp[j]
            if best is None or score > best.score * (1.0 + tie):
                shape = (one["cut"], bool(one["linear"]), bool(one["new_form"]))
                best = Candidate(slot, j, one["gain"], score, *shape)
        return best

    def _examine(self, live: list) -> dict:
        slots = len(self.model.products) + 1
        least = _LEAST_SHARE if slots < _SMALL_MODEL else _LEAST_SHARE_LATER
        limit = min(1.01 * self.model.rss, 10.0 * self.last_gain) if self.guarded else 0.0
        asked = [(e.slot, self.model.products[e.slot], asks) for e, asks in live]
        found = self.search.examine(asked, least, self.least_linear, limit)
        return {name: values.reshape(len(live), -1) for name, values in found.items()}

    def _asks(self, slot: int, forms: list[tuple[int, ...]]) -> np.ndarray | None:
        """What to ask of each column under the parent in a slot; None for a slot that holds no term."""
        product = self.model.products[slot] if slot < len(self.model.products) else None
        if product is None or len(product) >= self.rule.max_degree:
            return None
        rule = self.rule
        parent = tuple(f[0] for f in product)
        asks = np.zeros(self.rows.p, dtype=np.int8)
        for j in range(self.rows.p):
            if j in parent or (rule.allowed is not None and not rule.allowed(parent, j)):
                continue
            new_form = _is_new_form(set(parent), j, forms)
            if j in rule.linear:
                asks[j] = LINEAR_ONLY if new_form else NOTHING
            else:
                asks[j] = KNOTS if new_form else KNOTS_OF_OLD_FORM
        return asks


def _is_new_form(parent: set[int], column: int, forms: list[tuple[int, ...]]) -> bool:
    """Whether the linear column can be new: not when all terms are of this very form (SPECS 10.3)."""
    whole = parent | {column}
    return not forms or any(set(form) != whole for form in forms)
