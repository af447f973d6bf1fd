"""Trees of R's rpart, from the JSON that a short R function writes (docs/readers.md)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from ...errors import ModelFileError
from ...statistics.responses.classes import Classes
from ...statistics.responses.means import Means
from ...statistics.responses.rates import Rates
from ...statistics.responses.response import Response
from ...tree.tree import STAYS
from ..readable import ReadableTree
from .foreign import Foreign, ForeignNode, Test, assembled
from .sources import json_of, reading, text_of

_WHAT = "a dump of rpart"
#: Parts that are one value; R writes such as a list of one.
_SINGLE = ("format", "method", "response", "usesurrogate", "shrink")
#: Priors this close to the shares of the data are the shares.
_EQUAL = 1e-9


def from_rpart(model: Any) -> ReadableTree:
    """Convert a tree of rpart to a Tree, with classes, priors and losses, means or rates, surrogates and competitors.

    rpart tests ``x < cut``. The Tree tests whether x is at most the next smaller double, so predictions are equal for
    all doubles. Missing values are routed as set by ``usesurrogate``: 2, by surrogates and then to the child with more
    rows (if equal, the row stops); 1, by surrogates, otherwise the row stops; 0, the row stops.

    Parameters
    ----------
    model : dict, str, bytes or path
        The output of the R function in docs/readers.md, as a dictionary, JSON text or file.

    Returns
    -------
    ReadableTree

    Raises
    ------
    ModelFileError
        The dump is invalid, or boxwood does not support this method of rpart.
    DataTypeError, FileError
        The argument is not a dump, or the file cannot be read.

    Examples
    --------
    >>> import boxwood
    >>> frame = {"node": [1, 2, 3], "var": ["age", "<leaf>", "<leaf>"], "n": [3, 2, 1], "wt": [3, 2, 1],
    ...          "yval": [3.0, 2.0, 5.0], "dev": [8.0, 2.0, 0.0], "ncompete": [0, 0, 0], "nsurrogate": [0, 0, 0]}
    >>> splits = {"var": ["age"], "ncat": [-1], "improve": [0.75], "index": [41.5], "adj": [0]}
    >>> dump = {"format": "rpart", "method": "anova", "response": "y", "terms": ["age"], "xlevels": {}, "ordered": [],
    ...         "frame": frame, "splits": splits, "csplit": [], "usesurrogate": 2}
    >>> boxwood.from_rpart(dump).predict({"age": [41.4, 41.5, None]}).tolist()
    [2.0, 5.0, 2.0]
    """
    dump = model if isinstance(model, dict) else json_of(text_of(model, _WHAT), _WHAT)
    with reading(_WHAT):
        dump = {n: value[0] if n in _SINGLE and isinstance(value, list) else value for n, value in dump.items()}
        dump["terms"] = [_name(term) for term in dump["terms"]]
        dump["ordered"] = [_name(term) for term in dump.get("ordered") or []]
        dump["xlevels"] = {_name(term): levels for term, levels in (dump.get("xlevels") or {}).items()}
        if dump["format"] != "rpart" or dump["method"] not in _READINGS:
            raise ModelFileError(f"this is not {_WHAT} of method class, anova, poisson or exp; see docs/readers.md.")
        parts = _READINGS[dump["method"]](dump)
        found = Foreign(
            parts.nodes(), parts.schema, parts.response, parts.measure,
            {"algorithm": "rpart", "missing": "surrogate"},
        )  # fmt: skip
        tree = assembled(found)
        parts.check(tree)
        return tree


def _name(term: str) -> str:
    """A column's name; R puts names that are no words of its own between backticks in a formula, and only there."""
    return term[1:-1].replace("\\`", "`") if len(term) > 2 and term[0] == term[-1] == "`" else term


