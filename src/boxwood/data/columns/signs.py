"""Reads the order of predictions along each feature: ``monotonic_cst``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._messages import Column, Setting, Value, must_be, remedy
from ...errors import ParameterError
from .schema import Schema


def signs_of(given: Any, schema: Schema) -> tuple[int, ...]:
    """1, -1 or 0 for each feature, from a list, a dict by name, or text such as ``income=+1,age=-1``.

    Raises
    ------
    ParameterError
    """
    if isinstance(given, str):
        given = _from_text(given)
    signs = list(given) if hasattr(given, "__len__") else []
    if isinstance(given, Mapping):
        known_names(given, schema, "monotonic_cst")
        signs = [given.get(name, 0) for name in schema.names]
    words = f"1, -1 or 0 for each of the {len(schema)} features, as a list or a dict by name"
    if len(signs) != len(schema) or any(isinstance(sign, bool) or sign not in (1, -1, 0) for sign in signs):
        raise ParameterError(must_be("monotonic_cst", words, given))
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
