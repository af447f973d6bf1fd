"""Parameters of algorithms, declared once: type, range, default, help and documentation."""

from __future__ import annotations

import json
import math
import numbers
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from .._messages import Setting, must_be, remedy, shortened
from .._spelling import did_you_mean
from ..data.frames.class_labels import AsWritten
from ..errors import ParameterError, ParameterTypeError


@dataclass(frozen=True)
class Parameter:
    """One setting of an algorithm.

    Attributes
    ----------
    name : str
    kind : {"choice", "integer", "real", "count", "flag", "part", "free"}
        An integer, real or flag may also be one of ``choices``. part: one of ``choices``, or an object given in Python,
        which is checked where it is used.
        label: a class, on the command line as it is written.
        count: a whole number of rows, or a share of the rows in (0, 1) as a float. free: checked where it is used.
    default : object
    help : str
        One line, for the command line.
    choices : tuple of str
    aliases : tuple of (str, str)
        Other programs' names for choices.
    reads : callable, optional
        Reads other values than the choices: gives the value to keep, or None for what it does not know.
    low, high : float
        Inclusive range of an integer or real.
    optional : bool
        None is allowed.
    cli : bool
        The command line offers it.
    type : str
        What the docstring of an estimator shows as the type, where ``kind`` and ``choices`` are not enough.
    doc : str
        The text in the docstring of an estimator. Lines that begin with "- " make a list.
    """

    name: str
    kind: str
    default: object
    help: str
    choices: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    reads: Callable | None = None
    low: float = -math.inf
    high: float = math.inf
    optional: bool = False
    cli: bool = True
    type: str = ""
    doc: str = ""

    @property
    def allowed(self) -> str:
        """What values are allowed, as text."""
        words = {
            "choice": "one of " + ", ".join(repr(c) for c in self.choices),
            "integer": "a whole number" + self._range() + "".join(f" or {c!r}" for c in self.choices),
            "real": "a number" + self._range() + "".join(f" or {c!r}" for c in self.choices),
            "count": f"a whole number of at least {self.low:g} or a share of the rows between 0 and 1",
            "flag": "".join(f"{c!r}, " for c in self.choices) + "True or False",
            "part": "one of " + ", ".join(repr(c) for c in self.choices) + " or an object that docs/compose.md names",
            "free": self.help,
            "label": self.help,
        }[self.kind]
        return words + (" or None" if self.optional else "")

    def _range(self) -> str:
        if self.low == -math.inf:
            return ""
        return f" of at least {self.low:g}" if self.high == math.inf else f" from {self.low:g} to {self.high:g}"

    def check(self, value):
        """The value in its plain Python type.

        Raises
        ------
        ParameterError, ParameterTypeError
            The message names the parameter, the value and what is allowed.
        """
        if (
            (value is None and self.optional)
            or self.kind in ("free", "label")
            or (self.kind == "part" and not isinstance(value, str))
            or (isinstance(value, str) and value in self.choices)
        ):
            return value
        check = {"choice": self._choice, "part": self._choice, "flag": self._flag}.get(self.kind, self._number)
        return check(value)

    def parse(self, text: str):
        """The value written as text on the command line.

        Raises
        ------
        ParameterError
            The text cannot be read as this parameter.
        """
        if text.lower() == "none" and (self.optional or self.kind == "free"):
            return None
        if self.kind == "label":
            return None if text == "none" else AsWritten(text)
        if self.kind in ("choice", "part") or text in self.choices:
            return self.check(_number_or_text(text) if self.kind == "part" else text)
        if self.kind == "free":
            try:
                return json.loads(text, object_hook=lambda found: {AsWritten(key): v for key, v in found.items()})
            except (ValueError, RecursionError):
                if text[:1] in ("{", "["):
                    raise ParameterError(
                        Setting(self.name),
                        f" is not valid JSON: {shortened(text)}; ",
                        remedy(
                            "put names in double quotes and the whole in single quotes, for example "
                            f"'{_EXAMPLES[text[0]]}'."
                        ),
                    ) from None
                return text
        try:
            return self.check({"flag": _parse_flag, "integer": int}.get(self.kind, _parse_number)(text))
        except (ValueError, KeyError) as error:
            if isinstance(error, ParameterError):
                raise
            raise ParameterError(must_be(self.name, self.allowed, text)) from None

    @property
    def _most(self) -> float:
        """The largest value: the declared one, or what the kernel and float64 can hold."""
        if self.high < math.inf:
            return self.high
        return 1e300 if self.kind == "real" else 2**31 - 1

    def _choice(self, value):
        if self.reads is not None and (read := self.reads(value)) is not None:
            return read
        if not isinstance(value, str):
            raise ParameterTypeError(must_be(self.name, self.allowed, value))
        plain = value.lower().replace(" ", "_")
        plain = dict(self.aliases).get(plain, plain)
        for choice in self.choices:
            if plain == choice.lower().replace(" ", "_"):
                return choice
        hint = did_you_mean(value, (*self.choices, *dict(self.aliases)))
        raise ParameterError(must_be(self.name, self.allowed, value, hint))

    def _flag(self, value):
        if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
            return bool(value)
        raise ParameterTypeError(must_be(self.name, self.allowed, value))

    def _number(self, value):
        whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        real = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not (whole or (real and self.kind in ("real", "count"))):
            raise ParameterTypeError(must_be(self.name, self.allowed, value))
        value = value.item() if hasattr(value, "item") else value  # float32 would overflow in comparisons
        share = self.kind == "count" and not whole
        fits = 0.0 < value < 1.0 if share else self.low <= value <= self._most
        if not fits:
            raise ParameterError(must_be(self.name, self.allowed, value))
        return int(value) if whole and self.kind != "real" else float(value)


