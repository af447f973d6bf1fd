"""Frozen records created in one step, and lazily computed attributes: a small fit makes a dozen records."""

from __future__ import annotations

_new, _set = object.__new__, object.__setattr__


def record(kind: type, /, **given):
    """A frozen record; fields that are not given have their defaults, which are attributes of the class.

    Parameters
    ----------
    kind : type
        A dataclass without ``__post_init__`` whose defaults are plain values.
    **given
        Fields; those without a default must be among them.

    Examples
    --------
    >>> from boxwood._fast_record import record
    >>> from boxwood.data.columns.schema import Feature
    >>> record(Feature, name="age", kind="numeric") == Feature("age", "numeric")
    True
    """
    made = _new(kind)
    _set(made, "__dict__", given)
    return made


def with_fields(kind: type, fields: dict):
    """A frozen record that takes over a dictionary as its own, by which nobody else may change it."""
    made = _new(kind)
    _set(made, "__dict__", fields)
    return made


class cached:  # noqa: N801, a decorator
    """An attribute that a method makes when it is first read, as ``functools.cached_property`` without its lock.

    Two threads that read it at the same time may make it twice, so the method must make the same every time.
    """

    def __init__(self, make):
        self._make, self.__doc__ = make, make.__doc__

    def __set_name__(self, kind: type, name: str):
        self._name = name

    def __get__(self, owner, kind: type | None = None):
        if owner is None:
            return self
        made = vars(owner)[self._name] = self._make(owner)
        return made
