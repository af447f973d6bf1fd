"""How the page holds each kind of feature: what it is, its splits as short lists, its values in given rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from ...data.columns.distinct import distinct
from ...data.columns.kinds.kind import ByKind
from ...data.columns.schema import Feature, Schema
from ...data.columns.temporal import NANOSECONDS
from ...data.columns.written_numbers import marks_of, pattern_of
from ...exports.kinds import feature_cut
from ...tree.split import SplitTable
from ...tree.tree import Tree
from ...views.kinds import VALUE_WORDS
from .json_numbers import level, number, numbers

#: Shares of the rows at which a slider has ticks.
QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


class PageKind(ABC):
    """One kind of feature on the page; ``scripts`` are those that only this kind needs."""

    scripts: ClassVar[tuple[str, ...]] = ()

    def scripts_of(self, feature: Feature) -> tuple[str, ...]:
        """Scripts that not every page needs."""
        return self.scripts

    def described(self, feature: Feature) -> dict:
        """What the page needs to know beyond name, kind and levels."""
        return {}

    def held(self, feature: Feature, positions: np.ndarray) -> np.ndarray:
        """The levels of a tested feature that the page holds; its splits list ``positions``."""
        return np.arange(len(feature.levels))

    def cut_words(self, feature: Feature, value: float, low: float) -> str | None:
        """The words of a threshold, where a script would not write the same number."""
        return None

    @abstractmethod
    def counts(self, feature: Feature, values: np.ndarray, held: np.ndarray) -> dict:
        """The distribution of a column in given rows; of levels only those that the page holds."""

    def split(self, feature: Feature, table: SplitTable, s: int) -> list:
        """A split behind its feature; see :func:`packed_split`."""
        cuts = slice(table.breaks_start[s], table.breaks_start[s + 1])
        pairs = zip(table.breaks[cuts].tolist(), table.breaks_low[cuts].tolist(), strict=True)
        breaks = [
            number(cut) if low == 0.0 else [number(cut), number(low)] for cut, low in self._counted(feature, pairs)
        ]
        branches = table.index_of(s).tolist()
        return [breaks] if branches == list(range(len(breaks) + 1)) else [breaks, branches]

    def _counted(self, feature: Feature, pairs: Iterable) -> Iterable:
        """Cuts in the units in which the page counts."""
        return pairs


class NumberPage(PageKind):
    """Numbers; ``written_scripts`` read those of a form."""

    written_scripts = ("numbers.js",)

    def scripts_of(self, feature: Feature) -> tuple[str, ...]:
        return self.scripts if feature.written is None else self.written_scripts

    def described(self, feature: Feature) -> dict:
        if feature.written is None:
            return {"zero_one": True} if feature.zero_one else {}
        units, _, decimal = marks_of(feature.written.form)
        return {"form": {"pattern": pattern_of(feature.written.form), "units": list(units), "decimal": decimal}}

    def cut_words(self, feature: Feature, value: float, low: float) -> str | None:
        text = VALUE_WORDS.of(feature).value(feature, value)
        return text if low == 0.0 and text != repr(value).removesuffix(".0") else None

    def counts(self, feature: Feature, values: np.ndarray, held: np.ndarray) -> dict:
        finite = values[np.isfinite(values)]
        # Values that occur, not values between: a tick can then be typed as it is shown.
        ticks = np.quantile(finite, QUANTILES, method="inverted_cdf") if len(finite) else np.zeros(0)
        return {"ticks": numbers(ticks)}


class TimePage(NumberPage):
    """Dates, times and durations, which the page counts in units of the resolution."""

    scripts = ("times.js",)

    def described(self, feature: Feature) -> dict:
        temporal = feature.temporal
        size = NANOSECONDS[temporal.resolution]
        return {"time": {"kind": temporal.kind, "size": size, "zone": temporal.zone or ""}}

    def cut_words(self, feature: Feature, value: float, low: float) -> str | None:
        return None

    def _counted(self, feature: Feature, pairs: Iterable) -> Iterable:
        for pair in pairs:
            cut = feature_cut(feature, *pair)
            yield float(cut), float(cut - int(float(cut))) if isinstance(cut, int) else 0.0


class OrderPage(PageKind):
    """Levels in order."""

    def counts(self, feature: Feature, values: np.ndarray, held: np.ndarray) -> dict:
        return {"counts": np.bincount(values[values >= 0], minlength=len(feature.levels))[held].tolist()}


class SetPage(OrderPage):
    """Levels without order: the page holds those that some split lists."""

    def held(self, feature: Feature, positions: np.ndarray) -> np.ndarray:
        return distinct(positions)

    def described(self, feature: Feature) -> dict:
        return {"rank": feature.natural_rank} if feature.natural_rank else {}

    def split(self, feature: Feature, table: SplitTable, s: int) -> list:
        at = slice(table.index_start[s], table.index_start[s + 1])
        return [0, table.position[at].tolist(), table.index[at].tolist()]


PAGE: ByKind[PageKind] = ByKind(numeric=NumberPage(), ordinal=OrderPage(), nominal=SetPage(), temporal=TimePage())


def levels_held(tree: Tree) -> list[np.ndarray]:
    """For each feature, the positions of the levels that the page holds, rising; none where no split tests it."""
    feature, position = (
        np.concatenate([getattr(table, name) for table in (tree.splits, tree.surrogates)])
        for name in ("feature", "position")
    )
    sizes = np.concatenate([np.diff(table.index_start) for table in (tree.splits, tree.surrogates)])
    of_feature, tested = np.repeat(feature, sizes), set(distinct(feature).tolist())
    return [
        PAGE.of(about).held(about, position[of_feature == j]) if j in tested else np.zeros(0, dtype=np.int64)
        for j, about in enumerate(tree.schema)
    ]


def level_facts(feature: Feature, held: np.ndarray) -> dict:
    """The levels that the page holds, with their positions where these are not all."""
    found = {"levels": [level(feature.levels[i]) for i in held.tolist()]}
    return found if len(held) == len(feature.levels) else found | {"held": held.tolist()}


def packed_split(table: SplitTable, s: int, schema: Schema) -> list:
    """Split ``s`` of a table as a list; its shape identifies its kind.

    Nominal: ``[feature, 0, positions, branches]``. Else ``[feature, breaks]`` when interval i goes down branch i,
    else ``[feature, breaks, branches]``; a break is a number, or ``[number, rest]`` where one does not hold it.
    """
    j = int(table.feature[s])
    return [j, *PAGE.of(schema[j]).split(schema[j], table, s)]
