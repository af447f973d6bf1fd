"""y of rows: read, in exact whole numbers, and what each row adds to the moments of a node."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..._messages import Setting, remedy
from ...data.columns.schema import NUMERIC
from ...data.frames.target import read_numbers
from ...errors import ParameterError
from ..exact import Content, Exact, exact_terms
from .addends import Addends, addends_of_terms


class ResponseRows:
    """The part of :class:`boxwood.statistics.responses.response.Response` that is about rows."""

    kind: ClassVar[str]
    n_terms: ClassVar[int] = 2
    takes_exposure: ClassVar[bool] = False
    adds_up: ClassVar[bool] = True
    value_name: ClassVar[str]

    @property
    def width(self) -> int:
        """Number of moments of a node."""
        return 1 + self.n_terms

    def need_sums(self, what: str) -> None:
        """Refuse what needs moments that add up where those of this kind do not.

        Raises
        ------
        ParameterError
        """
        if not self.adds_up:
            raise ParameterError(
                f"{what} needs sums over rows, and the {self.value_name} of a node is none; ",
                remedy("use ", Setting("criterion", "variance"), " with it."),
            )  # fmt: skip

    def read(self, y: Any) -> np.ndarray:
        """y of rows as users give it, in the terms of a fitted tree: numbers, or numbers of classes; shape (n,).

        Raises
        ------
        ResponseError
        """
        return read_numbers(y)

    def check(self, y: np.ndarray) -> None:
        """Refuse numbers y, finite float64 of shape (n,), that this kind of response cannot be.

        Raises
        ------
        ResponseError
        """

    def terms(self, y: np.ndarray, exposure: np.ndarray) -> tuple[np.ndarray, ...]:
        """What each row adds to the moments per unit of its weight: ``n_terms`` arrays (at most 3), shape (n,)."""
        raise NotImplementedError(f"{type(self).__name__} needs a method terms().")

    def exact(self, y: np.ndarray, weight: np.ndarray | None, exposure: np.ndarray | None) -> Exact:
        """y of n rows as whole numbers; weights of None are 1, exposures of None too."""
        exposure = np.ones(len(y)) if exposure is None else exposure
        return exact_terms(self.kind, self.terms(y, exposure), weight)

    def for_kernel(self) -> dict:
        """What the kernel reads of the response besides whole numbers, labels and factors."""
        return {"kind": self.kind, "power": 1.0}

    def rows_for_kernel(self, exact: Exact) -> dict:
        """What the kernel reads of rows besides the whole numbers that all kinds have."""
        return {}

    def content(self, exact: Exact) -> Content:
        """What a row holds besides its features, by which it is drawn into folds: y, and its weight if it has one."""
        weights = [] if exact.weight is None else [exact.weight.astype(np.float64)]
        columns = [*self.as_columns(exact), *weights]
        return list(zip(self.content_kinds(bool(weights)), columns, strict=True))

    def content_kinds(self, weighted: bool) -> list[str]:
        """Kinds of the columns of :meth:`content`."""
        return [NUMERIC] * (1 + self.takes_exposure + weighted)

    def as_columns(self, exact: Exact) -> list[np.ndarray]:
        """y of each row, and its exposure, as columns."""
        return [term.astype(np.float64) for term in (exact.high, exact.low)[: 1 + self.takes_exposure]]

    def strata(self, exact: Exact) -> np.ndarray:
        """Number of the stratum of each row, from each of which as large a share is drawn; shape (n,)."""
        return np.zeros(exact.n, dtype=np.int32)

    def truth(self, exact: Exact) -> np.ndarray:
        """y of each row back from exact numbers, as :meth:`row_losses` reads it."""
        if self.takes_exposure:
            return np.column_stack((exact.high * exact.scale, exact.low * exact.low_scale))
        return exact.high * exact.scale

    def with_exposure(self, y: np.ndarray, exposure: np.ndarray | None) -> np.ndarray:
        """y as :meth:`row_losses` reads it: numbers, or exposure and y in two columns."""
        if not self.takes_exposure:
            return y
        return np.column_stack((np.ones(len(y)) if exposure is None else exposure, y))

    def split(self, y: np.ndarray) -> tuple[Any, np.ndarray | None]:
        """y of rows as users give it, and the exposure, from what :meth:`with_exposure` returned."""
        return (y[:, 1], y[:, 0]) if self.takes_exposure else (y, None)

    def addends(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> Addends:
        """What rows (int64, shape (n,)) with whole weights (int64, shape (n,)) of a unit add to sums."""
        return addends_of_terms(exact, unit, rows, weight)

    def node_moments(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Moments of a node with some rows, shape (M,), each rounded once."""
        if not len(rows):
            return np.zeros(self.width)
        node = self.addends(exact, unit, rows, weight)
        return node.moments(node.parts.sum(axis=0))

    def all_equal(self, exact: Exact, rows: np.ndarray) -> bool:
        """Whether y, or y per exposure, is the same in all rows, so that no split can help."""
        if not self.takes_exposure:
            return bool((exact.high[rows] == exact.high[rows[0]]).all())
        exposure, y = exact.high[rows].astype(object), exact.low[rows].astype(object)
        return bool((y * exposure[0] == y[0] * exposure).all())

    @staticmethod
    def weight_of_words(words: np.ndarray) -> np.ndarray:
        """Weight behind the kernel's sums, int64, shape (n, S) -> (n,)."""
        return np.ascontiguousarray(words[:, 0])

    @staticmethod
    def joined_ends(ends: tuple[np.ndarray, np.ndarray], words: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """What the kernel holds of y in each node besides its sums (``words``), of two shards together."""
        raise NotImplementedError("the kernel has no sums of this kind of y.")
