"""Fields of a stored response that depend on its kind, or on the version of its file."""

from __future__ import annotations

import dataclasses

from ..statistics.responses.response import Response


def floats_of(setting: float | tuple[float, ...]) -> float | list[float]:
    """A number, or a list of them, as plain values."""
    return [float(number) for number in setting] if isinstance(setting, tuple) else float(setting)


def own_settings(kind: type[Response]) -> list[str]:
    """Numbers, or lists of them, in fields that only this kind of response has."""
    return [field.name for field in dataclasses.fields(kind) if not hasattr(Response, field.name)]


def as_written_now(plain: object) -> object:
    """What files of format 0.1.0 hold: one number of smoothing for all classes, and no class weights."""
    if type(plain) is not dict or type(plain.get("smoothing")) is not float or type(plain.get("labels")) is not list:
        return plain
    added = [plain["smoothing"]] * (len(plain["labels"]) if plain["smoothing"] else 0)
    return {"class_weights": []} | plain | {"smoothing": added}
