"""Small real tables that come with boxwood, for examples and tests; README.md here says where each is from."""

from __future__ import annotations

import csv
from pathlib import Path

from ...errors import ParameterError

__all__ = ["load", "names", "path"]

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of the bundled tables, in alphabetical order.

    Examples
    --------
    >>> from boxwood.data import datasets
    >>> "titanic" in datasets.names()
    True
    """
    return sorted(file.stem for file in _FOLDER.glob("*.csv"))


def path(name: str) -> Path:
    """Path of a bundled table's CSV file (UTF-8, comma, first line = column names, empty field = missing).

    Raises
    ------
    ParameterError
        There is no table of that name.
    """
    if name not in names():
        raise ParameterError(f"name must be one of the bundled tables {', '.join(names())}; got {name!r}.")
    return _FOLDER / f"{name}.csv"


def load(name: str) -> dict[str, list]:
    """A bundled table as plain Python lists.

    Parameters
    ----------
    name : str
        One of `names()`.

    Returns
    -------
    dict of str to list
        Column name -> values in file order. A column of whole numbers holds int, of other numbers float, of
        true/false bool, anything else str; a missing value is None.

    Raises
    ------
    ParameterError
        There is no table of that name.

    Examples
    --------
    >>> from boxwood.data import datasets
    >>> titanic = datasets.load("titanic")
    >>> titanic["age"][:4], titanic["age"].count(None)
    ([29.0, 0.9167, 2.0, 30.0], 242)
    """
    with path(name).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return {column: _values([row[j] for row in rows]) for j, column in enumerate(header)}


def _values(fields: list[str]) -> list:
    """Fields of one column as the first of int, float, bool, str that fits them all."""
    for read in (int, float, {"true": True, "false": False}.__getitem__):
        try:
            return [read(field) if field else None for field in fields]
        except (ValueError, KeyError):
            continue
    return [field or None for field in fields]