class _RpartReading:
    """The parts of a dump as parts of a Tree: of means, and what other kinds of y share with them."""

    measure = "variance"

    def __init__(self, dump: dict[str, Any]) -> None:
        self.frame = dump["frame"]
        if 0 in self.frame["n"]:
            raise ModelFileError(
                f"node {self.frame['node'][self.frame['n'].index(0)]} of this tree of rpart has no rows, so it has no "
                "prediction of its own; rpart makes such nodes where a feature is infinite. Fit it without such values."
            )
        self._dump, self._splits, self._csplit = dump, dump["splits"], dump.get("csplit") or []
        self.schema = _schema(dump)
        self.moments = self._moments()
        self.response = self._response()

    def _response(self) -> Response:
        """The response with its priors, losses and shrinkage."""
        return Means(self._name)

    def _moments(self) -> np.ndarray:
        """Moments of the nodes in the order of the frame."""
        return np.column_stack(self._columns("wt", "yval", "dev"))

    def check(self, tree: ReadableTree) -> None:
        """Check that the leaves predict what rpart predicts for them."""

    @property
    def _name(self) -> str:
        return str(self._dump["response"])

    def _columns(self, *names: str) -> list[np.ndarray]:
        """Columns of the frame."""
        return [np.asarray(self.frame[name], dtype=np.float64) for name in names]

    def _more(self) -> np.ndarray:
        """The matrix in the frame that classes and rates have."""
        return np.asarray(self._dump["yval2"], dtype=np.float64)

    def nodes(self) -> list[ForeignNode]:
        """The nodes in the order of the frame: rpart's node i has the children 2i and 2i + 1."""
        numbers = [int(number) for number in self.frame["node"]]
        place = {number: at for at, number in enumerate(numbers)}
        surrogates_used = int(self._dump.get("usesurrogate", 2))
        found, at = [], 0
        for t, number in enumerate(numbers):
            rows = int(self.frame["n"][t])
            if self.frame["var"][t] == "<leaf>":
                found.append(ForeignNode(moments=self.moments[t], rows=rows))
                continue
            compete, n_surrogates = int(self.frame["ncompete"][t]), int(self.frame["nsurrogate"][t])
            others = range(at + 1, at + 1 + compete)
            surrogates = range(at + 1 + compete, at + 1 + compete + n_surrogates)
            children = place[2 * number], place[2 * number + 1]
            left, right = (int(self.frame["n"][child]) for child in children)
            # With as many rows in both children rpart sends no row on.
            fuller = STAYS if left == right or surrogates_used < 2 else int(right > left)
            found.append(ForeignNode(
                children, self._test(at), fuller, self.moments[t], rows,
                tuple((self._test(s), self._number("improve", s), self._number("adj", s)) for s in surrogates)
                if surrogates_used else (),
                tuple((self._test(s), self._number("improve", s)) for s in others),
            ))  # fmt: skip
            at = surrogates.stop
        return found

    def _number(self, name: str, s: int) -> float:
        return float(self._splits[name][s])

    def _test(self, s: int) -> Test:
        """Row s of rpart's splits: 1 goes left and 3 right in csplit, 2 was not there."""
        j = self.schema.names.index(self._splits["var"][s])
        feature, ncat = self.schema[j], int(self._splits["ncat"][s])
        if feature.kind == NUMERIC:
            cut, sides = float(self._splits["index"][s]), (0, 1) if ncat < 0 else (1, 0)
            if cut == -math.inf:  # nothing is below
                return Test(j, (), sides[1:])
            return Test(j, (math.nextafter(cut, -math.inf),), sides)
        sides = self._csplit[int(float(self._splits["index"][s])) - 1][: len(feature.levels)]
        branches = tuple({1: 0, 3: 1}.get(int(side), -1) for side in sides)
        breaks = tuple(i + 0.5 for i in range(len(branches) - 1)) if feature.kind == ORDINAL else ()
        return Test(j, breaks, branches)


class _RateReading(_RpartReading):
    """Counts of events in exposure."""

    measure = "poisson"

    def _response(self) -> Response:
        return Rates(self._name, self._shrink)

    @property
    def _shrink(self) -> float:
        return float(self._dump.get("shrink") or 0.0)

    def _moments(self) -> np.ndarray:
        weight, value, deviance = self._columns("wt", "yval", "dev")
        events = self._more()[:, 1]
        # rate = (events + a) / (exposure + a / rate of the root), a = 1 / shrink^2 (docs/rpart.md); no events and no
        # shrinkage leave the exposure open: any will do for a rate of 0.
        a = 1.0 / self._shrink**2 if self._shrink else 0.0
        above, rest = events + a, a / value[0] if value[0] > 0 else 0.0
        exposure = np.divide(above, value, out=weight + rest, where=(value > 0) & (above > 0)) - rest
        logs = np.log(value, out=np.zeros(len(value)), where=value > 0)
        d_log = deviance / 2.0 + events * logs + events - value * exposure
        return np.column_stack([weight, exposure, events, d_log])


class _ClassReading(_RpartReading):
    """Classes."""

    measure = "gini"

    def _response(self) -> Response:
        share = self.moments[0] / self.moments[0].sum()
        prior = np.asarray(self._dump.get("prior") or share, dtype=np.float64)
        ratio = np.divide(prior, share, out=np.ones(len(share)), where=share > 0)
        factors = np.where(np.abs(ratio - 1.0) <= _EQUAL, 1.0, ratio)
        costs = np.asarray(self._dump.get("loss") or 1.0 - np.eye(len(share)), dtype=np.float64)
        plain = bool((costs == 1.0 - np.eye(len(share))).all())
        losses = None if plain else tuple(map(tuple, costs.tolist()))
        return Classes(self._name, tuple(self._dump["ylevels"]), tuple(factors.tolist()), (), losses)

    def _moments(self) -> np.ndarray:
        return self._more()[:, 1 : 1 + len(self._dump["ylevels"])]

    def check(self, tree: ReadableTree) -> None:
        theirs = [int(number) - 1 for number, var in zip(self.frame["yval"], self.frame["var"], strict=True)
                  if var == "<leaf>"]  # fmt: skip
        if sorted(theirs) != sorted(tree.value[tree.is_leaf].tolist()):
            raise ModelFileError(
                "the classes that the leaves of this dump say do not follow from its counts, prior and loss."
            )


_READINGS: dict[str, type[_RpartReading]] = {
    "class": _ClassReading, "anova": _RpartReading, "poisson": _RateReading, "exp": _RateReading,
}  # fmt: skip


def _schema(dump: dict[str, Any]) -> Schema:
    """The features in the order of the formula."""
    levels, ordered = dump.get("xlevels") or {}, set(dump.get("ordered") or [])
    features = []
    for name in dump["terms"]:
        kind = NUMERIC if name not in levels else ORDINAL if name in ordered else NOMINAL
        features.append(Feature(name, kind, tuple(levels.get(name, ())), "rpart"))
    return Schema(tuple(features), True)
