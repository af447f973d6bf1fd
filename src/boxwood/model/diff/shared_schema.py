"""The features of two models in one schema: those of both by name, with the levels of both."""

from __future__ import annotations

from dataclasses import replace

from ..._messages import Column, Message, remedy
from ...data.columns.schema import NOMINAL, Feature, Schema
from ...errors import DataError
from ...exports.plan import ExportPlan


def shared_schema(first: ExportPlan, second: ExportPlan) -> Schema:
    """The features of the first model in its order, then those that only the second has.

    Raises
    ------
    DataError
        A feature that both trees test is read in another manner by the second, or features without names differ in
        number; the message names it.
    """
    if not (first.schema.named or second.schema.named) and len(first.schema) != len(second.schema):
        raise DataError(
            f"the first model has {len(first.schema)} features without names and the second {len(second.schema)}; ",
            remedy("fit both to tables with names of columns"), ".",
        )  # fmt: skip
    place = {name: j for j, name in enumerate(second.schema.names)}
    found = []
    for j, feature in enumerate(first.schema):
        k = place.pop(feature.name, None)
        if k is None:
            found.append(feature)
        elif j in first.features and k in second.features:
            found.append(_joined(feature, second.schema[k]))
        else:
            found.append(second.schema[k] if k in second.features else feature)
    return Schema((*found, *(second.schema[k] for k in place.values())), first.schema.named or second.schema.named)


def _joined(one: Feature, other: Feature) -> Feature:
    """One feature of both, with the levels of both; ordered levels that differ have no common order."""
    scales = one.type.scale, other.type.scale
    if one.kind != other.kind or scales[0][0] != scales[1][0]:
        raise _unlike(one, f"is {one.kind_name} in the first model and {other.kind_name} in the second")
    if scales[0] != scales[1]:
        raise _unlike(one, "is counted in another unit or time zone by the second model than by the first")
    if one.missing_values != other.missing_values:
        raise _unlike(one, "has other codes for missing values in the second model than in the first")
    one = replace(one, integer=one.integer and other.integer, zero_one=one.zero_one and other.zero_one)
    if one.levels == other.levels:
        return one
    more = tuple(level for level in other.levels if level not in one.code_of)
    return replace(one, kind=NOMINAL, levels=one.levels + more)


def _unlike(feature: Feature, how: str) -> DataError:
    return DataError(
        Message(Column(feature.name, "column"), f" {how}, so that their splits cannot be compared; "),
        remedy("fit both to columns that are read alike"), ".",
    )  # fmt: skip
