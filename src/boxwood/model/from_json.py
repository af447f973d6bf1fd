"""Reads a tree that was exported as JSON into a ReadableTree."""

from __future__ import annotations

from ..exports.json_tree import read
from .readable import ReadableTree, readable


def from_json(text: str | bytes) -> ReadableTree:
    """The tree of a JSON text that ``export("json")`` wrote; docs/tree.schema.json is its schema.

    Parameters
    ----------
    text : str or bytes
        The JSON itself, not the name of a file.

    Returns
    -------
    ReadableTree
        The same tree bit for bit. The policies that stand in the JSON are for other programs: give them again to
        ``predict``.

    Raises
    ------
    ModelFileError
        The text is no such JSON, of a newer version, or its tree is not sound; the message says what is wrong.
    DataTypeError
        It is not text.

    Examples
    --------
    >>> import boxwood
    >>> model = boxwood.CARTRegressor(pruning=None).fit({"面积": [20, 30, 50]}, [0, 1, 5])
    >>> tree = boxwood.from_json(model.export("json"))
    >>> tree.predict({"面积": [24, 60]}).tolist()
    [0.0, 5.0]
    """
    return readable(read(text)[0])
