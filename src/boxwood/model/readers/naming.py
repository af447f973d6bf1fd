"""Names of features and labels of other programs' models, checked before a schema is made of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..._messages import Setting, Value, must_be
from ...data.columns.schema import CODES, NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from ...errors import ParameterError


def names_of(given: Sequence[str] | None, found: Sequence[str] | None, width: int) -> tuple[tuple[str, ...], bool]:
    """Feature names, and whether they came from somewhere: those given, else those of the model, else x0, x1 ...

    Raises
    ------
    ParameterError
        Their number is wrong, or a name occurs twice.
    """
    names = given if given is not None else found
    if names is None:
        return tuple(f"x{j}" for j in range(width)), False
    names = tuple(str(name) for name in names)
    if len(names) != width or len(set(names)) != width:
        raise ParameterError(
            must_be("feature_names", f"{width} different names, one a feature", Value(names, f"{len(names)} of them"))
        )
    return names, True


def schema_of(
    names: tuple[str, ...],
    named: bool,
    levels: dict[int, tuple[Any, ...]],
    why: str,
    *,
    ordered: Collection[int] = (),
    coded: Collection[int] = (),
) -> Schema:
    """A schema of numeric features; those with ``levels`` are nominal, or ordinal if they are cut."""
    kinds = [NUMERIC if j not in levels else ORDINAL if j in ordered else NOMINAL for j in range(len(names))]
    return Schema(
        tuple(
            Feature(name, kinds[j], tuple(levels.get(j, ())), CODES if j in coded else why, j in coded)
            for j, name in enumerate(names)
        ),
        named,
    )


def given_levels(categories: dict[str, Any] | None, names: tuple[str, ...]) -> dict[int, tuple[Any, ...]]:
    """Levels by feature number from levels by name.

    Raises
    ------
    ParameterError
        There is no such feature, or its levels are not a list.
    """
    found = {}
    for name, levels in (categories or {}).items():
        if name not in names:
            raise ParameterError(
                Setting("categories"), " names ", Value(name), ", which is not a feature of this model."
            )
        if isinstance(levels, str) or not hasattr(levels, "__len__") or not len(levels):
            raise ParameterError(
                Setting("categories", key=name), " must be the list of its levels in order of their codes."
            )
        found[names.index(name)] = tuple(levels)
    return found


def plain_label(value: object) -> object:
    """A label or level as a plain Python value."""
    return value.item() if hasattr(value, "item") else value
