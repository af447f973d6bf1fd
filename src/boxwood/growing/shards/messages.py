"""Messages between driver and workers as bytes: a header with kind and version, arrays, and checksums.

The container is that of the model file (:mod:`boxwood.tree.sections`); nothing in a message is run.
"""

from __future__ import annotations

import numpy as np

from ..._messages import remedy
from ..._version import __version__
from ...errors import ClusterError, ModelFileError
from ...tree.sections import pack, unpack
from ...tree.store import from_bytes, to_bytes
from ...tree.tree import Tree
from .shares import Shares
from .view import EVERYTHING, View

#: Another number means that older and newer programs do not understand each other.
VERSION = 7
_TREE = "tree"


def to_message(kind: str, plain: dict | None = None, arrays: dict[str, np.ndarray] | None = None) -> bytes:
    """A message.

    Parameters
    ----------
    kind : str
        What it is.
    plain : dict, optional
        Plain JSON values.
    arrays : dict of str to ndarray, optional
        Truth values, integers or floats of 1 to 8 bytes.

    Examples
    --------
    >>> from boxwood.growing.shards.messages import from_message, to_message
    >>> import numpy as np
    >>> from_message(to_message("greeting", {"to": "京都"}, {"x": np.array([1, 2])}), "greeting")
    ({'to': '京都'}, {'x': array([1, 2])})
    """
    short = {name: _narrow(array) for name, array in (arrays or {}).items() if array.dtype == np.int64}
    header = {"message": VERSION, "boxwood": __version__, "kind": kind, "plain": plain or {}, "narrowed": sorted(short)}
    return pack(header, {**(arrays or {}), **short}, is_message=True)


def _narrow(array: np.ndarray) -> np.ndarray:
    """Whole numbers in as few bytes as hold them: most counts of a table are small, and many are 0."""
    if not array.size:
        return array
    low, high = int(array.min()), int(array.max())
    for kind in (np.uint8, np.int16, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            return array.astype(kind)
    return array


def from_message(data: bytes | memoryview, kind: str) -> tuple[dict, dict[str, np.ndarray]]:
    """Plain values and arrays of a message of this kind; the arrays cannot be written to, and hold on to the message.

    Raises
    ------
    ClusterError
        It is damaged, of another kind, or of another version.
    """
    try:
        header, arrays, _, _ = unpack(data, is_message=True)
    except ModelFileError as error:
        raise ClusterError(f"a message between driver and workers was damaged in transit: {error}") from error
    version, other = header.get("message"), header.get("boxwood")
    if version != VERSION:
        raise ClusterError(
            f"a message has version {version} (boxwood {other}), but this side reads version {VERSION} (boxwood "
            f"{__version__}); ", remedy("install the same boxwood for the driver and all workers."),
        )  # fmt: skip
    if header.get("kind") != kind:
        raise ClusterError(f"a message of kind {kind!r} was expected, and one of kind {header.get('kind')!r} came.")
    return header["plain"], arrays | {name: arrays[name].astype(np.int64) for name in header["narrowed"]}


def tree_to_bytes(tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> bytes:
    """The tree so far, None where one begins, its shares, and the view of the shards."""
    packed = b"" if tree is None else to_bytes(tree)
    plain, arrays = {}, {"bytes": np.frombuffer(packed, dtype=np.uint8), "view": view.to_array()}
    if shares is not None:
        plain["shift"], arrays["known"] = shares.shift, shares.known
    return to_message(_TREE, plain, arrays)


def tree_from_bytes(data: bytes) -> tuple[Tree | None, Shares | None, View]:
    """All three back; see :func:`from_message` for the errors."""
    plain, arrays = from_message(data, _TREE)
    packed = arrays["bytes"].tobytes()
    shares = Shares(plain["shift"], arrays["known"]) if "shift" in plain else None
    return from_bytes(packed)[0] if packed else None, shares, View.from_array(arrays["view"])


def request_to_bytes(name: str, arguments: dict) -> bytes:
    """A request to all shards (:class:`boxwood.growing.shards.shard.Shard`)."""
    trees = [key for key, value in arguments.items() if isinstance(value, Tree)]
    packed = {key: np.frombuffer(to_bytes(arguments[key]), dtype=np.uint8) for key in trees}
    return to_message("request", {"request": name, "trees": trees}, arguments | packed)


def request_from_bytes(data: bytes) -> tuple[str, dict]:
    """The name of the request and its arguments; see :func:`from_message` for the errors."""
    plain, arguments = from_message(data, "request")
    trees = {name: from_bytes(arguments[name].tobytes())[0] for name in plain["trees"]}
    return plain["request"], arguments | trees
