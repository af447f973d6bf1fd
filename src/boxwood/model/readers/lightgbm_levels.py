"""Levels of the categorical features of a LightGBM model: which list of levels belongs to which feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._messages import Setting, remedy
from ...errors import ModelFileError


def levels_of(dump: dict[str, Any], given: dict[int, tuple[Any, ...]]) -> dict[int, tuple[Any, ...]]:
    """Levels by feature: those given, otherwise those of the pandas frame; a feature of bare codes has none.

    A frame keeps one list for each of its columns of categories, in their order and without their names. Those of an
    ordered type have a list too, although LightGBM takes their codes for numbers.

    Raises
    ------
    ModelFileError
        It is not clear to which features the lists belong.
    """
    lists, most = dump.get("pandas_categorical") or [], _largest_codes(dump)
    if all(j in given for j in most) or len(lists) <= sum(j in given for j in most):
        return given
    width = len(dump["feature_names"])
    first = _matched(most, lists, width)
    # The same search from the other end.
    last = _matched({width - 1 - j: code for j, code in most.items()}, lists[::-1], width)
    if first is None or any(last[width - 1 - j] != len(lists) - 1 - i for j, i in first.items()):
        raise ModelFileError(
            f"this LightGBM model has {len(lists)} lists of levels (pandas_categorical) and {len(most)} categorical "
            "features, and does not tell which list belongs to which feature; ",
            remedy("give the levels of each in ", Setting("categories"),
                   ", or pass the Booster or its model_to_string() instead of a dump"), ".",
        )  # fmt: skip
    return {j: tuple(lists[i]) for j, i in first.items()} | given


def _largest_codes(dump: dict[str, Any]) -> dict[int, int]:
    """The largest code of each categorical feature; -1 means a missing value, and no code at all."""
    infos = dump.get("feature_infos") or {}
    # A categorical feature has the list of its codes, unless it was constant; then only the text names it.
    codes = {j: infos.get(name, {}).get("values") for j, name in enumerate(dump["feature_names"])}
    constant = dump.get("categorical_feature") or ()
    categorical = [j for j, found in codes.items() if found or j in constant]
    return {j: max((int(code) for code in codes[j] or ()), default=-1) for j in categorical}


def _matched(most: dict[int, int], lists: Sequence[Sequence[Any]], width: int) -> dict[int, int] | None:
    """The first list that each feature can have: long enough, behind that of the feature before, with room around."""
    found, i = {}, 0
    for j in sorted(most):
        # Every other list has a column of its own, on the side where it is.
        i = max(i, len(lists) - width + j)
        while i < len(lists) and len(lists[i]) <= most[j]:
            i += 1
        if i >= len(lists) or i > j:
            return None
        found[j], i = i, i + 1
    return found
