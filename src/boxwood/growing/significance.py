"""Choice 2 of CHAID: the adjusted p of a feature whose categories have been merged."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from .._messages import Setting, Value, remedy, shortened
from ..data.columns.schema import Schema
from ..errors import ParameterError
from ..statistics.responses.registry import kinds
from ..statistics.responses.response import Response
from .criterion import Criterion
from .limits import check_choice, check_flag, check_real, check_whole
from .p_values import MOST_SIGNIFICANT, chi_squared, f_test
from .scored import Scored


@dataclass(frozen=True)
class Significance(Criterion):
    """Choice 2 of CHAID: the smallest adjusted p-value of the merged table.

    Attributes
    ----------
    alpha : float
        Split a node if the adjusted p-value is at most this.
    test : {"pearson", "likelihood_ratio"}
        Test statistic for classes; means are compared by an F test.
    bonferroni : bool
    rank_by : {"p", "log_p"}
        "p": adjusted p-values within 1e-12 of each other are equal, and the larger statistic decides. "log_p": compare
        the logarithms, which distinguish very small p-values.
    multiplier : {"spss", "biggs"}
        Bonferroni multiplier of nominal features, for exhaustive merging.
    case_weights : bool
        Weights affect expected counts, but not the number of cases; otherwise, weights are frequencies.
    ordinal : bool
        Treat the classes as ordered and use the row-effects model.
    scores : tuple of float
        Scores of the ordered classes; empty means 1, 2, ...
    max_iterations, tolerance : int, float
        Fitting of expected counts stops after this many iterations, or when no count changes by more than the
        tolerance.

    Raises
    ------
    ParameterError
        A value is invalid.

    Examples
    --------
    >>> from boxwood import Significance, TreeClassifier
    >>> X = {"city": ["Ulm", "Bonn", "京都"] * 20}
    >>> strict = Significance(alpha=1e-6, test="likelihood_ratio")
    >>> model = TreeClassifier(branching="merged", criterion=strict, pruning=None)
    >>> model.fit(X, ["no", "no", "yes"] * 20).get_n_leaves()
    2
    """

    searches: ClassVar[frozenset[str]] = frozenset({"merged"})

    alpha: float = 0.05
    test: str = "pearson"
    bonferroni: bool = True
    rank_by: str = "p"
    multiplier: str = "spss"
    case_weights: bool = False
    ordinal: bool = False
    scores: tuple[float, ...] = ()
    max_iterations: int = 100
    tolerance: float = 1e-3

    def __post_init__(self) -> None:
        check_real(self, "alpha", 0.0, 1.0)
        check_choice(self, "test", ("pearson", "likelihood_ratio"))
        check_choice(self, "rank_by", ("p", "log_p"))
        check_choice(self, "multiplier", ("spss", "biggs"))
        check_flag(self, "bonferroni", "case_weights", "ordinal")
        check_whole(self, "max_iterations", 1)
        check_real(self, "tolerance", 0.0)

    @property
    def score_name(self) -> str:
        return "adjusted p"

    def arithmetic(self, kind: str) -> tuple[str, ...]:
        return (kinds()[kind].test or "f",)

    def for_response(self, branching: str, kind: str) -> Criterion:
        # Where no categories are merged, a score, -ln p, with a least value.
        if branching in self.searches:
            return self
        if self != Significance(self.alpha):
            raise ParameterError(
                "where no categories are merged, Significance has only alpha; ",
                remedy("use ", Setting("branching", "merged"), " with its other fields."),
            )  # fmt: skip
        score = {"chi_squared": chi_squared}.get(kinds()[kind].test or "", f_test)
        least = -math.log(self.alpha) if self.alpha > 0 else MOST_SIGNIFICANT
        return Scored("significance", score, least)

    def check_response(self, response: Response) -> None:
        if response.test is None:
            raise ParameterError(
                "CHAID tests classes and means; there is no test of rates here, so use ",
                Setting("criterion", "poisson"), ".",
            )  # fmt: skip
        if self.scores and len(self.scores) != len(response.labels):
            raise ParameterError(
                Setting("scores"), f" must give one number for each of {list(response.labels)}; got ",
                Value(self.scores, shortened(self.scores)), ".",
            )  # fmt: skip

    def check(self, branching: Any, schema: Schema, response: Response) -> None:
        raise ParameterError(
            "Significance belongs to ", Setting("branching", "merged"), "; ", remedy("use Recipe.for_response first."),
        )  # fmt: skip
