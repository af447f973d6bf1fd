"""The candidate splits of one node: every feature with its numbers, its rank, and why it won or lost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._messages import Value, must_be, remedy
from .._spelling import did_you_mean
from ..errors import ParameterError
from ..statistics.responses.response import Response
from .arithmetic import sheet
from .measured import Partition
from .notation import HTML, LATEX, TEXT, Notation, Sheet
from .predicted import views_of
from .table import frame_of
from .words import plain

#: Columns of the frame after those that identify the candidate, as far as the response has them.
NUMBERS = (
    "known", "entropy", "conditional_entropy", "gain", "charge", "mean_gain", "above_mean", "intrinsic_value",
    "gain_ratio", "gini", "gini_index", "gini_decrease", "error", "error_after", "variance", "variance_after",
    "variance_decrease", "deviance", "deviance_after", "deviance_decrease", "chi_squared", "likelihood_ratio", "f",
    "df", "df_within", "p", "log_p", "statistic", "n_cuts", "multiplier", "adjusted_p",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Branch:
    """One branch of a candidate split.

    Attributes
    ----------
    words : str
        The condition of the branch as text.
    rows : int
        Number of training rows in the branch.
    moments : float64, shape (M,)
        Class weights; for regression the sum of weights, the mean, and the sum of squares about the mean.
    """

    words: str
    rows: int
    moments: np.ndarray


@dataclass(frozen=True, eq=False)
class Candidate:
    """A feature with its best split of a node, one row of a :class:`SplitExplanation`.

    Attributes
    ----------
    feature : str
        Name of the feature.
    kind : {"numeric", "ordinal", "nominal"}
        Kind of the feature.
    split : str
        Its best split as text; "" if it has none.
    branches : tuple of Branch
        The branches of this split.
    unknown : Branch or None
        The rows of the node in which the feature is missing.
    numbers : dict of str to float or bool
        Measures by name, such as "gain" and "gini_decrease"; empty if the split was explained without data.
    partition : Partition or None
        The sums from which the measures are computed.
    score : float
        Score by the criterion of the fit; NaN if the feature was not ranked.
    rank : int or None
        Rank, 1 for the best; None if the feature is not a candidate.
    chosen : bool
        Whether the node is split by this feature.
    why : str
        Why the feature was chosen or not.
    """

    feature: str
    kind: str
    split: str
    branches: tuple[Branch, ...]
    unknown: Branch | None
    numbers: dict[str, Any]
    partition: Partition | None
    score: float
    rank: int | None
    chosen: bool
    why: str


@dataclass(frozen=True, eq=False)
class SplitExplanation:
    """Why a node was split as it was: all candidate features, ranked, and the arithmetic of their scores.

    ``print`` shows the ranking; ``explanation["age"]`` is one :class:`Candidate`.

    Attributes
    ----------
    node : int
        Number of the node.
    path : str
        Conditions from the root to the node; "" at the root.
    rows : int
        Number of training rows in the node.
    moments : float64, shape (M,)
        Class weights; for regression the sum of weights, the mean, and the sum of squares about the mean.
    response : Response
        Name, kind and labels of the response.
    criterion : str
        What ``score`` measures.
    measures : tuple of str
        Sections of arithmetic that the criterion uses.
    candidates : tuple of Candidate
        The ranked features, the best first, and then the others in column order.
    note : str
        Why the node is a leaf; "" if it is split.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> loan = datasets.load("loan")
    >>> y = loan.pop("类别")
    >>> model = CARTClassifier(pruning=None).fit(loan, y)
    >>> found = model.explain_split(loan, y, 0)
    >>> found.candidates[0].feature, round(found.candidates[0].numbers["gini_index"], 4)
    ('有工作', 0.2667)
    >>> print(found.to_text("有房子"))
    有房子: 有房子 = 否 | 有房子 = 是
              否  是
    有房子 = 否  6  3
    有房子 = 是  0  6
    Gini(D) = 1 - (6/15)² - (9/15)² = 0.480
    Gini(有房子 = 否) = 1 - (6/9)² - (3/9)² = 0.444
    Gini(有房子 = 是) = 1 - (6/6)² = 0
    Gini(D | 有房子) = 9/15 · 0.444 + 6/15 · 0 = 0.267
    decrease = 0.480 - 0.267 = 0.213
    rank 2: decrease of Gini impurity 0.2133 is equal to that of 有工作; the earlier column is taken
    """

    node: int
    path: str
    rows: int
    moments: np.ndarray
    response: Response
    criterion: str
    measures: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    note: str = ""

    def __getitem__(self, feature: str) -> Candidate:
        for candidate in self.candidates:
            if candidate.feature == feature:
                return candidate
        names = ", ".join(plain(c.feature) for c in self.candidates)
        raise ParameterError(
            "there is no feature ", Value(feature), f" among the candidates of node {self.node}: {names}."
        )

    def to_records(self) -> dict[str, list[Any]]:
        """The candidates as columns, one value per feature.

        Returns
        -------
        dict of str to list
            feature, kind, split, branches (how many), the measures that the response has, score, rank, chosen and why.
        """
        found: dict[str, list[Any]] = {
            "feature": [c.feature for c in self.candidates],
            "kind": [c.kind for c in self.candidates],
            "split": [c.split or None for c in self.candidates],
            "branches": [len(c.branches) for c in self.candidates],
        }
        for name in NUMBERS:
            if any(name in c.numbers for c in self.candidates):
                found[name] = [c.numbers.get(name, math.nan) for c in self.candidates]
        return found | {
            "score": [c.score for c in self.candidates],
            "rank": [c.rank for c in self.candidates],
            "chosen": [c.chosen for c in self.candidates],
            "why": [c.why for c in self.candidates],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """The candidates as a data frame, one row per feature, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_text(self, feature: str | None = None, measures: Any = None, digits: int = 3) -> str:
        """The arithmetic in plain text.

        Parameters
        ----------
        feature : str, optional
            One feature only; by default all.
        measures : str or sequence of str, optional
            Sections: "entropy", "gini", "error", "chi_squared" for classes, "variance", "f" for numbers, or "all"; by
            default those of the criterion.
        digits : int
            Decimals of results, 1 to 15.

        Raises
        ------
        ParameterError
            No such feature or section, or digits out of range.
        """
        return self._written(TEXT, feature, measures, digits)

    def to_latex(self, feature: str | None = None, measures: Any = None, digits: int = 3) -> str:
        """The arithmetic in LaTeX, for a document that loads amsmath; parameters as in :meth:`to_text`."""
        return self._written(LATEX, feature, measures, digits)

    def to_html(self, feature: str | None = None, measures: Any = None, digits: int = 3) -> str:
        """The arithmetic as a piece of HTML, every name escaped; parameters as in :meth:`to_text`."""
        return self._written(HTML, feature, measures, digits)

    def __str__(self) -> str:
        return summary(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def _written(self, notation: Notation, feature: str | None, measures: Any, digits: int) -> str:
        if isinstance(digits, bool) or not isinstance(digits, (int, np.integer)) or not 1 <= digits <= 15:
            raise ParameterError(must_be("digits", "a whole number from 1 to 15", digits))
        chosen = self.candidates if feature is None else (self[feature],)
        if all(c.partition is None for c in chosen):
            raise ParameterError(
                "the arithmetic needs the rows: ", remedy("give explain_split the X and y of the fit"), "."
            )
        sections = sections_of(self, measures)
        sheets = [self._sheet(c, sections, notation, digits) for c in chosen]
        if feature is not None:
            return notation.document(None, sheets)
        head = f"node {self.node}" + (f" ({self.path})" if self.path else "") + (f": {self.note}" if self.note else "")
        return notation.document(head, sheets)

    def _sheet(self, candidate: Candidate, sections: tuple[str, ...], notation: Notation, digits: int) -> Sheet:
        rank = f"rank {candidate.rank}" if candidate.rank is not None else "not a candidate"
        return sheet(candidate, sections, notation, digits, f"{rank}: {candidate.why}")


def sections_of(found: SplitExplanation, measures: Any) -> tuple[str, ...]:
    """The sections of arithmetic requested by ``measures``, all of them valid for this kind of response.

    Raises
    ------
    ParameterError
    """
    fitting = found.response.sections
    if measures is None:
        return found.measures
    if isinstance(measures, str):
        measures = fitting if measures == "all" else (measures,)
    for name in measures:
        if name not in fitting:
            words, hint = ", ".join(map(repr, fitting)), did_you_mean(name, (*fitting, "all"))
            raise ParameterError(must_be("measures", f"among {words}, 'all'", name, hint))
    return tuple(measures)


def summary(found: SplitExplanation) -> str:
    """The node and one line a candidate."""
    where = f" ({found.path})" if found.path else ""
    counted = f"{found.rows} row{'s' * (found.rows != 1)}"
    lines = [f"node {found.node}{where}: {counted}, {views_of(found.response).moments(found.response, found.moments)}"]
    if found.note:
        lines.append(found.note)
    for c in found.candidates:
        rank = "-" if c.rank is None else str(c.rank)
        lines.append(f"{rank:>3}  {plain(c.feature)}: {c.why}" + (f"  [{c.split}]" if c.split else ""))
    return "\n".join(lines)
