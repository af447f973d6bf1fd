"""What the languages of an exported MARS model share: the sum of the terms, and checks of a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..exports.moments import counted
from .model import MARSModel
from .terms import LEFT, LINEAR, RIGHT


@dataclass(frozen=True)
class Language:
    """How a language writes the pieces of a sum of terms.

    Attributes
    ----------
    number : function of a float
        A number that is read back as the same double.
    column : function of an int
        The value of a design column.
    hinge : function of two expressions
        Their difference where it is above 0, else 0; missing when one of them is.
    """

    number: Callable[[float], str]
    column: Callable[[int], str]
    hinge: Callable[[str, str], str]

    def score(self, model: MARSModel, k: int) -> list[str]:
        """The sum of the terms of response k, one term per line, each with its sign in front."""
        weights = coefficients(model)[:, k].tolist()
        lines = [self.number(weights[0])]
        for m in range(1, len(model.kept)):
            factors = [self._factor(*factor) for factor in model.kept.factors(m)]
            sign = "-" if weights[m] < 0 else "+"
            lines.append(f"{sign} {self.number(abs(weights[m]))} * {' * '.join(factors)}")
        return lines

    def _factor(self, column: int, direction: int, cut: float) -> str:
        value = self.column(column)
        if direction == LINEAR:
            return value
        return self.hinge(self.number(cut), value) if direction == LEFT else self.hinge(value, self.number(cut))


def coefficients(model: MARSModel) -> np.ndarray:
    """The coefficients that predict: logistic where there are such, else least squares, shape (M, K)."""
    return model.coefficients if model.log_odds is None else model.log_odds


def counts_of_times(model: MARSModel) -> dict[str, str]:
    """The features of dates and times that are used, and what the numbers count that an export takes for them."""
    used = {model.design.columns[j].feature for j in used_columns(model)}
    return {
        feature.name: counted(feature.temporal)
        for i, feature in enumerate(model.schema)
        if i in used and feature.temporal is not None
    }


def n_scores(model: MARSModel) -> int:
    """K, the number of sums of terms."""
    return coefficients(model).shape[1]


def used_columns(model: MARSModel) -> list[int]:
    """Design columns that the chosen terms hold, in order."""
    return np.flatnonzero(model.kept.directions.any(axis=0)).tolist()


def used_features(model: MARSModel) -> list[int]:
    """Features that the chosen terms hold, in order."""
    return sorted({model.design.columns[j].feature for j in used_columns(model)})


def has_hinges(model: MARSModel) -> bool:
    """Whether a chosen term holds a hinge, not only linear factors."""
    return bool((np.abs(model.kept.directions) == RIGHT).any())


def fills(model: MARSModel) -> bool:
    """Whether missing values are filled in; else they are refused."""
    return model.settings["missing"] == "indicator"


def refuses_unseen(model: MARSModel) -> bool:
    """Whether a level that did not occur in training is refused."""
    return model.settings["unseen"] == "error"


def score_names(model: MARSModel) -> list[str]:
    """The meaning of each sum of terms."""
    k = n_scores(model)
    if model.labels:
        kind = "log odds of" if model.log_odds is not None else "share of"
        labels = [model.labels[-1]] if k == 1 else model.labels
        return [f"{kind} {label}" for label in labels]
    return [model.response_name] if k == 1 else [f"{model.response_name}[{i}]" for i in range(k)]


def signed(number: str) -> str:
    """A number that may follow an operator."""
    return f"({number})" if number.startswith("-") else number
