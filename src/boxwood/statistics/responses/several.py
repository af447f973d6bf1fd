"""Several responses of a row at once: a node predicts each, measured by the sum of their impurities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn

import numpy as np

from ..._messages import Column, remedy
from ...data.frames.several_targets import columns_of_fit, each_read
from ...errors import ParameterError
from ..exact import Content, Exact
from .addends import Addends
from .classes import Classes
from .means import Means
from .response import Response


@dataclass(frozen=True)
class Several(Response):
    """Several responses of one kind; the moments of a node are those of each, side by side.

    A view that needs one number or class of a node is refused (:meth:`value`): it is for the tree of one response
    (``Tree.of_response``). What a node predicts of all is in :meth:`columns_of`.

    Attributes
    ----------
    responses : tuple of Response
        All numbers (means), or all classes.
    weights : tuple of float
        What the impurity, the risk and the loss of each are multiplied with before they are added.
    """

    in_kernel = True
    part: ClassVar[type[Response]]

    name: str = "y"
    responses: tuple[Response, ...] = ()
    weights: tuple[float, ...] = ()

    @property
    def names(self) -> list[str]:
        """Names of the responses."""
        return [one.name for one in self.responses]

    @property
    def width(self) -> int:
        return sum(one.width for one in self.responses)

    def parts(self, moments: np.ndarray) -> list[tuple[Response, np.ndarray]]:
        """Each response with its moments, shape (..., M) -> (..., M of the response)."""
        ends = np.cumsum([one.width for one in self.responses])[:-1]
        return list(zip(self.responses, np.split(moments, ends, axis=-1), strict=True))

    def by_field(self, predicted: np.ndarray) -> list[tuple[Response, np.ndarray]]:
        """Each response with its columns of predictions, shape (n, F) -> (n, F of the response)."""
        ends = np.cumsum([len(one.fields) for one in self.responses])[:-1]
        return list(zip(self.responses, np.split(predicted, ends, axis=-1), strict=True))

    def _sum(self, find: Callable[[Response, np.ndarray], np.ndarray], moments: np.ndarray) -> np.ndarray:
        """The weighted sum over the responses of what is found of each, in their order."""
        found = [w * find(*part) for w, part in zip(self.weights, self.parts(moments), strict=True)]
        return sum(found[1:], found[0])

    # Rows.

    def read(self, y: Any) -> np.ndarray:
        columns = columns_of_fit(y, self.names)
        places = dict(zip(self.names, self.responses, strict=True))
        return np.column_stack(each_read(columns, lambda name, column: places[name].read(column)))

    def exact(self, y: np.ndarray, weight: np.ndarray | None, exposure: np.ndarray | None) -> Exact:
        parts = tuple(one.exact(column, weight, None) for one, column in zip(self.responses, y.T, strict=True))
        return Exact(self.kind, len(y), parts[0].weight, parts[0].unit, parts=parts)

    def for_kernel(self) -> dict:
        return super().for_kernel() | {"kind": "several"}

    def rows_for_kernel(self, exact: Exact) -> dict:
        """A column for each number, or for each class 1 in its rows and 0 in others, with its unit and its factor."""
        found = zip(self.weights, self._exact_parts(exact), strict=True)
        columns, factors, centers, scales = zip(*(self._columns(w, *part) for w, part in found), strict=True)
        names = {"factors": factors, "centers": centers, "scales": scales}
        rows = np.ascontiguousarray(np.hstack(columns))
        of_columns = {name: np.concatenate(values) for name, values in names.items()}
        lows = None if self.n_classes else np.column_stack([part.low for part in exact.parts]).ravel()
        found = {"rows": rows.ravel(), "lows": lows, "n_columns": rows.shape[1], "n_classes": self.n_classes}
        return found | of_columns

    @staticmethod
    def _columns(weight: float, one: Response, exact: Exact) -> tuple[np.ndarray, ...]:
        """Whole numbers of a response, int64, shape (n, c); their factors, centers and scales, float64, shape (c,)."""
        raise NotImplementedError

    @property
    def n_classes(self) -> int:
        return sum(len(one.labels) for one in self.responses)

    def content(self, exact: Exact) -> Content:
        found = [
            (kind, values)
            for one, part in self._exact_parts(exact)
            for kind, values in zip(one.content_kinds(weighted=False), one.as_columns(part), strict=True)
        ]
        weighted = [] if exact.weight is None else [("numeric", exact.weight.astype(np.float64))]
        return found + weighted

    def truth(self, exact: Exact) -> np.ndarray:
        return np.column_stack([one.truth(part) for one, part in self._exact_parts(exact)])

    def addends(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> Addends:
        found = [one.addends(part, unit, rows, weight) for one, part in self._exact_parts(exact)]
        ends = np.cumsum([each.parts.shape[1] for each in found])[:-1]

        def moments(sums: np.ndarray) -> np.ndarray:
            split = np.split(sums, ends, axis=-1)
            return np.concatenate([each.moments(s) for each, s in zip(found, split, strict=True)], axis=-1)

        return Addends(np.concatenate([each.parts for each in found], axis=1), moments)

    def node_moments(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
        found = [one.node_moments(part, unit, rows, weight) for one, part in self._exact_parts(exact)]
        return np.concatenate(found)

    def all_equal(self, exact: Exact, rows: np.ndarray) -> bool:
        return all(one.all_equal(part, rows) for one, part in self._exact_parts(exact))

    def _exact_parts(self, exact: Exact) -> list[tuple[Response, Exact]]:
        return list(zip(self.responses, exact.parts, strict=True))

    def with_root(self, exact: Exact) -> Several:
        """The responses with weights over the impurity of each in these rows, 0 where it has none."""
        rows = np.arange(exact.n)
        weight = np.ones(exact.n, dtype=np.int64) if exact.weight is None else exact.weight
        node = self.addends(exact, exact.unit, rows, weight)
        whole = node.moments(node.parts.sum(axis=0))[None]
        impurity = [float(one.impurity(part, self.measures[0])[0]) for one, part in self.parts(whole)]
        weights = [w / of if of > 0 else 0.0 for w, of in zip(self.weights, impurity, strict=True)]
        return replace(self, weights=tuple(weights))

    # Moments of nodes.

    def weight(self, moments: np.ndarray) -> np.ndarray:
        one = self.responses[0]
        return one.weight(moments[..., : one.width])

    def union(self, parts: np.ndarray) -> np.ndarray:
        return np.concatenate([one.union(part) for one, part in self.parts(parts)])

    def rest(self, whole: np.ndarray, parts: np.ndarray) -> np.ndarray:
        of_whole = [part for _, part in self.parts(whole)]
        found = zip(of_whole, self.parts(parts), strict=True)
        return np.concatenate([one.rest(node, part) for node, (one, part) in found])

    def is_mixed(self, moments: np.ndarray) -> np.ndarray:
        return np.any([one.is_mixed(part) for one, part in self.parts(moments)], axis=0)

    def smoothed(self, root: np.ndarray, rows: int, how: str | float | None) -> Response:
        return replace(self, responses=tuple(one.smoothed(part, rows, how) for one, part in self.parts(root)))

    def place(self, moments: np.ndarray) -> np.ndarray:
        """Levels along the principal direction of the means of all responses, shape (V,)."""
        weight, columns = self.weight(moments), self._weighed_columns(moments)
        off = columns - weight @ columns / weight.sum()
        vector = np.linalg.eigh((off * weight[:, None]).T @ off)[1][:, -1]
        largest = int(np.argmax(np.abs(vector) * (1 + 1e-9) >= np.abs(vector).max()))
        return columns @ (vector * np.sign(vector[largest]))

    def _weighed_columns(self, moments: np.ndarray) -> np.ndarray:
        """Means and shares of nodes, each times the root of its weight, shape (n, columns)."""
        found = zip(self.weights, self.parts(moments), strict=True)
        return np.hstack([np.sqrt(w) * one.predicts_of(part) for w, (one, part) in found])

    # What a node predicts.

    def need_one(self, what: str) -> None:
        if what not in _OF_ALL:
            self.refuse(what)

    def refuse(self, what: Any = None) -> NoReturn:
        """Refuse what reads one response.

        Raises
        ------
        ParameterError
        """
        names = [part for name in self.names for part in (", ", Column(name))][1:]
        view, count = what if isinstance(what, str) else "this", len(self.responses)
        raise ParameterError(
            f"{view} reads one response, and the model predicts {count}: ", *names, "; ",
            remedy(f"take one of them: of_response({self.names[0]!r}), or the command boxwood response."),
        )  # fmt: skip

    value = amounts = interval = spread = label = as_given = further_of = probability = refuse

    def predicts_of(self, moments: np.ndarray) -> np.ndarray:
        return np.hstack([one.predicts_of(part) for one, part in self.parts(moments)])

    def columns_of(self, tree: Any) -> np.ndarray:
        return self.predicts_of(tree.moments[tree.moments_node])

    def predicted_at(self, tree: Any, nodes: np.ndarray) -> np.ndarray:
        return self.decide(self.columns_of(tree)[nodes])

    def by_response(self, probability: np.ndarray) -> list[np.ndarray]:
        raise ParameterError("this tree predicts several means: it has no probability; use their values.")

    def need_classes(self, otherwise: str) -> None:
        self.refuse()

    def decide(self, predicted: np.ndarray) -> np.ndarray:
        return np.column_stack([one.decide(columns) for one, columns in self.by_field(predicted)])

    def labelled(self, value: np.ndarray, classes: np.ndarray) -> np.ndarray:
        return value

    # Impurity.

    def filled_impurity(self, moments: np.ndarray, measure: str) -> np.ndarray:
        return self._sum(lambda one, part: one.filled_impurity(part, measure), moments)

    def decrease(self, measure: str, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
        of_parent = [part for _, part in self.parts(parent)]
        found = zip(self.weights, self.parts(children), of_parent, strict=True)
        return sum(w * one.decrease(measure, part, node) for w, (one, part), node in found)

    def unit_of_scores(self, node: np.ndarray) -> float:
        return float(self.impurity(node[None], self.measures[0])[0])

    def check_moments(self, moments: np.ndarray, empty: np.ndarray) -> Iterator[tuple[np.ndarray, str]]:
        for one, part in self.parts(moments):
            yield from one.check_moments(part, empty)
        weights = [one.weight(part) for one, part in self.parts(moments)]
        unequal = [np.abs(weight - weights[0]) > _ROUNDING * weights[0] for weight in weights[1:]]
        yield np.any(unequal, axis=0), "the responses have different weights"


class SeveralNumbers(Several):
    """Several numbers, each by its variance."""

    kind = "numbers"
    part = Means
    measures = Means.measures
    losses = Means.losses
    risks = Means.risks
    described = evaluated = "several numbers"
    moment_names = ()
    sections = ()

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(self.names)

    @staticmethod
    def _columns(weight: float, one: Response, exact: Exact) -> tuple[np.ndarray, ...]:
        of = np.array([[weight * exact.scale * exact.scale], [exact.center], [exact.scale]])
        return exact.high[:, None], *of


class SeveralClasses(Several):
    """Several classes, each by its Gini impurity."""

    kind = "classifications"
    part = Classes
    measures = ("gini",)
    losses = MappingProxyType({name: Classes.losses[name] for name in ("brier", "log_loss", "error")})
    risks = Classes.risks
    repeats = True
    described = evaluated = "several classes"
    moment_names = ()
    sections = ()

    def plain_loss(self) -> str:
        return "error"

    def by_response(self, probability: np.ndarray) -> list[np.ndarray]:
        return [columns for _, columns in self.by_field(probability)]

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(f"p_{one.name}_{label}" for one in self.responses for label in one.labels)

    @staticmethod
    def _columns(weight: float, one: Response, exact: Exact) -> tuple[np.ndarray, ...]:
        k = len(one.labels)
        return (exact.codes[:, None] == np.arange(k)).astype(np.int64), np.full(k, weight), np.zeros(k), np.ones(k)

    def labelled(self, value: np.ndarray, classes: np.ndarray) -> np.ndarray:
        columns = [np.asarray(one.labels)[value[:, r].astype(np.int64)] for r, one in enumerate(self.responses)]
        kinds = {column.dtype.kind for column in columns}
        return np.column_stack(columns if len(kinds) == 1 else [column.astype(object) for column in columns])


#: What shows all responses although it needs leaves that predict constants.
_OF_ALL = frozenset({"predict_fields", "explain", "explore", "export", "verify_export"})
#: Weights of the responses of a node may differ by rounding, as a share.
_ROUNDING = 1e-9
