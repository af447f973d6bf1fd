"""The evaluation of several responses: that of each, and the means of their figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._messages import must_be
from ..errors import ParameterError
from ..views.table import frame_of
from .evaluation import Evaluation
from .records import evaluation_dict, figure_records, finite


@dataclass(frozen=True, eq=False)
class SeveralEvaluations:
    """How good the predictions of several responses are; ``found["height"]`` is the evaluation of one of them.

    Attributes
    ----------
    each : dict of str to Evaluation

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> X, Y = [[1], [2], [3], [4]], {"身長": [1, 1, 5, 5], "weight": [9, 8, 4, 5]}
    >>> found = CARTRegressor(pruning=None, max_depth=1).fit(X, Y).evaluate(X, Y)
    >>> found["身長"]["r2"].value, round(found.mean["r2"], 3)
    (1.0, 0.971)
    """

    each: dict[str, Evaluation]

    def __getitem__(self, response: str) -> Evaluation:
        if response not in self.each:
            raise ParameterError(must_be("response", f"one of {', '.join(map(repr, self.each))}", response))
        return self.each[response]

    def __iter__(self) -> Iterator[str]:
        return iter(self.each)

    @property
    def mean(self) -> dict[str, float]:
        """The mean over the responses of each figure that all have."""
        values = [{figure.name: figure.value for figure in one.figures} for one in self.each.values()]
        names = [name for name in values[0] if all(name in others for others in values)]
        return {name: float(np.mean([one[name] for one in values])) for name in names}

    def to_frame(self, backend: str | None = None) -> Any:
        """All figures as a data frame with the response in the first column; ``backend`` as in ``tree_.to_frame``.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
        """
        tables = [figure_records(one.figures) for one in self.each.values()]
        names = [name for name, table in zip(self.each, tables, strict=True) for _ in table["figure"]]
        columns = {column: [value for table in tables for value in table[column]] for column in tables[0]}
        return frame_of({"response": names} | columns, backend)

    def to_dict(self) -> dict[str, Any]:
        """The evaluation of each response as plain values, and the means."""
        each = {name: evaluation_dict(one) for name, one in self.each.items()}
        return {"responses": each, "mean": self.mean}

    def to_json(self) -> str:
        """The same as a JSON text; undefined numbers are null."""
        return json.dumps(finite(self.to_dict()), ensure_ascii=False)

    def to_text(self) -> str:
        """The evaluations one after the other, then the means."""
        means = ", ".join(f"{name} {value:.4g}" for name, value in self.mean.items())
        blocks = [f"{name}\n{one}" for name, one in self.each.items()]
        return "\n\n".join([*blocks, f"Mean over the responses: {means}"])

    def __str__(self) -> str:
        return self.to_text()
