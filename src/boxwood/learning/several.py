"""Several responses as users give them: one target, with a weight for each response."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np

from .._messages import Column, Message, Setting, must_be, remedy
from ..data.columns.raw import RawColumn
from ..data.frames.several_targets import each_read, named_columns
from ..data.frames.target import read_classes, read_numbers
from ..data.frames.weights import read_weights
from ..errors import ParameterError
from ..statistics.exact import Exact
from ..statistics.responses.classes import Classes
from ..statistics.responses.means import Means
from ..statistics.responses.response import Response
from ..statistics.responses.several import SeveralClasses, SeveralNumbers
from .responses import read_target
from .target import Target

#: Settings that read one response.
_OF_ONE = ("class_weight", "priors", "costs", "target_class", "monotonic_cst", "compat", "forced_splits")


@dataclass(frozen=True, eq=False)
class SeveralTarget(Target):
    """Several responses as read, y of shape (n, q).

    Attributes
    ----------
    as_given : bool
        The weights of the responses are final; otherwise each is divided by the impurity of its response.
    """

    as_given: bool = False

    def in_exact_numbers(self, rows: np.ndarray) -> tuple[Response, Exact]:
        response, exact = super().in_exact_numbers(rows)
        return (response if self.as_given else response.with_root(exact)), exact


def read_target_or_several(
    y, settings: dict, *, weight=None, exposure=None, name: str = "y", task: str = "classification"
) -> Target:
    """Read y, which may have several columns, weights, priors and costs; see :func:`read_target`."""
    columns = named_columns(y)
    if columns is None:
        if settings["response_weights"] is not None:
            raise ParameterError(
                Setting("response_weights"), " needs several responses; ", remedy("leave it out, as y has one column.")
            )  # fmt: skip
        return read_target(y, settings, weight=weight, exposure=exposure, name=name, task=task)
    _check_settings(settings, exposure, list(columns))
    responses, values = zip(*each_read(columns, _classes if task == "classification" else _numbers), strict=True)
    kind = SeveralClasses if task == "classification" else SeveralNumbers
    weights = _weights(settings["response_weights"], list(columns))
    response = kind(", ".join(columns), responses, weights)
    y, equal = np.column_stack(values), settings["response_weights"] == "equal"
    return SeveralTarget(response, y, read_weights(weight, len(y)), as_given=equal)


def _classes(name: str, column: RawColumn) -> tuple[Response, np.ndarray]:
    labels, codes = read_classes(column)
    return Classes(name, labels, (1.0,) * len(labels)), codes


def _numbers(name: str, column: RawColumn) -> tuple[Response, np.ndarray]:
    y, response = read_numbers(column), Means(name)
    response.check(y)
    return response, y


def _check_settings(settings: dict, exposure: object, names: list[str]) -> None:
    """Refuse settings that read one response."""
    for name in _OF_ONE:
        if settings.get(name) is not None:
            raise ParameterError(
                Setting(name), f" goes with one response, and y has {len(names)}: ", *_listed(names), "; ",
                remedy("leave ", Setting(name), " out, or fit a tree for each response."),
            )  # fmt: skip
    if exposure is not None:
        raise ParameterError(
            Setting("exposure"), f" goes with one response, and y has {len(names)}: ", *_listed(names), "; ",
            remedy("leave it out, or fit a tree for each response."),
        )  # fmt: skip


def _listed(names: list[str]) -> list:
    return [part for name in names for part in (", ", Column(name))][1:]


def _weights(given: object, names: list[str]) -> tuple[float, ...]:
    """A weight for each response."""
    if given is None:
        return (1.0,) * len(names)
    if given == "equal":
        return (1.0 / len(names),) * len(names)
    values = [given.get(name) for name in names] if isinstance(given, dict) else given
    fits = isinstance(values, (list, tuple)) and len(values) == len(names)
    known = not isinstance(given, dict) or set(given) == set(names)
    if not fits or not known or not all(map(_is_positive, values)):
        words = Message(f"None, 'equal', or {len(names)} positive numbers for the responses ", *_listed(names))
        raise ParameterError(must_be("response_weights", words, given))
    return tuple(map(float, values))


def _is_positive(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and 1e-100 <= value <= 1e100
