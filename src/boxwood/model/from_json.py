"""Reads a tree that was exported as JSON into a ReadableTree."""

from __future__ import annotations

from ..exports.json_tree import read
from .readable import ReadableTree, readable


def from_json(text: str | bytes) -> ReadableTree:
    """Read a tree from JSON written by ``export("json")``; docs/tree.schema.json is its schema.

    Parameters
    ----------
    text : str or bytes
        The JSON text, not a file name.

    Returns
    -------
    ReadableTree
        The same tree, bit for bit. The policies in the JSON are meant for other programs; pass them to ``predict``
        again.

    Raises
    ------
    ModelFileError
        The text is not JSON of this format, has a newer version, or contains an invalid tree; the message names which.
    DataTypeError
        The argument is not text.

    Examples
    --------
    >>> import boxwood
    >>> model = boxwood.CARTRegressor(pruning=None).fit({"面积": [20, 30, 50]}, [0, 1, 5])
    >>> tree = boxwood.from_json(model.export("json"))
    >>> tree.predict({"面积": [24, 60]}).tolist()
    [0.0, 5.0]
    """
    return readable(read(text)[0])
