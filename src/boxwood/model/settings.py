"""Settings to and from values that a model file can hold."""

from __future__ import annotations

import math
import numbers
from dataclasses import fields

import numpy as np

from ..data.columns.distinct import distinct
from ..errors import ParameterError
from ..growing.branching import Branching
from ..growing.criterion import Criterion
from ..pruning.pruners.cost_complexity import CostComplexity
from ..pruning.pruners.registry import PRUNERS
from .records import UnloadedFunction, fields_of, function_name, is_record, record_of

#: Types that stay as they are.
_PLAIN = frozenset((type(None), str, bool, int))
_SIMPLE, _ENDLESS = _PLAIN | {float}, frozenset((math.inf, -math.inf))

#: What early model files hold of a weakest-link pruner, without its name; and what pruners did then without a setting.
_UNNAMED = {"rule", "folds", "cp", "risk", "style"}
_EARLY = {name: {"loss": None} for name, kind in PRUNERS.items() if "loss" in {f.name for f in fields(kind)}}
_EARLY[CostComplexity.name]["enough_rows"] = None


def plain(settings: dict) -> dict:
    """Settings as plain JSON values.

    A pruner becomes the dictionary of its name and settings (folds given row by row: their number), a record of the
    four choices its name and fields, a function its name, an array or tuple a list, a dictionary whose keys are not all
    text ``{"pairs": [[key, value], ...]}``, an infinite number ``{"number": "inf"}``.

    Examples
    --------
    >>> from boxwood.model.settings import plain, restored
    >>> plain({"priors": (0.5, 0.5), "class_weight": {1: 2.0}})
    {'priors': [0.5, 0.5], 'class_weight': {'pairs': [[1, 2.0]]}}
    >>> restored(plain({"class_weight": {1: 2.0}}))
    {'class_weight': {1: 2.0}}
    """
    values = settings.values()
    if _SIMPLE.issuperset(map(type, values)) and _ENDLESS.isdisjoint(values):
        return dict(settings)
    return {name: value if type(value) in _PLAIN else _plain(value) for name, value in settings.items()}


def restored(settings: dict) -> dict:
    """Settings from their plain values; lists stay lists.

    Raises
    ------
    ParameterError
        A pruner is unknown, or has settings outside their range.
    """
    return {name: _restored(value) for name, value in settings.items()}


def _plain(value):
    if type(value) in _PLAIN or (type(value) is float and math.isfinite(value)):
        return value
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, numbers.Real):
        return float(value) if math.isfinite(value) else {"number": str(float(value))}
    if type(value) in PRUNERS.values():
        return plain_pruner(value)
    if is_record(value):
        given = {name: _plain(v) for name, v in fields_of(value).items()}
        return {"record": type(value).__name__, "fields": given}
    if callable(value) or hasattr(value, "fit") or isinstance(value, (Criterion, Branching)):
        return {"function": function_name(value)}
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {str(key): _plain(v) for key, v in value.items()}
        return {"pairs": [[_plain(key), _plain(v)] for key, v in value.items()]}
    if hasattr(value, "__array__"):
        value = np.asarray(value).tolist()
    elif isinstance(value, (set, frozenset)):
        value = sorted(value, key=repr)
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else repr(value)


def plain_pruner(pruner) -> dict:
    """A pruner as plain JSON values.

    Examples
    --------
    >>> from boxwood.model.settings import plain_pruner
    >>> from boxwood.pruners import CostComplexity
    >>> plain_pruner(CostComplexity())["rule"]
    'min'
    """
    given = {f.name: getattr(pruner, f.name) for f in fields(pruner)}
    if "folds" in given:
        given["folds"] = _number_of_folds(given["folds"])
    return {"pruner": pruner.name} | {name: _plain(v) for name, v in given.items()}


def _restored_pruner(value: dict):
    """A pruner from its plain values."""
    given = {name: _restored(v) for name, v in value.items() if name != "pruner"}
    kind, given = PRUNERS.get(value["pruner"]), _EARLY.get(value["pruner"], {}) | given
    if kind is None or given.keys() != {f.name for f in fields(kind)}:
        raise ParameterError(
            f"the pruner {value['pruner']!r} with the settings {sorted(given)} is not supported by "
            "this version of boxwood."
        )
    return kind(**given)


def _number_of_folds(folds) -> int | None:
    """How many folds: as given, or as many as there are different fold numbers."""
    if folds is None or np.ndim(folds) > 0:
        return None if folds is None else len(distinct(folds))
    return int(folds)


def _restored(value):
    if isinstance(value, list):
        return [_restored(v) for v in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == _UNNAMED:
        return CostComplexity(**_EARLY[CostComplexity.name], **value)
    if isinstance(value.get("pruner"), str):
        return _restored_pruner(value)
    if value.keys() == {"number"} and value["number"] in ("inf", "-inf"):
        return float(value["number"])
    if value.keys() == {"pairs"} and isinstance(value["pairs"], list) and all(map(_is_pair, value["pairs"])):
        return {_restored(key): _restored(v) for key, v in value["pairs"]}
    if value.keys() == {"record", "fields"} and isinstance(value["record"], str) and isinstance(value["fields"], dict):
        return record_of(value["record"], _restored(value["fields"]))
    if value.keys() == {"function"}:
        return UnloadedFunction(str(value["function"]))
    return {key: _restored(v) for key, v in value.items()}


def _is_pair(item) -> bool:
    """Whether an item is a key with its value."""
    return isinstance(item, list) and len(item) == 2 and not isinstance(item[0], (list, dict))


def as_balanced(settings: dict, model) -> dict:
    """Settings by which balanced classes keep the weights that they had at the fit, whatever the rows."""
    if settings.get("class_weight") != "balanced" or model.settings.get("class_weight") != "balanced":
        return settings
    weights = model.tree.response.class_weights
    return settings | {"class_weight": dict(zip(model.labels, weights, strict=True)) if weights else None}
