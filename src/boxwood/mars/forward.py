"""The forward pass: pairs of hinges are added while they help (Friedman 1991, algorithm 2)."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from .candidates import ForwardRule, TermCandidate, TermSearch
from .earth import Partners
from .gcv import gcv, share_explained
from .growth import GrowingModel
from .learning import LearningRows
from .terms import LEFT, LINEAR, RIGHT, Factor

log = logging.getLogger("boxwood")

#: A model whose GRSq falls below this is hopeless.
_WORST_GRSQ = -10.0

#: Steps before GRSq may end the pass, and steps in which it has not risen by then.
_FIRST_STEPS, _PATIENCE = 10, 3


@dataclass(frozen=True, eq=False)
class ForwardPass:
    """The result: the model, why it stopped, and what each step gained.

    Attributes
    ----------
    model : GrowingModel
    stopped : str
        Why, for people.
    steps : tuple of (float, float)
        RSq and GRSq after each step.
    """

    model: GrowingModel
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
        self.rows, self.rule, self.threads = rows, rule, threads
        self._start()
        guarded = rows.root_weight is None or not rule.as_earth
        self.candidates = TermSearch(self.search, rule, rows.variances(), guarded)
        self.partners = None if guarded else Partners(rows)
        self.whole, self.last_gain = self.model.rss, np.inf

    def _start(self) -> None:
        """An empty search, and the model that is the constant."""
        rule = self.rule
        spans = (rule.minspan, rule.endspan, rule.adjust_endspan, not rule.as_earth)
        self.search, self.model = self.rows.search(spans, self.threads), GrowingModel()
        self._add([])
        self.search.end_trial(True)
        self.model.rss = float(np.sum(self.rows.y**2))

    def run(self) -> ForwardPass:
        steps = []
        while True:
            stopped = self._step(steps)
            if stopped:
                if self.partners is not None:
                    self._without_hidden()
                log.info("mars: %d terms, %s", self.model.n_used, stopped)
                return ForwardPass(self.model, stopped, tuple(steps))

    def _step(self, steps: list) -> str:
        """Adds the best candidate; why the pass stops, or nothing."""
        model, rule = self.model, self.rule
        if len(model.products) >= rule.max_terms - 1:
            return f"it reached {rule.max_terms} terms"
        best = self.candidates.best(model, self.last_gain)
        if best is None:
            return "no candidate helps"
        before, r_before = model.state(), share_explained(model.rss, self.whole)
        self._grow(best)
        self.last_gain = before[2] - model.rss
        r_squared, g_squared = self._shares()
        poor = r_squared - r_before < rule.thresh
        if rule.thresh > 0.0 and (poor or g_squared < _WORST_GRSQ):
            model.forget(before)
            return f"RSq changed by less than {rule.thresh:g}" if poor else f"GRSq fell below {_WORST_GRSQ:g}"
        self.search.end_trial(True)
        steps.append((r_squared, g_squared))
        log.info("mars: %d terms, RSq %.4f, GRSq %.4f", model.n_used, r_squared, g_squared)
        if r_squared >= 1.0 - rule.thresh:
            return f"RSq reached {1.0 - rule.thresh:g}"
        return f"GRSq did not rise in {_PATIENCE} steps" if self._levelled(steps) else ""

    def _levelled(self, steps: list) -> bool:
        """Whether GRSq no longer rises, where that ends the pass."""
        if not self.rule.while_grsq_rises or self.rule.thresh == 0.0 or len(steps) < _FIRST_STEPS:
            return False
        g_squared = [0.0, *(g for _, g in steps)]
        return max(g_squared[-_PATIENCE:]) <= max(g_squared[:-_PATIENCE])

    def _shares(self) -> tuple[float, float]:
        n, penalty = self.rows.count(self.rule.as_earth), self.rule.penalty
        error, whole = gcv(self.model.rss, n, self.model.n_used, penalty), gcv(self.whole, n, 1, penalty)
        return float(share_explained(self.model.rss, self.whole)), float(share_explained(error, whole))

    def _add(self, factors: list[Factor]) -> bool:
        """Appends a term in the next slot, in the kernel on trial; whether it is linearly independent."""
        model = self.model
        coefficients, norm, _, with_y = self.search.attempt(factors)
        slot = len(model.products)
        model.products.append(factors)
        if with_y is None:
            return False
        model.slots.append(slot)
        model.triangle.append(np.append(coefficients, norm))
        model.with_y.append(with_y)
        model.rss -= float(np.sum(with_y**2))
        return True

    def _grow(self, best: TermCandidate) -> None:
        """The terms of a candidate in two slots; an unused partner leaves its slot empty."""
        model, rule = self.model, self.rule
        size = len(model.products)
        straight = best.linear and (rule.auto_linear or best.column in rule.linear)
        both = best.new_form or self.partners is not None
        directions = [LINEAR] if straight else [RIGHT, LEFT] if both else [RIGHT]
        cut = float(self.rows.columns[best.column].min()) if best.linear else best.cut
        for direction in directions:
            product = [*model.products[best.slot], (best.column, direction, cut)]
            is_new = direction != LEFT or best.new_form
            if self.partners is not None and is_new:
                is_new = self.partners.add(product, direction != LEFT)
            # a column that depends on others is not a term, but earth has it among the parents
            independent = self._add(product)
            if is_new and (independent or rule.as_earth):
                self.candidates.add_parent(len(model.products) - 1, len(product), size)
            else:
                model.products[-1] = None
        if rule.as_earth and best.linear and len(directions) == 2:
            model.uncounted += model.products[-1] is not None
        while len(model.products) < size + 2:
            model.products.append(None)

    def _without_hidden(self) -> None:
        """The model rebuilt from its terms only: earth's search with weights also keeps columns of unused partners."""
        products = [product for product in self.model.products[1:] if product is not None]
        self._start()
        for product in products:
            self._add(product)
        self.search.end_trial(True)
