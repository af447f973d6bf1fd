"""Where a model of another program comes from: an object, a file, its text or its JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..errors import DataTypeError, FileError, ModelFileError

#: A text that is longer than a name of a file, or starts like a model, is the model itself.
_LONGEST_PATH = 4096


def text_of(source, what: str) -> str:
    """The text of a model: given as such, as bytes, or as the path of a file.

    Raises
    ------
    DataTypeError
        It is none of these.
    FileError
        The file cannot be read.
    ModelFileError
        It is no text.
    """
    if isinstance(source, os.PathLike) or (isinstance(source, str) and _is_path(source)):
        try:
            source = Path(source).read_bytes()
        except OSError as error:
            raise FileError(f"{os.fspath(source)} cannot be read: {error.strerror}.") from error
    if isinstance(source, (bytes, bytearray)):
        try:
            return bytes(source).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ModelFileError(f"this is no {what}: it is binary; save the model as JSON or text.") from error
    if not isinstance(source, str):
        kind = type(source).__name__
        raise DataTypeError(f"model must be a {what}: the object, its text or JSON, or a file; got {kind}.")
    return source


def _is_path(text: str) -> bool:
    return len(text) < _LONGEST_PATH and "\n" not in text and not text.lstrip().startswith("{")


def json_of(text: str, what: str) -> dict:
    """A JSON object out of a text.

    Raises
    ------
    ModelFileError
        The text is no JSON object.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"this is no {what}: {error}.") from error
    if not isinstance(found, dict):
        raise ModelFileError(f"this is no {what}: it must be a JSON object.")
    return found


def chosen(trees: list, tree_index: int) -> object:
    """The tree of an ensemble at a position.

    Raises
    ------
    ModelFileError
        There is no such tree.
    """
    if isinstance(tree_index, bool) or not isinstance(tree_index, int) or not 0 <= tree_index < len(trees):
        raise ModelFileError(f"tree_index must be from 0 to {len(trees) - 1} in this model; got {tree_index!r}.")
    return trees[tree_index]