#: What begins with a brace or a bracket is JSON, such as this.
_EXAMPLES = {"{": '{"yes": 2, "no": 1}', "[": '["sex", "class"]'}


def _parse_flag(text: str) -> bool:
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]


def _parse_number(text: str):
    try:
        return int(text)
    except ValueError:
        return float(text)


def _number_or_text(text: str):
    """A number where the text is one."""
    try:
        return _parse_number(text)
    except ValueError:
        return text


#: Types of settings that cannot change, so that what has been checked once stays so.
_LASTING = frozenset((type(None), bool, int, float, str))


class Checker:
    """Checks the settings of one algorithm; settings it has seen before are known to be good.

    Parameters
    ----------
    parameters : tuple of Parameter
    """

    def __init__(self, parameters: tuple[Parameter, ...]):
        self.names = tuple(p.name for p in parameters)
        self._values_of = operator.attrgetter(*self.names)
        self._items_of = operator.itemgetter(*self.names)
        self._parameters = parameters
        self._known = lru_cache(256, typed=True)(self._check)

    def of(self, holder) -> dict:
        """The settings that are attributes of an object, checked; see :func:`checked`."""
        try:
            values = self._items_of(vars(holder))
        except KeyError:
            values = self._values_of(holder)
        return dict(self._known(*values) if _LASTING.issuperset(map(type, values)) else self._check(*values))

    def _check(self, *values) -> dict:
        return checked(self._parameters, dict(zip(self.names, values, strict=True)))


def checked(parameters: tuple[Parameter, ...], settings: dict) -> dict:
    """All settings of an algorithm, defaults filled in, each checked.

    Raises
    ------
    ParameterError, ParameterTypeError
        A setting is unknown, out of range or of the wrong type.
    """
    known = {p.name: p for p in parameters}
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise ParameterError(f"there is no parameter {unknown[0]!r}; the parameters are {', '.join(known)}.")
    given = {name: settings.get(name, p.default) for name, p in known.items()}
    return {name: given[name] if given[name] is p.default else p.check(given[name]) for name, p in known.items()}
