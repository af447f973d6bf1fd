"""Reads the settings that limit which features may split a node, and in which order predictions are along them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._messages import Column, Phrase, Setting, Value, must_be, remedy
from ..data.columns.schema import Schema
from ..errors import ParameterError
from ..growing.constraints import FREE, FeatureConstraints

_SIGNS = "1, -1 or 0 for each feature, as a list or a dict by name"
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


def signs_of(given: Any, schema: Schema) -> tuple[int, ...]:
    """1, -1 or 0 for each feature, from a list, a dict by name, or text such as ``income=+1,age=-1``.

    Raises
    ------
    ParameterError
    """
    if isinstance(given, str):
        given = _from_text(given)
    if isinstance(given, Mapping):
        known_names(given, schema, "monotonic_cst")
        given = [given.get(name, 0) for name in schema.names]
    signs = list(given) if hasattr(given, "__len__") else []
    if len(signs) != len(schema) or any(isinstance(sign, bool) or sign not in (1, -1, 0) for sign in signs):
        raise ParameterError(must_be("monotonic_cst", _SIGNS, given))
    for feature, sign in zip(schema, signs, strict=True):
        if sign and not feature.type.has_cuts:
            raise ParameterError(
                Setting("monotonic_cst", key=feature.name), ": ", Column(feature.name, "column"),
                " is nominal, so its levels have no order; ", remedy(
                "give 0, or declare it in ", Setting("ordinal_features"), "."),
            )  # fmt: skip
    return tuple(int(sign) for sign in signs)


def known_names(names: Any, schema: Schema, setting: str) -> None:
    """Refuse names that are not those of features."""
    for name in names:
        if name not in schema.names:
            raise ParameterError(
                Setting(setting), " names ", Value(name), f", but the features are {list(schema.names)}.",
            )  # fmt: skip


def _from_text(text: str) -> dict[str, int]:
    """Signs by name from text; names with a comma or an equals sign need a dict."""
    signs = {}
    for part in text.split(","):
        name, _, sign = part.rpartition("=")
        if sign.strip() not in ("1", "+1", "-1", "0"):
            raise ParameterError(must_be("monotonic_cst", "text such as income=+1,age=-1", text))
        signs[name.strip()] = int(sign)
    return signs


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
