"""Small real tables that come with boxwood, for examples and tests; README.md here lists the licences."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from ..._messages import must_be
from ..._spelling import did_you_mean
from ...errors import ParameterError
from .about import Description, declared, describe_columns
from .categories import Categories

__all__ = ["Categories", "Description", "describe", "load", "names", "path"]

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of the bundled tables, in alphabetical order.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from boxwood import datasets
    >>> "titanic" in datasets.names()
    True
    """
    return sorted(declared())


def path(name: str) -> Path:
    """Path of the CSV file of a bundled table (UTF-8, comma-separated, with a header line; empty fields are missing).

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    ParameterError
        There is no table with this name.

    Examples
    --------
    >>> from boxwood import datasets
    >>> datasets.path("titanic").name
    'titanic.csv'
    """
    if not isinstance(name, str) or name not in declared():
        known = f"one of the bundled tables {', '.join(names())}"
        raise ParameterError(must_be("name", known, name, did_you_mean(name, names())))
    return _FOLDER / f"{name}.csv"


def load(name: str, declared_levels: bool = False) -> dict[str, list[Any] | Categories]:
    """A bundled table as plain Python lists; ordinal columns keep the order of their levels.

    Parameters
    ----------
    name : str
        One of `names()`.
    declared_levels : bool
        Keep the declared levels of nominal columns too, in their usual order (青年, 中年, 老年). Otherwise nominal
        columns are lists of strings. Estimators sort nominal levels.

    Returns
    -------
    dict of str to list or Categories
        Column name -> values in file order: int for integers, float for other numbers, bool for true/false, and str
        for anything else. A missing value is None.

    Raises
    ------
    ParameterError
        There is no table with this name.

    Examples
    --------
    >>> from boxwood import datasets
    >>> titanic = datasets.load("titanic")
    >>> titanic["age"][:4], titanic["age"].count(None)
    ([29.0, 0.9167, 2.0, 30.0], 242)
    >>> datasets.load("esoph")["tobacco"]
    <135 values of 0-9g/day < 10-19 < 20-29 < 30+>
    """
    columns: dict[str, list[Any] | Categories] = dict(_read(name))
    facts = declared()[name]
    ordinal = facts.get("ordinal", ())
    kept = facts.get("levels", {}) if declared_levels else ordinal
    for column in kept:
        columns[column] = Categories(list(columns[column]), facts["levels"][column], column in ordinal)
    return columns


def describe(name: str) -> Description:
    """Describe a bundled table: title, columns with kind and levels, target, source and licence.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    Description

    Raises
    ------
    ParameterError
        There is no table with this name.

    Examples
    --------
    >>> from boxwood import datasets
    >>> print(datasets.describe("chickwts"))
    chickwts: Weight of chicks (grams) after six weeks on one of six feeds
    71 rows, 2 columns
      feed: nominal; casein, horsebean, linseed, meatmeal, soybean, sunflower
      weight: response (regression); numeric
    Source: Biometrika (1948), here as in D. R. McNeil, Interactive Data Analysis (1977)
    Licence: public domain (published measurements)
    """
    return describe_columns(name, _read(name))


def _read(name: str) -> dict[str, list[Any]]:
    """Columns of a table's file."""
    with path(name).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return {column: _values([row[j] for row in rows]) for j, column in enumerate(header)}


def _values(fields: list[str]) -> list[Any]:
    """Fields of one column as the first of int, float, bool, str that fits them all."""
    for read in (int, float, {"true": True, "false": False}.__getitem__):
        try:
            return [read(field) if field else None for field in fields]
        except (ValueError, KeyError):
            continue
    return [field or None for field in fields]
