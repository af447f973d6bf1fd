"""The description of a bundled table: columns with kinds and levels, target, source and licence."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..columns.schema import NOMINAL, NUMERIC, ORDINAL


@dataclass(frozen=True)
class ColumnFacts:
    """One column of a bundled table.

    Attributes
    ----------
    name : str
    kind : {"numeric", "ordinal", "nominal"}
    levels : tuple
        In declared order, also those that do not occur; empty for numbers.
    missing : int
        Number of rows without a value.
    """

    name: str
    kind: str
    levels: tuple[Any, ...]
    missing: int


@dataclass(frozen=True)
class Description:
    """Description of a bundled table. Print it to read it.

    Attributes
    ----------
    name, title : str
    n : int
        Number of rows.
    columns : tuple of ColumnFacts
        In file order, including the target.
    target : str
        Name of the target column.
    task : {"classification", "regression", "count"}
    row_names : str or None
        The column that numbers the rows. Do not include it in X.
    weights : str or None
        The column with sample weights.
    source, licence : str
    """

    name: str
    title: str
    n: int
    columns: tuple[ColumnFacts, ...]
    target: str
    task: str
    row_names: str | None
    weights: str | None
    source: str
    licence: str

    def __str__(self) -> str:
        roles = {
            self.target: f"response ({self.task})",
            self.row_names: "row number",
            self.weights: "weight of the row",
        }
        lines = [f"{self.name}: {self.title}", f"{self.n} rows, {len(self.columns)} columns"]
        for column in self.columns:
            order = (" < " if column.kind == ORDINAL else ", ").join(map(str, column.levels))
            parts = [roles.get(column.name), column.kind, order, f"{column.missing} missing" if column.missing else ""]
            lines.append(f"  {column.name}: {'; '.join(part for part in parts if part)}")
        return "\n".join([*lines, f"Source: {self.source}", f"Licence: {self.licence}"])


@cache
def declared() -> dict[str, dict[str, Any]]:
    """What tables.toml says, by table."""
    return tomllib.loads((Path(__file__).parent / "tables.toml").read_text(encoding="utf-8"))


def describe_columns(name: str, columns: dict[str, list[Any]]) -> Description:
    """The description of a table whose columns were read."""
    facts = declared()[name]
    found = []
    for column, values in columns.items():
        levels = tuple(facts.get("levels", {}).get(column, ()))
        if any(isinstance(value, bool) for value in values):
            levels = (False, True)
        kind = ORDINAL if column in facts.get("ordinal", ()) else NOMINAL if levels else NUMERIC
        found.append(ColumnFacts(column, kind, levels, sum(value is None for value in values)))
    return Description(
        name, facts["title"], len(values), tuple(found), facts["target"], facts["task"],
        facts.get("row_names"), facts.get("weights"), facts["source"], facts["licence"],
    )  # fmt: skip
