"""Bins of single columns as one query: a CASE for each column, which gives the value of the bin of a row."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..data.columns.schema import Schema
from ..tree.split import SplitTable
from .conditions import Between, Condition, IsMissing, answers
from .model_plan import ModelPlan
from .sql_query import Query, column, indented, listed
from .sql_text import free_name


@dataclass(frozen=True, eq=False)
class BinsPlan(ModelPlan):
    """What the query needs to know of bins.

    Attributes
    ----------
    schema : Schema
    response_name : str
    title : str
    prefix : str
        What the names of the resulting columns begin with.
    bins : list of (int, SplitTable, float64 array)
        Feature; a split with a branch for each bin of values, and one for each special value; the value of each bin,
        and that of missing values.
    """

    schema: Schema
    response_name: str
    title: str
    prefix: str
    bins: list[tuple[int, SplitTable, np.ndarray]]
    labels = ()
    refuse_missing = refuse_unseen = False

    @property
    def features(self) -> list[int]:
        """All features that have bins."""
        return [j for j, _, _ in self.bins]

    def cuts(self, j: int) -> list[float | int]:
        """The ends of the bins."""
        between = [c for tests, _ in self.routes(j) for c in tests if isinstance(c, Between)]
        return sorted({cut for c in between for cut in (c.above, c.upto) if cut is not None})

    def routes(self, j: int) -> list[tuple[list[Condition], float]]:
        """Conditions with the value that any of them gives, tried in order; anything else gives 0."""
        _, splits, values = next(each for each in self.bins if each[0] == j)
        feature = self.schema[j]
        n_values = int(splits.index_of(0).max(initial=-1)) + 1
        own = replace(splits, feature=np.full(len(splits), j, np.int32))
        found = [(answers(feature, own, s)[0][0], float(values[n_values + s - 1])) for s in range(1, len(splits))]
        found += [(conditions, float(values[b])) for b, conditions in answers(feature, own, 0)[0].items()]
        missing = float(values[-1])
        return [*found, *([([IsMissing(j)], missing)] if missing else [])]


class BinsQuery(Query):
    """Writes the query of one plan in one dialect."""

    plan: BinsPlan

    def stages(self) -> list[list[str]]:
        """None: every value is read from the columns of the table."""
        return []

    def answer(self) -> list[str]:
        """The keys, and a value for each column."""
        taken = set(self.keys)
        columns = [self.sql.name(key) for key in self.keys]
        for j in self.plan.features:
            name = free_name(f"{self.plan.prefix}_{self.plan.schema[j].name}", taken)
            tests = [
                f"WHEN {self.conditions.any_of(tuple(tests))} THEN {self.sql.number(value)}"
                for tests, value in self.plan.routes(j)
            ]
            lines = ["CASE", *indented([*tests, f"ELSE {self.sql.number(0.0)}"]), "END"]
            columns += column(lines, self.sql.name(name))
        return ["SELECT", *listed(columns)]
