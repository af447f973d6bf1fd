"""The price of a readable tree: how much better a model scores that is not readable."""

from __future__ import annotations

from dataclasses import dataclass

from ...views.figures import number
from ...views.words import amount, plain


@dataclass(frozen=True)
class Price:
    """The best tree of a comparison against the best model that is not readable.

    Attributes
    ----------
    tree, baseline : str
        Names of the two models.
    tree_score, baseline_score : float
    leaves : float
        Of the tree that is fitted to all rows.
    price, se : float
        Difference of the scores, positive if the tree is worse, and its standard error, computed row by row.
    """

    tree: str
    baseline: str
    tree_score: float
    baseline_score: float
    leaves: float
    price: float
    se: float

    def words(self, scoring: str) -> str:
        """The price as a sentence.

        Examples
        --------
        >>> from boxwood.algorithms.comparison.price import Price
        >>> Price("cart", "boosting", 0.79, 0.81, 6, 0.02, 0.008).words("accuracy")
        'Price of a readable tree: 0.020 ± 0.008 of accuracy (cart 0.790 with 6 leaves, boosting 0.810).'
        """
        leaves = f"{amount(self.leaves)} {'leaf' if self.leaves == 1 else 'leaves'}"
        scores = f"{plain(self.tree)} {number(self.tree_score)} with {leaves}"
        scores += f", {plain(self.baseline)} {number(self.baseline_score)}"
        if self.price <= 0:
            return f"A readable tree costs nothing here: {scoring} of {scores}."
        unclear = ", less than two standard errors" if self.price < 2 * self.se else ""
        size = f"{number(self.price)} ± {number(self.se, self.price)}"
        return f"Price of a readable tree: {size} of {scoring}{unclear} ({scores})."
