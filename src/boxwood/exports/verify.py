"""Verifies an export: the target's own engine runs it on rows, and every prediction is compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .answers import Answers
from .model_plan import ModelPlan
from .raw_rows import RawRows

#: Sums of shares may be added in another order by the engine.
ROUNDING = 1e-12
_MOST_EXAMPLES = 5


@dataclass(frozen=True)
class Difference:
    """One row for which an export and the tree differ.

    Attributes
    ----------
    row : int
        Position of the row, from 0; rows that were made follow those that were given.
    what : {"node", "prediction", "probability", "further"}
        What differs.
    expected, found : object
        The results of the tree and of the export; None if it raised an error.
    values : dict
        The values of the row by feature, as the export was given them.
    """

    row: int
    what: str
    expected: object
    found: object
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """The result of ``verify_export``: whether an export predicts the same as the tree. It is true if no row differs.

    Attributes
    ----------
    rows : int
        Number of the given rows that were compared.
    mismatches : int
        Number of rows that differ, those that were made among them.
    examples : tuple of Difference
        The first differences, at most five.
    engine : str
        The program that ran the export, with its version.
    left_out : int
        Number of given rows that were not compared, because the other language cannot represent a value.
    made : int
        Number of rows compared that were made to test the edges: cuts and their neighbours, codes for missing values,
        blanks, NaN, infinities, levels and texts that training did not have, values of another type.
    made_left_out : int
        Number of rows made that the other language cannot represent.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> model = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 1, 5])
    >>> verdict = model.verify_export("python", {"age": [20.0, 25.0, None]})
    >>> bool(verdict), verdict.rows, verdict.mismatches
    (True, 3, 0)
    """

    rows: int
    mismatches: int
    examples: tuple[Difference, ...]
    engine: str
    left_out: int = 0
    made: int = 0
    made_left_out: int = 0

    def __bool__(self) -> bool:
        """Whether all predictions agree."""
        return self.mismatches == 0

    def __str__(self) -> str:
        rows = f"{self.rows} row{'s' * (self.rows != 1)}"
        rows += f" and {self.made} row{'s' * (self.made != 1)} made to test the edges" * bool(self.made)
        more = self.left_out + self.made_left_out
        rows += f" ({more} more cannot be represented there)" * bool(more)
        if not self.mismatches:
            return f"{self.engine} gives what predict gives in all of {rows}."
        lines = [f"{self.engine} differs from predict in {self.mismatches} of {rows}:"]
        differences = [f"  row {d.row} {d.values!r}: {d.what} {d.found!r}, not {d.expected!r}" for d in self.examples]
        return "\n".join(lines + differences)


def compare(plan: ModelPlan, rows: RawRows, answered: Answers, engine: str, close: float = 0.0) -> Verdict:
    """Compare an engine's predictions for some rows with those of the model.

    Nodes and classes must be equal; numbers too, but for rounding in rows that were shared out, and ``close`` in
    targets that promise no more.
    """
    expected = plan.expected(rows.columns, rows.refused)
    summed = np.zeros(rows.n, dtype=bool) if expected.summed is None else expected.summed
    allowed = np.where(summed, max(close, ROUNDING), close)
    skipped = np.zeros(rows.n, dtype=bool) if answered.left_out is None else answered.left_out
    wrong = np.zeros(rows.n, dtype=bool)
    examples: list[Difference] = []
    for what, want, got in (
        ("node", expected.node, answered.node),
        ("prediction", expected.value, answered.value),
        ("probability", expected.probability, answered.probability),
        ("further", expected.further, answered.further),
    ):
        if want is None or got is None:
            continue
        differs = _differs(want, got, allowed) & ~skipped
        examples += [
            Difference(i, what, _shown(want[i]), _shown(got[i]), _values(plan, rows, i))
            for i in np.flatnonzero(differs & ~wrong).tolist()[:_MOST_EXAMPLES]
        ]
        wrong |= differs
    examples.sort(key=lambda d: d.row)
    given = rows.n - rows.made
    lost, made_lost = int(skipped[:given].sum()), int(skipped[given:].sum())
    shown = tuple(examples[:_MOST_EXAMPLES])
    return Verdict(given - lost, int(wrong.sum()), shown, engine, lost, rows.made - made_lost, made_lost)


def _values(plan: ModelPlan, rows: RawRows, i: int) -> dict[str, Any]:
    return {plan.schema[j].name: rows.values[j][i] for j in plan.features}


def _differs(want: np.ndarray, got: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Rows in which two columns, or tables of numbers, are not the same; a type is part of a label."""
    if want.dtype == object:
        pairs = zip(want.tolist(), got.tolist(), allowed.tolist(), strict=True)
        return np.array([_other(a, b, gap) for a, b, gap in pairs], dtype=bool)
    if want.ndim == 1:
        return want != got
    with np.errstate(invalid="ignore"):
        near = np.abs(want - got) <= allowed[:, None]
    return ~(near | (np.isnan(want) & np.isnan(got))).all(axis=1)


def _other(want: Any, got: Any, allowed: float) -> bool:
    if isinstance(want, float) and isinstance(got, float):
        return not abs(want - got) <= allowed * max(1.0, abs(want))
    if isinstance(want, tuple) and isinstance(got, tuple):
        return any(_other(a, b, allowed) for a, b in zip(want, got, strict=True))
    return want != got or isinstance(want, bool) != isinstance(got, bool)


def _shown(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value
