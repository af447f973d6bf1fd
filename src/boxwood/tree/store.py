"""The model file: a tree and its extras to and from plain bytes, with every value checked (docs/format.md)."""

from __future__ import annotations

import os

import numpy as np

from .._messages import Value, must_be
from ..errors import ModelFileError, ParameterTypeError
from .atomic import read_whole, write_atomically
from .marks import marks_from_json, marks_to_json
from .meaning import response_from_json, response_to_json, schema_from_json, schema_to_json
from .sections import START_SIZE, check_start, damaged, pack, unpack
from .split import SplitTable
from .tree import Tree
from .validate import validate

_TABLES = ("splits", "surrogates", "competitors")
_TABLE_PARTS = ("feature", "breaks_start", "breaks", "breaks_low", "n_positions", "index_start", "position", "index")
_ARRAYS = (
    "parent", "first_child", "n_children", "missing", "heuristic", "moments", "rows", "score",
    "surrogate_start", "agreement", "adjusted", "competitor_start", "competitor_score",
)  # fmt: skip
#: Arrays that only some trees have.
_OPTIONAL = ("log_p", "weight_squares", "monotonic")
#: In files of earlier versions; no longer needed.
_FORMER = frozenset(("neighbours",))
_SECTIONS = frozenset(_ARRAYS) | {f"{table}.{part}" for table in _TABLES for part in _TABLE_PARTS}
_HEADER = {"schema", "response", "made_by", "extra"}
#: Of trees to whose nodes people gave names, predictions or signatures.
_MARKS = "marks"

#: Prefix of the names of arrays that higher layers add.
_EXTRA = "extra."


def to_bytes(tree: Tree, extra: dict | None = None, extra_arrays: dict[str, np.ndarray] | None = None) -> bytes:
    """A tree as the bytes of a model file; the same tree always gives the same bytes.

    Parameters
    ----------
    tree : Tree
        Checked first, so that what is written can be read.
    extra : dict, optional
        Plain JSON values that belong to the model (no NaN, no infinity; keys are text; tuples come back as lists).
    extra_arrays : dict of str to ndarray, optional
        Truth values, integers or floats of any shape up to four dimensions.

    Returns
    -------
    bytes

    Raises
    ------
    ModelFileError
        The tree is not sound, or a name or value cannot be stored.
    ParameterTypeError
        An extra array is of a type that cannot be stored.
    """
    validate(tree)
    arrays = {name: getattr(tree, name) for name in _ARRAYS}
    arrays |= {name: getattr(tree, name) for name in _OPTIONAL if getattr(tree, name) is not None}
    for table in _TABLES:
        arrays.update({f"{table}.{part}": getattr(getattr(tree, table), part) for part in _TABLE_PARTS})
    more = {_EXTRA + name: array for name, array in sorted((extra_arrays or {}).items())}
    header = {
        "schema": schema_to_json(tree.schema),
        "response": response_to_json(tree.response),
        "made_by": tree.made_by,
        "extra": extra or {},
    }
    if tree.marks:
        header[_MARKS] = marks_to_json(tree.marks)
    return pack(header, {**arrays, **more})


def from_bytes(data: bytes) -> tuple[Tree, dict, dict[str, np.ndarray]]:
    """A tree, its extra values and its extra arrays out of the bytes of a model file.

    Nothing in the bytes is run, and nothing is trusted: sizes are bounded by the length of the data, all checksums are
    compared, and the tree is checked by :func:`boxwood.tree.validate.validate`.

    Parameters
    ----------
    data : bytes
        As :func:`to_bytes` gave them.

    Returns
    -------
    tree : Tree
        Its arrays are read-only.
    extra : dict
    extra_arrays : dict of str to ndarray

    Raises
    ------
    ModelFileError
        The data are damaged, hostile, or of a newer major version; the message names the section.
    ParameterTypeError
        ``data`` are not bytes.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise ParameterTypeError(must_be("data", "bytes", Value(data, type(data).__name__)))
    header, arrays, required, newer = unpack(bytes(data))
    _check_names(header, arrays, required, newer)
    tables = {table: SplitTable(**{part: arrays[f"{table}.{part}"] for part in _TABLE_PARTS}) for table in _TABLES}
    tree = Tree(
        schema=schema_from_json(header["schema"]),
        response=response_from_json(header["response"]),
        made_by=header["made_by"],
        **tables,
        **{name: arrays[name] for name in (*_ARRAYS, *_OPTIONAL) if name in arrays},
        marks=marks_from_json(header[_MARKS]) if _MARKS in header else None,
    )
    validate(tree)
    more = {name[len(_EXTRA) :]: array for name, array in arrays.items() if name.startswith(_EXTRA)}
    return tree, header["extra"], more


def _check_names(header: dict, arrays: dict, required: frozenset[str], newer: bool) -> None:
    """All parts known here are there; others only in a file of a newer minor version that calls them optional."""
    for name in sorted(_SECTIONS - set(arrays)):
        damaged(name, "it is missing")
    for name in sorted(_HEADER - set(header)):
        damaged("header", f"the part {name!r} is missing")
    for name in ("made_by", "extra"):
        if type(header[name]) is not dict:
            damaged("header", f"the part {name!r} must be a JSON object")
    unknown = {name for name in set(arrays) - _SECTIONS - set(_OPTIONAL) - _FORMER if not name.startswith(_EXTRA)}
    if newer and unknown & required:
        raise ModelFileError(
            f"the model file needs section {min(unknown & required)!r}, unknown to this boxwood; update boxwood."
        )
    more = set(header) - _HEADER - {_MARKS}
    if not newer and (unknown or more):
        damaged("header", f"there are unknown parts ({', '.join(sorted(unknown | more))})")


def save(path: str | os.PathLike, data: bytes) -> None:
    """Write the bytes of a model to a file, whole or not at all.

    Parameters
    ----------
    path : str or path object
        Usually ends in ``.box``. An existing file is replaced at once and keeps its mode; a link is followed.
    data : bytes
        As :func:`to_bytes` gave them.

    Raises
    ------
    FileError
        The file cannot be written; an older file is untouched and nothing is left behind.
    """
    write_atomically(path, data)


def load(path: str | os.PathLike) -> bytes:
    """The bytes of a model file, for :func:`from_bytes`.

    The start of the file is checked before the rest is read, so a large file of another kind costs nothing.

    Raises
    ------
    FileError
        There is no such file, or it cannot be read.
    ModelFileError
        It is empty, cut short, too new, or no boxwood model.
    """
    return read_whole(path, check_start, START_SIZE)
