"""Where a foreign model is read from: an object, a file, its text or its JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..._messages import Value, must_be
from ...errors import BoxwoodError, DataTypeError, FileError, ModelFileError

#: A text that is longer than a name of a file, or starts like a model, is the model itself.
_LONGEST_PATH = 4096


def text_of(source: Any, what: str) -> str:
    """The text of a model: given as such, as bytes, or as the path of a file.

    Raises
    ------
    DataTypeError
        It is none of these.
    FileError
        The file cannot be read.
    ModelFileError
        The argument is not text.
    """
    if isinstance(source, os.PathLike) or (isinstance(source, str) and _is_path(source)):
        try:
            source = Path(source).read_bytes()
        except (OSError, ValueError) as error:  # a NUL in the name
            reason = getattr(error, "strerror", None) or "this is not a name of a file"
            raise FileError(f"{os.fspath(source)!r} cannot be read: {reason}.") from error
    if isinstance(source, (bytes, bytearray)):
        try:
            return bytes(source).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ModelFileError(f"this is not {what}: it is binary; save the model as JSON or text.") from error
    if not isinstance(source, str):
        given = Value(source, type(source).__name__)
        raise DataTypeError(must_be("model", f"{what}: the object, its text or JSON, or a file", given))
    return source


def _is_path(text: str) -> bool:
    return len(text) < _LONGEST_PATH and "\n" not in text and not text.lstrip().startswith("{")


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Whatever goes wrong while a model is taken apart means that it is not what it should be.

    Raises
    ------
    ModelFileError
        Something is missing, of another type, or outside its range.
    """
    try:
        with np.errstate(over="raise"):
            yield
    except BoxwoodError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        raise ModelFileError(f"this is not {what}: {type(error).__name__} at {error}; see docs/readers.md.") from error


def flag(value: object) -> bool:
    """A truth value, which programs also write as 0 or 1.

    Raises
    ------
    ValueError
        It is anything else, such as a text.
    """
    if not isinstance(value, (bool, int)) or value not in (0, 1):
        raise ValueError(f"a truth value is {value!r}")
    return bool(value)


def json_of(text: str, what: str) -> dict[str, Any]:
    """A JSON object out of a text.

    Raises
    ------
    ModelFileError
        The text is not a JSON object.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"this is not {what}: {error}.") from error
    if not isinstance(found, dict):
        raise ModelFileError(f"this is not {what}: it must be a JSON object.")
    return found


def chosen(trees: list[Any], tree_index: int) -> object:
    """The tree of an ensemble at a position.

    Raises
    ------
    ModelFileError
        There is no such tree.
    """
    if isinstance(tree_index, bool) or not isinstance(tree_index, int) or not 0 <= tree_index < len(trees):
        raise ModelFileError(must_be("tree_index", f"from 0 to {len(trees) - 1} in this model", tree_index))
    return trees[tree_index]
