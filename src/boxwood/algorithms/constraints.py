"""Reads the settings that limit which features may split a node, and in which order predictions are along them."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

from .._messages import Column, Phrase, Setting, must_be, remedy
from ..data.columns.schema import Schema
from ..data.columns.signs import known_names, signs_of
from ..errors import ParameterError
from ..growing.constraints import FREE, FeatureConstraints
from .fitting.forced_splits import check_forced

_SETTINGS = ("monotonic_cst", "interaction_cst", "forbidden_features")
_GROUPS = "'pairwise', 'no_interactions' or a list of lists of features that may interact"
#: Names of limits on the number of different features on a path.
_ON_PATH = {"no_interactions": 1, "pairwise": 2}
#: Groups that the kernel has bits for.
_MOST_GROUPS = 64
#: Settings of which predictions are not those of leaves, or not their means, and what to set instead.
_IN_ORDER: dict[str, tuple[tuple[Any, ...], Any]] = {
    "compat": (("rpart",), None),
    "missing": (("stay", "surrogate_or_stay"), "surrogate"),
    "unseen": (("stay",), "missing"),
}


def constraints_of(settings: Mapping, schema: Schema) -> FeatureConstraints:
    """The constraints of a fit; forced splits that do not fit them are refused.

    Raises
    ------
    ParameterError
        A setting does not fit the features, or another setting.
    """
    found = _of_features(settings, schema)
    if settings["forced_splits"] is not None:
        check_forced(settings, schema, found)
    return found


def _of_features(settings: Mapping, schema: Schema) -> FeatureConstraints:
    """What is required of each feature."""
    order, given, forbidden = (settings[name] for name in _SETTINGS)
    if order is None and given is None and forbidden is None:
        return FREE
    monotonic = () if order is None else signs_of(order, schema)
    if any(monotonic):
        _check_order(settings)
    never = places_of(() if forbidden is None else forbidden, schema, "forbidden_features")
    groups, most = groups_of(given, schema)
    interact = set() if not groups else set().union(*(places_of(one, schema, "interaction_cst") for one in given))
    for j in sorted(never):
        _check_never(schema.names[j], any(monotonic) and monotonic[j] != 0, j in interact)
    if len(never) == len(schema):
        raise ParameterError(Setting("forbidden_features"), " names every feature; ", remedy("leave one out."))
    if never:
        masks = groups or (1,) * len(schema)
        groups = tuple(0 if j in never else mask for j, mask in enumerate(masks))
    return FeatureConstraints(monotonic if any(monotonic) else (), groups, most)


def groups_of(given: Any, schema: Schema) -> tuple[tuple[int, ...], int]:
    """A bit for each group of each feature, and how many features a path may test at most, from ``interaction_cst``.

    Features that no group names are a group of their own together, as in scikit-learn.

    Raises
    ------
    ParameterError
    """
    if given is None:
        return (), 0
    if isinstance(given, str) and given in _ON_PATH:
        return (), _ON_PATH[given]
    if isinstance(given, str) or not hasattr(given, "__iter__") or any(isinstance(one, str) for one in given):
        raise ParameterError(must_be("interaction_cst", _GROUPS, given))
    groups = [places_of(one, schema, "interaction_cst") for one in given]
    others = set(range(len(schema))).difference(*groups)
    groups += [others] if others else []
    if len(groups) > _MOST_GROUPS:
        raise ParameterError(
            Setting("interaction_cst"), f" gives {len(groups)} groups of features; ",
            remedy(f"give at most {_MOST_GROUPS}, or ", Setting("interaction_cst", "no_interactions"), "."),
        )  # fmt: skip
    return tuple(sum(1 << g for g, group in enumerate(groups) if j in group) for j in range(len(schema))), 0


def places_of(given: Any, schema: Schema, setting: str) -> set[int]:
    """The places of features that are given by name or place, or as names in text.

    Raises
    ------
    ParameterError
    """
    if isinstance(given, str):
        given = [name.strip() for name in given.split(",")]
    if not hasattr(given, "__iter__"):
        raise ParameterError(must_be(setting, "names or places of features", given))
    places = set()
    for one in given:
        if isinstance(one, str):
            known_names([one], schema, setting)
            places.add(schema.names.index(one))
        elif isinstance(one, bool) or not isinstance(one, numbers.Integral) or not 0 <= one < len(schema):
            raise ParameterError(must_be(setting, f"names of features, or places from 0 to {len(schema) - 1}", one))
        else:
            places.add(int(one))
    return places


def _check_never(name: str, has_order: bool, has_groups: bool) -> None:
    """Refuse another setting that is about a forbidden feature."""
    for setting, contradicts in (("monotonic_cst", has_order), ("interaction_cst", has_groups)):
        if contradicts:
            raise ParameterError(
                Setting(setting), " is about ", Column(name, "column"), ", which ", Setting("forbidden_features"),
                " forbids; ", remedy("leave it out of one of the two."),
            )  # fmt: skip


def _check_order(settings: Mapping) -> None:
    """Refuse settings with which predictions would not keep an order."""
    for name, (refused, other) in _IN_ORDER.items():
        if settings[name] in refused:
            _refuse(Setting(name, settings[name]), " with ", Setting(name, other))
    if settings.get("smoothing") not in (None, "auto"):
        _refuse(Setting("smoothing", settings["smoothing"]), " with ", Setting("smoothing", None))
    if settings.get("shrink"):
        _refuse(Setting("shrink", settings["shrink"]), " with ", Setting("shrink", 0.0))


def _refuse(setting: Setting, *other: Phrase) -> None:
    """Refuse a setting beside an order of predictions."""
    raise ParameterError(
        setting, " does not keep the order that ", Setting("monotonic_cst"), " requires; ", remedy("fit", *other, "."),
    )  # fmt: skip
