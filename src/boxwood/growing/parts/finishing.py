"""From provisional to final numbers, when the survey is complete: codes, levels, whole weights, y in fixed point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce

import numpy as np

from ..._messages import Setting, remedy
from ...data.columns.schema import MISSING, NAMES_ROWS, NUMERIC, Schema
from ...data.streams.survey import ColumnSummary
from ...data.streams.surveyed_codes import final_codes
from ...errors import WeightError
from ...statistics.exact import Exact
from ...statistics.exact_sums import exact_sums, rounded
from ...statistics.fixed_point import MeanScale, RateScale, WeightScale, WeightSummary, multiples
from ...statistics.responses.class_weights import class_weights
from ..memory.binned import bins_of
from ..shards.part import MISSING_CODE, coarse_codes
from .bin_counts import added, counted
from .binning import thresholds_of
from .coarse_cuts import cuts_of
from .memory_part import MemoryPart
from .part_file import PartFile
from .survey import Counts, Labels, Survey


@dataclass(frozen=True, eq=False)
class Weighting:
    """What the weight of a row is.

    Attributes
    ----------
    of_class : sequence of K floats, or None
        Factor of each class; only for classes.
    shift : int
        Extreme weights are divided by this power of two, which changes no tree.
    """

    of_class: Sequence[float] | np.ndarray | None = None
    shift: int = 0

    @property
    def class_weights(self) -> tuple[float, ...]:
        """The factors as a response records them: nothing where all are 1."""
        return class_weights(self.of_class)

    def of(self, part: PartFile | MemoryPart, label_codes: np.ndarray | None) -> np.ndarray | None:
        """The weight of each row of a part, float64, shape (n,); None when no row has one."""
        weight = part.get("weight") if "weight" in part.sections else None
        if self.of_class is not None:
            factor = np.asarray(self.of_class)[label_codes[part.get("y")]]
            weight = factor if weight is None else factor * weight
        return weight if weight is None or not self.shift else np.ldexp(weight, -self.shift)


@dataclass(frozen=True)
class Weighed:
    """What is known of the weights of some rows.

    Attributes
    ----------
    stats : WeightSummary
    masses : tuple of int
        Exact sum of weights of each class; of all rows where there are no classes.
    """

    stats: WeightSummary
    masses: tuple[int, ...]

    def merged(self, other: Weighed) -> Weighed:
        """Of both."""
        masses = tuple(a + b for a, b in zip(self.masses, other.masses, strict=True))
        return Weighed(self.stats.merged(other.stats), masses)


@dataclass(frozen=True, eq=False)
class PartsPlan:
    """How provisional numbers become final.

    Attributes
    ----------
    schema : Schema
    cuts : tuple of (float64 array or None)
        Of each numeric feature.
    labels : tuple
        Classes in order; empty for a numeric target.
    weighting : Weighting
    weights : WeightScale
    target_scale : MeanScale, RateScale or None
        Of a numeric target or a count.
    masses : tuple of float
        Sum of weights of each class.
    long : frozenset of int
        Features with whole numbers beyond 2**53, which have low parts.
    thresholds : dict of int to float64 array
        Behind each bin of the features that are learned from as numbers of bins (``max_bins``).
    class_rows : tuple of int
        Number of rows of each class; empty at the workers of a cluster.
    """

    schema: Schema
    cuts: tuple[np.ndarray | None, ...]
    labels: tuple
    weighting: Weighting
    weights: WeightScale
    target_scale: MeanScale | RateScale | None
    masses: tuple[float, ...]
    long: frozenset[int] = frozenset()
    thresholds: dict[int, np.ndarray] = field(default_factory=dict)
    class_rows: tuple[int, ...] = ()

    def scaling(self, kind: str, n: int) -> Exact:
        """The fixed point of the response of n rows, without arrays."""
        return Exact(kind, n, unit=self.weights.unit, **({} if self.target_scale is None else self.target_scale.scales))


class Finisher:
    """Puts provisional parts into final numbers.

    Parameters
    ----------
    survey : Survey
        Of these parts: its order of levels is that of the provisional numbers.
    parts : list of PartFile or MemoryPart
    each : callable
        (function, parts) -> results in order: `map`, or one that uses threads.
    """

    def __init__(self, survey: Survey, parts: list[PartFile | MemoryPart], each: Callable = map):
        self.survey, self.parts, self._each = survey, parts, each

    def weighed(self, weighting: Weighting, labels: tuple) -> Weighed | None:
        """What is known of the weights of these rows; None when they have none. Rows of weight 0 are taken out."""
        codes = self._label_codes(labels)

        def weigh(part: PartFile | MemoryPart) -> Weighed | None:
            weight = weighting.of(part, codes)
            if weight is None:
                return None
            if not np.isfinite(weight).all():
                raise WeightError(
                    Setting("class_weight"), " times ", Setting("sample_weight"), " is too large for a float; ",
                    remedy("give smaller numbers."),
                )  # fmt: skip
            if not weight.all():
                part.keep(weight > 0)
                weight = weight[weight > 0]
            groups = None if codes is None else codes[part.get("y")]
            return (
                Weighed(WeightSummary.of(weight), tuple(exact_sums(weight, groups, max(len(labels), 1))))
                if part.n
                else None
            )

        found = merged(self._each(weigh, self.parts))
        self.parts[:] = [part for part in self.parts if part.n]
        self.survey.kept = sum(part.n for part in self.parts)
        return found

    def multiples(self, weighting: Weighting, labels: tuple, units: Sequence[float]) -> list[bool]:
        """Whether all weights of these rows are whole multiples of each unit."""
        codes = self._label_codes(labels)
        found = self._each(lambda part: multiples(weighting.of(part, codes), units), self.parts)
        return [all(fits) for fits in zip(*found, strict=True)] if self.parts else [True] * len(units)

    def bin_counts(self, request: str, arguments: dict, weighting: Weighting, labels: tuple) -> dict | None:
        """Counts from these rows for where columns are cut into bins (:mod:`.bin_counts`); None when there are none."""
        if weighting.of_class is not None and not weighting.of_class.all():
            self.weighed(weighting, labels)  # rows of weight 0 do not count
        found = self._each(lambda part: counted(request, arguments, lambda j: part.get(f"x{j}")), self.parts)
        return reduce(partial(added, request), found) if self.parts else None

    def finish(self, plan: PartsPlan) -> bool:
        """Write the final numbers of all parts; whether any value is missing in them."""
        levels = [
            None if feature.kind == NUMERIC else final_codes(column, feature.levels)
            for column, feature in zip(self.survey.columns, plan.schema, strict=True)
        ]
        codes = self._label_codes(plan.labels)
        return any(list(self._each(lambda part: _finish(part, plan, levels, codes), self.parts)))

    def _label_codes(self, labels: tuple) -> np.ndarray | None:
        response = self.survey.response
        return label_positions(response.column, labels) if isinstance(response, Labels) else None


def label_positions(column: ColumnSummary, labels: tuple) -> np.ndarray:
    """Class of each label that a survey saw, int32; -1 for those declared that no row has."""
    position = {label: i for i, label in enumerate(labels)}
    return np.array([position.get(label, MISSING) for label in column.counts], dtype=np.int32)


def merged(found: Iterable[Weighed | None]) -> Weighed | None:
    """Of all that are not None."""
    total = None
    for one in found:
        if one is not None:
            total = one if total is None else total.merged(one)
    return total


def _finish(
    part: PartFile | MemoryPart, plan: PartsPlan, levels: list[np.ndarray | None], label_codes: np.ndarray | None
) -> bool:
    """Write the final numbers of a part; whether a value is missing."""
    out, has_missing = {}, False
    for j, feature in enumerate(plan.schema):
        name = f"x{j}"
        values = part.get(name)
        if j not in plan.long:
            part.sections.pop(f"l{j}", None)
        elif f"l{j}" not in part.sections:
            part.put({f"l{j}": np.zeros(part.n)})
        if feature.why == NAMES_ROWS:
            values = np.zeros(part.n, dtype=np.float32)
            part.put({name: values})
        if levels[j] is not None:
            out[name] = levels[j][values]
            has_missing |= bool((out[name] == MISSING).any())
            continue
        if values.dtype.kind == "i":  # a part without any value: -1 in every bit, which is a NaN of float32
            values = values.view(np.float32)
            part.put({name: values})
        if j in plan.thresholds:
            values = bins_of(values, plan.thresholds[j]).astype(np.float32)
            part.put({name: values})
        out[f"c{j}"] = coarse_codes(values, plan.cuts[j])
        has_missing |= bool((out[f"c{j}"] == MISSING_CODE).any())
        part.put({f"c{j}": out.pop(f"c{j}")})
    weight = plan.weighting.of(part, label_codes)
    whole = None if weight is None else plan.weights.whole(weight)
    if whole is not None:
        out["weight"] = whole
    else:
        part.sections.pop("weight", None)
    y = part.get("y")
    if plan.target_scale is None:
        out["y"] = label_codes[y]
    else:
        out |= _in_fixed_point(part, y, plan.target_scale)
    part.put(out)
    return has_missing


def _in_fixed_point(part: PartFile | MemoryPart, y: np.ndarray, scale: MeanScale | RateScale) -> dict[str, np.ndarray]:
    """Numbers, or events with the exposures of a part, as whole numbers; ``y`` has the high part or the exposure."""
    if isinstance(scale, MeanScale):
        found = scale.arrays(y)
    else:
        found = scale.arrays(part.get("exposure") if "exposure" in part.sections else np.ones(part.n), y)
        part.sections.pop("exposure", None)
    return {"y": found.pop("high"), **found}


def scale_of(
    finisher: Finisher, weighting: Weighting, labels: tuple, most_bits: int
) -> tuple[Weighting, WeightScale, Weighed | None]:
    """The scale of the weights of all rows, extreme ones bounded."""
    found = finisher.weighed(weighting, labels)
    if found is None:
        return weighting, WeightScale(ones=True), None
    exponent = int(np.frexp(found.stats.most)[1])
    if abs(exponent) > 500:
        weighting = replace(weighting, shift=exponent)
        found = finisher.weighed(weighting, labels)
    stats = found.stats
    if stats.unit_known is not None:
        return weighting, stats.unit_known, found
    units = stats.candidates
    for unit, fits in zip(units, finisher.multiples(weighting, labels, units) if units else (), strict=True):
        if fits:
            return weighting, WeightScale(unit), found
    return weighting, stats.by_bits(sum(found.masses), most_bits), found


def plan_of(finisher: Finisher, schema: Schema, of_class: np.ndarray | None, max_bins: int | None = None) -> PartsPlan:
    """The plan for the parts of a finisher of them all; ``max_bins``: into so many bins numbers are cut."""
    response = finisher.survey.response
    classes = isinstance(response, Labels)
    labels = response.labels() if classes else ()
    class_rows = tuple(response.column.counts[label] for label in labels)
    weighting, weights, found = scale_of(finisher, Weighting(of_class), labels, 53 if classes else 40)
    masses = response.mass() if classes and found is None else [rounded(m) for m in found.masses] if found else ()
    target_scale = None
    if isinstance(response, Counts):
        target_scale = response.scale
    elif not classes:
        target_scale = MeanScale.of(response.kept_least, response.kept_most)
    long = frozenset(j for j, column in enumerate(finisher.survey.columns) if column.keeps_low)
    binned = [j for j, f in enumerate(schema) if f.kind == NUMERIC and f.why != NAMES_ROWS and j not in long]
    binned = [] if max_bins is None else binned
    thresholds = thresholds_of(lambda *arguments: finisher.bin_counts(*arguments, weighting, labels), binned, max_bins)
    cuts = cuts_of(finisher.survey, schema, thresholds)
    return PartsPlan(
        schema, cuts, labels, weighting, weights, target_scale, tuple(map(float, masses)), long, thresholds, class_rows
    )
