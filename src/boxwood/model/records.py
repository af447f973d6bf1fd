"""Records of the four choices, and functions, to and from values that a model file can hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from .._messages import Setting, remedy
from ..errors import ParameterError
from ..growing.branching import Binary, Multiway
from ..growing.gain import Gain
from ..growing.impurity_decrease import ImpurityDecrease
from ..growing.in_order import InOrder
from ..growing.merged import Merged
from ..growing.proposed import Proposed
from ..growing.scored import Scored
from ..growing.significance import Significance
from ..growing.termination import Termination
from ..statistics.quantile import Quantile
from ..statistics.tsallis import Tsallis
from ..statistics.tweedie import Tweedie

#: Records that a setting may be, by name.
RECORDS = {
    cls.__name__: cls
    for cls in (
        *(Binary, Multiway, Merged, Proposed),
        *(ImpurityDecrease, Gain, InOrder, Significance, Scored, Tsallis, Tweedie, Quantile),
        Termination,
    )
}


@dataclass(frozen=True)
class UnloadedFunction:
    """The place of a Python function in settings that come from a model file, which holds no code.

    Attributes
    ----------
    name : str
        Of the function.
    """

    name: str

    def refuse(self, parameter: str):
        """Raise the error of a parameter whose function is needed.

        Raises
        ------
        ParameterError
        """
        raise ParameterError(
            f"the {parameter} {self.name!r} is a Python function, and a model file holds no code; predictions work, "
            "but to fit again ", remedy("give the function with set_params(", Setting(parameter), "=...)"), ".",
        )  # fmt: skip

    def __call__(self, *given):
        """Raise the error of a function that is needed."""
        self.refuse("function")


def function_name(function: Callable) -> str:
    """What reports and model files call a function, or an object that is called like one."""
    if isinstance(function, UnloadedFunction):
        return function.name
    return getattr(function, "__name__", type(function).__name__)


def unloaded_in(value) -> UnloadedFunction | None:
    """The first function in a setting whose code is not there: the setting itself, or one that it holds."""
    if is_record(value):
        value = fields_of(value)
    held = value.values() if isinstance(value, dict) else (value,)
    return next((v for v in held if isinstance(v, UnloadedFunction)), None)


def is_record(value) -> bool:
    """Whether a setting is a record of the four choices."""
    return type(value) is RECORDS.get(type(value).__name__)


def fields_of(record) -> dict:
    """Field name -> value of a record."""
    return {f.name: getattr(record, f.name) for f in fields(record)}


def record_of(name: str, given: dict):
    """A record from its name and fields; a tuple of numbers may have become a list.

    Raises
    ------
    ParameterError
        The record or a field is unknown, or a value is outside its range.
    """
    kind = RECORDS.get(name)
    if kind is None:
        raise ParameterError(f"the part {name!r} of a tree is not known to this version of boxwood; fit again.")
    known = {f.name for f in fields(kind)}
    if set(given) - known:
        raise ParameterError(f"{name} has the fields {', '.join(sorted(known))}.")
    return kind(**{field: tuple(v) if isinstance(v, list) else v for field, v in given.items()})
