"""What a picture of regions shows: one or two features, the values of the others, and perhaps one class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .._messages import Column, Setting, Value, must_be, remedy, shortened
from ..data.columns.columns import Columns
from ..data.columns.distinct import distinct
from ..data.frames.frame import read_columns
from ..errors import ParameterError, ParameterTypeError
from ..tree.tree import Tree
from ..views.target import target_of


@dataclass(frozen=True, eq=False)
class RegionOptions:
    """What is drawn.

    Attributes
    ----------
    axes : tuple of int
        Positions of the one or two features along the axes.
    fixed : Columns
        One row: the values of the features that are fixed, all others missing.
    names_fixed : tuple of str
        Their names; empty when nothing is fixed.
    target : int or None
        Number of the class whose probability is the colour; None = the predicted class, or the number.
    """

    axes: tuple[int, ...]
    fixed: Columns
    names_fixed: tuple[str, ...]
    target: int | None


def region_options(tree: Tree, features=None, fixed=None, target_class=None) -> RegionOptions:
    """Options from arguments, with defaults from the tree.

    Parameters
    ----------
    tree : Tree
    features : name, position, or one or two of them, optional
        By default all features where there are at most two, else those that the tree tests.
    fixed : dict of name to value, optional
    target_class : label, optional

    Raises
    ------
    ParameterError, ParameterTypeError
        There is no such feature, value or class, or the tree tests a feature that is neither shown nor fixed.
    """
    held = _fixed_row(tree, fixed)
    kept = tuple(tree.schema.names.index(name) for name in fixed or ())
    inner = tree.splits.feature[~tree.is_leaf]
    tested = [j for j in distinct(inner).tolist() if j not in kept]
    axes = _default_axes(tree, tested, kept) if features is None else _axes(tree, features)
    both = [tree.schema.names[j] for j in axes if j in kept]
    if both:
        raise ParameterError(
            Setting("fixed"), " holds ", Column(both[0]), ", which ", Setting("features"), " shows; ",
            remedy("give it in one of them only"), ".",
        )  # fmt: skip
    others = [tree.schema.names[j] for j in tested if j not in axes]
    if others:
        names = [tree.schema.names[j] for j in tested]
        raise ParameterError(
            f"a picture of regions has one or two axes, and this tree tests {', '.join(map(repr, names[:8]))}"
            f"{' and more' * (len(names) > 8)}; ",
            remedy("give the others a value, as in ", Setting("fixed", ..., key=others[0]),
                   ", or fit the model on one or two columns"), ".",
        )  # fmt: skip
    target = None if target_class is None else target_of(tree.response).code(tree, target_class)
    return RegionOptions(axes, held, tuple(fixed or ()), target)


def _default_axes(tree: Tree, tested: list[int], kept: tuple[int, ...]) -> tuple[int, ...]:
    free = [j for j in range(len(tree.schema)) if j not in kept and j not in tree.schema.identifiers]
    if len(free) > 2 and tested:
        return tuple(tested[:2])
    if not free:
        raise ParameterError(Setting("fixed"), " holds every feature; ", remedy("leave one or two of them out"), ".")
    return tuple(free[:2])


def _axes(tree: Tree, features) -> tuple[int, ...]:
    listed = [features] if isinstance(features, (str, int, np.integer)) else features
    if not isinstance(listed, (list, tuple, np.ndarray)):
        raise ParameterTypeError(must_be("features", "one or two names or positions of columns", features))
    found = tuple(_position(tree, one) for one in listed)
    if len(found) not in (1, 2) or len(set(found)) != len(found):
        raise ParameterError(must_be("features", "one or two different columns", features))
    return found


def _position(tree: Tree, one) -> int:
    """The position of a feature that is given by its name or its position."""
    names = tree.schema.names
    if isinstance(one, str) and one in names:
        return names.index(one)
    whole = isinstance(one, (int, np.integer)) and not isinstance(one, bool)
    if whole and 0 <= one < len(names):
        return int(one)
    if not whole and not isinstance(one, str):
        raise ParameterTypeError(
            Setting("features"), " must hold names or positions of columns; got ", Value(one, shortened(one)), "."
        )
    raise _unknown("features", one, names)


def _unknown(argument: str, name: object, names: tuple[str, ...]) -> ParameterError:
    """The error of a name or position that no column has."""
    known = ", ".join(map(repr, names[:8])) + ", ..." * (len(names) > 8)
    given = Value(name, shortened(name))
    return ParameterError(Setting(argument), " holds ", given, f", and the columns of the model are {known}.")


def _fixed_row(tree: Tree, fixed) -> Columns:
    """One row of the fixed values, all other features missing."""
    if fixed is not None and not isinstance(fixed, Mapping):
        raise ParameterTypeError(must_be("fixed", "a dictionary of column names and values", fixed))
    given = dict(fixed or {})
    names = tree.schema.names
    for name, value in given.items():
        if name not in names:
            raise _unknown("fixed", name, names)
        if value is None or value != value:
            raise ParameterError(must_be("fixed", "a known value of that column", value, key=name))
    schema = replace(tree.schema, named=True)
    row = read_columns({name: [given.get(name)] for name in names}, schema, estimator="this tree")
    for name, levels in row.unseen.items():
        known = tree.schema[names.index(name)].levels
        allowed = f"one of {', '.join(map(repr, known[:8]))}{', ...' * (len(known) > 8)}"
        raise ParameterError(must_be("fixed", allowed, next(iter(levels)), key=name))
    return row
