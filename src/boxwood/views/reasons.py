"""Reason codes: which features lowered a prediction most, with the user's codes and texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._messages import Setting, Value, must_be
from ..data.columns.columns import Columns
from ..errors import ParameterError, ParameterTypeError, check_one_of
from ..tree.tree import Tree
from .class_number import target_number
from .deciding import value_words
from .explanation import explain_rows
from .figures import signed
from .shapley import shapley_values
from .table import frame_of
from .words import plain

#: How an answer is divided among features.
METHODS = ("contributions", "shap")
#: Which pull is a reason.
DIRECTIONS = ("down", "up")


@dataclass(frozen=True)
class Reason:
    """One reason for a prediction.

    Attributes
    ----------
    feature : str
        Name of the feature.
    code : str or None
        The code given for the feature, if any.
    text : str
        The text given for the feature; default: "feature = value".
    value : str
        The value of the row as text.
    contribution : float
        Contribution of the feature to the probability of the target class, to the mean or to the rate.
    """

    feature: str
    code: str | None
    text: str
    value: str
    contribution: float


@dataclass(frozen=True, eq=False)
class ReasonCodes:
    """Reason codes of rows: ``reasons[i]`` are the reasons for the prediction of row i, the strongest first.

    Attributes
    ----------
    reasons : tuple of tuple of Reason
        The reasons of each row.
    what : str
        What the contributions refer to, as text.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit({"income": [10, 20, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> reasons = model.reason_codes({"income": [15]}, "yes", codes={"income": ("R1", "low income")})
    >>> reasons[0][0].code, reasons[0][0].contribution
    ('R1', -0.5)
    """

    reasons: tuple[tuple[Reason, ...], ...] = field(repr=False)
    what: str

    def __len__(self) -> int:
        return len(self.reasons)

    def __getitem__(self, row: int) -> tuple[Reason, ...]:
        return self.reasons[row]

    def __iter__(self) -> Iterator[tuple[Reason, ...]]:
        return iter(self.reasons)

    def to_records(self) -> dict[str, list[Any]]:
        """The reasons as columns: row, rank (from 1), feature, code, text, given (the value), contribution."""
        found = [(row, rank, reason) for row, of in enumerate(self) for rank, reason in enumerate(of, 1)]
        records: dict[str, list[Any]] = {"row": [row for row, _, _ in found], "rank": [rank for _, rank, _ in found]}
        names = {"feature": "feature", "code": "code", "text": "text", "given": "value", "contribution": "contribution"}
        return records | {head: [getattr(reason, name) for _, _, reason in found] for head, name in names.items()}

    def to_frame(self, backend: str | None = None) -> Any:
        """The reasons as a data frame, one row per reason, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_text(self) -> str:
        """The reasons as text, row by row."""
        lines = []
        for row, reasons in enumerate(self):
            lines.append(f"row {row}: {self.what}" + ("" if reasons else ": no reasons"))
            for rank, reason in enumerate(reasons, 1):
                code = "" if reason.code is None else f"[{plain(reason.code)}] "
                lines.append(f"  {rank}. {code}{plain(reason.text)} ({signed(reason.contribution)})")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class ReasonOptions:
    """Options of reason codes.

    Attributes
    ----------
    target : label or None
        The class that was hoped for; None for trees that predict a number.
    n : int
        Most reasons a row, at least 1.
    codes : dict of str to str or (str, str), optional
        Feature -> its text, or its code and its text.
    by : {"contributions", "shap"}
        Changes of the answer at the nodes that test a feature, added up, as in ``explain``; or Shapley values.
    direction : {"down", "up"}
        Features that lowered the probability (or number) are reasons, or those that raised it.
    """

    target: object = None
    n: int = 4
    codes: dict[str, Any] | None = None
    by: str = METHODS[0]
    direction: str = DIRECTIONS[0]


def reason_codes(tree: Tree, columns: Columns, options: ReasonOptions, unseen: str = "missing") -> ReasonCodes:
    """The features that lowered (or raised) each prediction most.

    Features without an effect, or with the opposite effect, are not reasons. Of equal effects, the earlier column
    comes first.

    Parameters
    ----------
    tree : Tree
    columns : Columns of n rows
    options : ReasonOptions
    unseen : {"missing", "majority", "stay"}
        As in :func:`boxwood.tree.descend.route`.

    Raises
    ------
    ParameterError, ParameterTypeError
        An invalid class, feature, number or choice; the message names it.
    """
    k, codes = _read(tree, options)
    pulls = _pulls(tree, columns, options.by, k, unseen)
    sign = -1.0 if options.direction == "down" else 1.0
    found = []
    for row, pull in enumerate(pulls * sign):
        order = [j for j in np.argsort(-pull, kind="stable").tolist() if pull[j] > 0][: options.n]
        found.append(tuple(_reason(columns, j, row, codes, float(sign * pull[j])) for j in order))
    name = plain(tree.response.name)
    what = name if k is None else f"probability of {name} = {plain(str(tree.response.labels[k]))}"
    return ReasonCodes(tuple(found), f"{what} {'lowered' if options.direction == 'down' else 'raised'} by")


def _read(tree: Tree, options: ReasonOptions) -> tuple[int | None, dict[str, tuple[str | None, str]]]:
    """Number of the class, and (code, text) by feature."""
    for name, value, known in (("by", options.by, METHODS), ("direction", options.direction, DIRECTIONS)):
        check_one_of(name, value, known)
    if isinstance(options.n, bool) or not isinstance(options.n, (int, np.integer)) or options.n < 1:
        raise ParameterError(must_be("n", "a whole number of at least 1", options.n))
    if options.target is None and tree.response.labels:
        raise ParameterError(
            Setting("target_class"), f" must be the desired class, such as {tree.response.labels[0]!r}."
        )
    if options.codes is not None and not isinstance(options.codes, dict):
        raise ParameterTypeError(must_be("codes", "a dictionary of texts by feature", options.codes))
    codes = {}
    for name, given in (options.codes or {}).items():
        if name not in tree.schema.names:
            raise ParameterError(Setting("codes"), " names ", Value(name), ", which is not a feature of this model.")
        pair = (None, given) if isinstance(given, str) else given
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[1], str):
            raise ParameterTypeError(must_be("codes", "a text or a pair (code, text)", given, key=name))
        codes[name] = (None if pair[0] is None else str(pair[0]), pair[1])
    return None if options.target is None else target_number(tree, options.target), codes


def _pulls(tree: Tree, columns: Columns, by: str, k: int | None, unseen: str) -> np.ndarray:
    """What each feature did to each answer, shape (n, p)."""
    if by == METHODS[1]:
        values = shapley_values(tree, columns, unseen=unseen).values
        return values if k is None else values[:, :, k]
    found, position = np.zeros((columns.n, len(tree.schema))), {name: j for j, name in enumerate(tree.schema.names)}
    for explained in explain_rows(tree, columns, unseen):
        for name, change in explained.contributions.items():
            found[explained.row, position[name]] = change if k is None else change[k]
    return found


def _reason(columns: Columns, j: int, row: int, codes: dict[str, Any], contribution: float) -> Reason:
    """One reason as text."""
    name, value = columns.schema[j].name, value_words(columns, j, row)
    default = f"{plain(name)} is missing" if columns.missing(j)[row] else f"{plain(name)} = {value}"
    code, text = codes.get(name, (None, default))
    return Reason(name, code, text, value, contribution)
