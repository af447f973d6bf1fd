"""Arrays that stay in the kernel until they are read, so that a small fit does not copy forty arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from .._fast_record import with_fields
from .split import SplitTable

#: Tables of splits of a grown tree.
_TABLES = ("splits", "surrogates", "competitors")


class LazyArrays:
    """The arrays of one grown tree, shared by all trees that are that tree.

    Parameters
    ----------
    nodes : _kernel.Nodes
    width : int
        Number of moments of a node.
    """

    def __init__(self, nodes, width: int):
        self._nodes, self._width = nodes, width
        self._found = {}

    def get(self, name: str):
        """An array or table of the tree, by the name of its field."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._made(name)
        return found

    def moments_at(self, nodes: np.ndarray) -> np.ndarray | None:
        """Moments of some nodes while those of all are packed, as many of classes are; else None."""
        found = self._nodes.moments_at(np.ascontiguousarray(nodes, dtype=np.int64))
        return None if found is None else found.reshape(-1, self._width)

    def _made(self, name: str):
        if name in _TABLES:
            return SplitTable(*getattr(self._nodes, name))
        array = getattr(self._nodes, name)
        if name == "moments":
            return array.reshape(-1, self._width)
        if name == "log_p" and not len(array):  # no tests chose the splits
            return None
        return array.astype(bool) if name == "heuristic" else np.asarray(array)


class LazyRecord:
    """A record whose fields may stay with its ``_lazy`` arrays until they are read."""

    if not TYPE_CHECKING:  # only fields are found so, and type checkers know these already

        def __getattr__(self, name: str):
            arrays = vars(self).get("_lazy")
            if arrays is None or name not in self.__dataclass_fields__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = vars(self)[name] = arrays.get(name)
            return value


def read_only(array: np.ndarray) -> np.ndarray:
    """The same array, protected: facts of a tree are computed once and shared."""
    array = array.view()
    array.flags.writeable = False
    return array


_Record = TypeVar("_Record")
#: What the kernel reads of a tree.
_KERNEL = ("first_child", "n_children", "missing", "surrogate_start", "rows", "splits", "surrogates")


def with_arrays(tree: _Record) -> _Record:
    """The same tree, with the arrays that the kernel reads already made.

    A daemon thread that runs Python code below C++ when the interpreter ends would end the process.
    """
    for name in _KERNEL:
        getattr(tree, name)
    return tree


def nodes_of(tree: _Record):
    """The nodes of a grown tree, of which the kernel needs no arrays; the tree with arrays if it is not as grown."""
    own = vars(tree)
    arrays = own.get("_lazy")
    if arrays is None or any(name in own and own[name] is not arrays.get(name) for name in _KERNEL):
        return with_arrays(tree)
    return arrays._nodes


def lazy_record(kind: type, arrays: LazyArrays, **known):
    """A record of a class, with these fields and those of the arrays."""
    known["_lazy"] = arrays
    return with_fields(kind, known)


def changed(record: _Record, **fields) -> _Record:
    """The same record with some fields changed; arrays that nobody has read stay in the kernel."""
    known = vars(record).items()
    kept = {name: value for name, value in known if name in record.__dataclass_fields__ or name == "_lazy"}
    return with_fields(type(record), kept | fields)


def as_kind(record, kind: type, **changed):
    """The same record as an instance of a class with the same fields, some of them changed.

    What has been computed already is shared, so a field may only be changed if nothing is computed from it.
    """
    return with_fields(kind, vars(record) | changed)
