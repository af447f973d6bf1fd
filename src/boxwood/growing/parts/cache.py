"""The code cache: a folder with the parts of a learning set in final numbers, and a header that describes them.

Written under another name and renamed when it is complete, so that a folder of this name is whole (docs/streams.md,
:mod:`.folders`).
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from ..._messages import remedy
from ..._version import __version__
from ...data.files.data_paths import Found
from ...errors import FileError, ModelFileError
from ...statistics.exact import Exact
from ...statistics.fixed_point import WeightScale, target_scale_from_json, target_scale_to_json
from ...statistics.responses.classes import Classes
from ...statistics.responses.registry import response_of_power
from ...statistics.responses.response import Response
from ...tree.meaning import response_from_json, response_to_json, schema_from_json, schema_to_json
from ..shards.part import Part
from .finishing import PartsPlan, Weighting
from .folders import unlock
from .memory_part import MemoryPart
from .part_file import PartFile, writing

#: Another number means that a cache must be made again.
FORMAT = 4
HEADER = "boxwood-cache.json"


@dataclass(frozen=True, eq=False)
class Cache:
    """A learning set in parts.

    Attributes
    ----------
    folder : str
    plan : PartsPlan
        Schema, cuts, and the fixed point of the response; its weighting is done.
    parts : tuple of PartFile or MemoryPart
        The latter when all of them fit into memory and the cache is temporary.
    has_missing : bool
        Whether a feature has a missing value in a row of positive weight.
    facts : dict
        Plain facts of the whole: task, target, weight, rows (given), and what decided how it was read (``made_with``).
    files : tuple of Found
        The files it was made from, as they were; empty when there were none.
    """

    folder: str
    plan: PartsPlan
    parts: tuple[PartFile | MemoryPart, ...]
    has_missing: bool
    facts: dict
    files: tuple[Found, ...]

    @property
    def n(self) -> int:
        """Number of rows of positive weight."""
        return sum(part.n for part in self.parts)

    @property
    def response(self) -> Response:
        """The response without priors and costs."""
        labels = self.plan.labels
        if labels:
            given = self.plan.weighting.class_weights
            return Classes(self.facts["target"], labels, (1.0,) * len(labels), class_weights=given)
        return response_of_power(self.plan.target_scale.power, self.facts["target"])

    @property
    def scaling(self) -> Exact:
        """The fixed point of the response, without arrays."""
        plan = self.plan
        return plan.scaling(self.response.kind, self.n)

    def opened(self) -> list[Part]:
        """The parts, mapped into memory."""
        return [self._opened(part) for part in self.parts]

    def _opened(self, part: PartFile | MemoryPart) -> Part:
        plan, arrays = self.plan, part.mapped()
        p = len(plan.schema)
        names = {"codes": "y"} if plan.target_scale is None else {"high": "y", "low": "low", "log": "log"}
        y = {field: arrays[name] for field, name in names.items() if name in arrays}
        exact = replace(self.scaling, n=part.n, weight=arrays.get("weight"), **y)
        return Part(
            plan.schema,
            part.n,
            tuple(arrays[f"x{j}"] for j in range(p)),
            tuple(arrays.get(f"c{j}") for j in range(p)),
            plan.cuts,
            exact,
            tuple(arrays.get(f"l{j}") for j in range(p)),
        )


def publish(cache: Cache, target: str) -> Cache:
    """Give a complete cache its name: checksums, header, everything on the disk, and then the name.

    Raises
    ------
    FileError
        It cannot be written.
    """
    target = os.path.abspath(target)
    for part in cache.parts:
        part.synchronise()
    header = _header(cache)
    with writing(target):
        with open(os.path.join(cache.folder, HEADER), "xb") as file:
            file.write(header)
            file.flush()
            os.fsync(file.fileno())
        os.rename(cache.folder, target)
        unlock(target)
        _synchronise_folder(os.path.dirname(target))
    parts = tuple(PartFile(os.path.join(target, os.path.basename(p.path)), p.n, p.sections) for p in cache.parts)
    return Cache(target, cache.plan, parts, cache.has_missing, cache.facts, cache.files)


def _synchronise_folder(folder: str) -> None:
    with suppress(OSError):  # some systems cannot; the files themselves are safe
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _header(cache: Cache) -> bytes:
    """The header: JSON, and the checksum of the JSON in a line after it."""
    plan = cache.plan
    facts = {
        "format": FORMAT,
        "boxwood": __version__,
        "schema": schema_to_json(plan.schema),
        "response": response_to_json(cache.response),
        "thresholds": {str(j): [t.hex() for t in behind.tolist()] for j, behind in plan.thresholds.items()},
        "cuts": [None if cuts is None else cuts.tolist() for cuts in plan.cuts],
        "weights": {"unit": plan.weights.unit.hex(), "ones": plan.weights.ones},
        "target_scale": target_scale_to_json(plan.target_scale),
        "masses": list(plan.masses),
        "class_rows": list(plan.class_rows),
        "has_missing": cache.has_missing,
        "facts": cache.facts,
        "files": [{"path": f.path, "size": f.size, "changed": f.changed, "is_csv": f.is_csv} for f in cache.files],
        "parts": [
            {"file": os.path.basename(p.path), "rows": p.n, "sections": p.sections, "size": os.path.getsize(p.path)}
            | {"crc32": p.checksum()}
            for p in cache.parts
        ],
    }  # fmt: skip
    body = json.dumps(facts, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return body + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n"


def is_cache(path: object) -> bool:
    """Whether a path is a folder that holds a code cache."""
    return isinstance(path, (str, os.PathLike)) and os.path.isfile(os.path.join(os.fspath(path), HEADER))


def open_cache(folder: str | os.PathLike) -> Cache:
    """Open a cache after all checksums were compared, and the files it was made from looked at.

    Raises
    ------
    FileError
        The cache is damaged, of another version, or older than its files; the message gives the remedy.
    """
    folder = os.fspath(folder)
    facts = _read_header(folder)
    if facts.get("format") != FORMAT:
        raise FileError(
            f"the code cache {folder!r} was written in format {facts.get('format')}, and this boxwood reads format "
            f"{FORMAT}; ", remedy("make it again with: boxwood encode."),
        )  # fmt: skip
    try:
        cache = _from_header(folder, facts)
    except (KeyError, TypeError, ValueError, AttributeError, ModelFileError):
        raise _damaged(folder, HEADER, "it lacks what a cache must have") from None
    _check_parts(cache, facts["parts"])
    _check_files(cache)
    return cache


def _damaged(folder: str, file: str, fact: str) -> FileError:
    return FileError(
        f"the code cache {folder!r} is damaged in {file}: {fact}; remove the folder and make "
        "it again with: boxwood encode."
    )


def _read_header(folder: str) -> dict:
    try:
        with open(os.path.join(folder, HEADER), "rb") as file:
            body, _, check = file.read().partition(b"\n")
    except OSError as error:
        raise FileError(f"{folder!r} is not a code cache; ", remedy("make one with: boxwood encode.")) from error
    if hashlib.sha256(body).hexdigest().encode() != check.strip():
        raise _damaged(folder, HEADER, "its checksum is wrong")
    return json.loads(body)


def _from_header(folder: str, facts: dict) -> Cache:
    target_scale = target_scale_from_json(facts["target_scale"])
    weights = WeightScale(float.fromhex(facts["weights"]["unit"]), ones=facts["weights"]["ones"])
    response = response_from_json(facts["response"])
    cuts = tuple(None if c is None else np.array(c, dtype=np.float64) for c in facts["cuts"])
    thresholds = {int(j): np.array([float.fromhex(t) for t in behind]) for j, behind in facts["thresholds"].items()}
    plan = PartsPlan(
        schema_from_json(facts["schema"]), cuts, response.labels, Weighting(response.class_weights or None), weights,
        target_scale, tuple(facts["masses"]), thresholds=thresholds,
        class_rows=tuple(facts.get("class_rows", facts["masses"])),
    )  # fmt: skip
    parts = tuple(
        PartFile(
            os.path.join(folder, os.path.basename(p["file"])),
            p["rows"],
            {name: (kind, at) for name, (kind, at) in p["sections"].items()},
        )
        for p in facts["parts"]
    )
    return Cache(folder, plan, parts, facts["has_missing"], facts["facts"], tuple(Found(**f) for f in facts["files"]))


def _check_parts(cache: Cache, stored: list[dict]) -> None:
    for part, facts in zip(cache.parts, stored, strict=True):
        name = os.path.basename(part.path)
        try:
            size = os.path.getsize(part.path)
        except OSError:
            raise _damaged(cache.folder, name, "it is not there") from None
        if size != facts["size"]:
            raise _damaged(cache.folder, name, f"it has {size} bytes, but it was written with {facts['size']}")
        if part.checksum() != facts["crc32"]:
            raise _damaged(cache.folder, name, "its checksum is wrong")


def _check_files(cache: Cache) -> None:
    """A cache of files that have changed would give the tree of other data."""
    for file in cache.files:
        try:
            now = os.stat(file.path)
        except OSError:
            continue  # the cache is of data that are no longer there
        if (now.st_size, now.st_mtime_ns) != (file.size, file.changed):
            raise FileError(
                f"{file.name} has changed since the code cache {cache.folder!r} was made of it; ",
                remedy("make the cache again with: boxwood encode."),
            )  # fmt: skip
