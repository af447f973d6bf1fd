"""Reads the settings that limit which features may split a node, and in which order predictions are along them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._messages import Phrase, Setting, remedy
from ..data.columns.schema import Schema
from ..data.columns.signs import signs_of
from ..errors import ParameterError
from ..growing.constraints import FREE, FeatureConstraints

#: Settings of which predictions are not those of leaves, or not their means, and what to set instead.
_IN_ORDER: dict[str, tuple[tuple[Any, ...], Any]] = {
    "compat": (("rpart",), None),
    "missing": (("stay", "surrogate_or_stay"), "surrogate"),
    "unseen": (("stay",), "missing"),
}


def constraints_of(settings: Mapping, schema: Schema) -> FeatureConstraints:
    """The constraints of a fit.

    Raises
    ------
    ParameterError
        A setting does not fit the features, or another setting.
    """
    given = settings["monotonic_cst"]
    if given is None:
        return FREE
    monotonic = signs_of(given, schema)
    if not any(monotonic):
        return FREE
    _check_order(settings)
    return FeatureConstraints(monotonic)


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
