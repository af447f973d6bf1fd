"""A MARS model described: facts, text, importance, exports, and the rows that it was fitted to."""

from __future__ import annotations

import numpy as np

from ..data.columns.columns import Columns
from ..evaluation.rows import EvaluatedRows
from ..model.protocol import FeatureRanking, Model, first_lines
from .design import indicators
from .exports import MARSPlan, plan_of
from .words import records, subset_records, summary


class MARSReport(Model):
    """The part of a MARS model that describes it."""

    kind = "MARS model"
    part = "model"

    def to_text(self, max_lines: int | None = None, hint: str = "to_text()") -> str:
        """The terms with their coefficients, and how good the model is."""
        return first_lines(summary(self), max_lines, hint)

    def facts(self) -> dict:
        """Size, terms, errors and importance."""
        return {
            "algorithm": {"algorithm": self.algorithm, "parameters": self.settings},
            "model": {
                "text": summary(self),
                "terms": records(self),
                "subsets": subset_records(self),
                "gcv": float(self.gcv[self.size - 1]),
                "rss": self.rss,
                "grsq": self.gr_squared,
                "rsq": self.r_squared,
            },
            "cross_validation": self.cv,
            "importance": self.ranking().records,
        }

    def ranking(self) -> FeatureRanking:
        """Features by the subsets of terms that hold them, as earth's evimp."""
        found, names = self.importance(), self.schema.names
        rows = [
            {
                "feature": names[i],
                "subsets": int(found.n_subsets[i]),
                "gcv": float(found.gcv[i]),
                "rss": float(found.rss[i]),
            }
            for i in found.order
            if found.n_subsets[i]
        ]
        cells = [[row["feature"], row["subsets"], f"{row['gcv']:.1f}", f"{row['rss']:.1f}"] for row in rows]
        what = "subsets that hold it; fall of GCV and RSS, 100 = most"
        return FeatureRanking("evimp", what, ("feature", "subsets", "gcv", "rss"), cells, rows)

    def export_plan(self) -> MARSPlan:
        """The sums of terms."""
        return plan_of(self)

    def may_be_fitted_to(self, rows: EvaluatedRows) -> bool:
        """Whether the rows weigh as much."""
        return bool(np.isclose(self.n, rows.weight.sum(), rtol=1e-9))

    def was_fitted_to(self, columns: Columns, rows: EvaluatedRows) -> bool:
        """Whether least squares leaves the residuals that it left in the fit."""
        numbers = indicators(rows.truth, len(rows.labels)) if rows.labels else rows.truth[:, None]
        residuals = numbers - self.basis(columns) @ self.coefficients
        total = float(((numbers - numbers.mean(axis=0)) ** 2).sum())
        left = float(rows.weight @ (residuals**2).sum(axis=1))
        return bool(np.isclose(left, self.rss, rtol=1e-6, atol=1e-12 * total))
