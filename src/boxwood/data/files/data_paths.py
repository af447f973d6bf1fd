"""The data files that a list of paths, folders and patterns names, with their sizes and times."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from ...errors import FileError
from ..frames.arrow_tables import shown_path
from .addresses import files_at, is_pattern, local_path, scheme_of, shown_address
from .file_kinds import JSON, START, TEXT, WORKBOOK, compression_of, kind_of, refuse_other
from .opened import STANDARD_STREAM, first_bytes
from .partitions import FolderPartition, partitions

#: Endings of the files of a folder that are read; a file named by itself may have any.
_ENDINGS = (
    ".parquet", ".csv", ".feather", ".arrow", ".orc", ".csv.gz", ".csv.zst", ".csv.bz2", ".csv.xz",
    ".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt", ".rds",
)  # fmt: skip


@dataclass(frozen=True)
class Found:
    """A data file.

    Attributes
    ----------
    path : str
    size : int
        Bytes.
    changed : int
        Time of the last change, in ns.
    is_csv : bool
        It holds text, by its content.
    partition : dict
        Columns that the names of its folders hold, with their value in all rows (:mod:`.partitions`).
    kind : str
        What it holds (:mod:`.file_kinds`).
    packed : str
        How it is compressed, or "an address" where it is not on this machine; "" = it is read where it lies.
    """

    path: str
    size: int
    changed: int
    is_csv: bool
    partition: FolderPartition = field(default_factory=dict)
    kind: str = ""
    packed: str = ""

    @property
    def name(self) -> str:
        """The path for messages."""
        return shown_path(self.path)


def find_files(paths: list) -> list[Found]:
    """The files that paths name: files, folders (its .parquet and .csv files and those of folders in it), patterns.

    Raises
    ------
    FileError
        A path names nothing, or a file cannot be read or is empty.
    """
    named = [named_files(os.fspath(path)) for path in paths]
    found = [_look(path) for files in named for path in files]
    if not found:
        raise FileError("no data file is named; give Parquet or CSV files, or a folder of them.")
    base = _joint_folder([_folder(os.fspath(path), files) for path, files in zip(paths, named, strict=True)])
    partitions = folder_columns([file.path for file in found], base)
    return [replace(file, partition=partition) for file, partition in zip(found, partitions, strict=True)]


def named_files(path: str) -> list[str]:
    """The files that a path names: those of a folder, those that match a pattern, or itself.

    Raises
    ------
    FileError
        A folder contains no data file, or a pattern matches none.
    """
    path = local_path(path)
    return _at_address(path) if scheme_of(path) else _on_this_machine(path)


def names_many(path: str) -> bool:
    """Whether a path is a folder or a pattern; nothing is read on this machine.

    Raises
    ------
    FileError, NotAvailableError
        What is at an address cannot be found out.
    """
    path = local_path(path)
    if scheme_of(path):
        return files_at(path, shown_path(path)) is not None
    return os.path.isdir(path) or (glob.has_magic(path) and not os.path.exists(path))


def folder_columns(paths: list[str], base: str = "", as_text: Collection[str] = ()) -> list[FolderPartition]:
    """What the names of the folders of each file hold (:mod:`.partitions`), below a folder that all are in."""
    return partitions([_whole(path) for path in paths], base, as_text)


def base_folder(path: str) -> str:
    """The folder of what a path names, below which folders hold columns."""
    return _folder(path, named_files(path))


def _whole(path: str) -> str:
    """A path from the root on."""
    return shown_address(path) if scheme_of(path) else os.path.abspath(path)


def _folder(path: str, files: list[str]) -> str:
    """The folder given, that of the file given, or that before the first wildcard of a pattern."""
    path = local_path(path)
    if files == [path]:
        return _whole(os.path.dirname(path))
    if os.path.isdir(path) or (scheme_of(path) and not is_pattern(path)):
        return _whole(path).rstrip("/")
    return _whole(os.path.dirname(re.split(r"[*?[]", path, maxsplit=1)[0]))


def _joint_folder(folders: list[str]) -> str:
    """The deepest folder that all are in."""
    try:
        return os.path.commonpath(folders) if len(set(folders)) > 1 else folders[0]
    except ValueError:  # they are on different drives
        return ""


def is_read(name: str) -> bool:
    """Whether a file of this name is read when the folder that holds it is given."""
    return name.lower().endswith(_ENDINGS) and not name.startswith((".", "_"))


def _at_address(path: str) -> list[str]:
    name = shown_path(path)
    found = files_at(path, name)
    if found is None:
        return [path]
    if not is_pattern(path):
        found = [file for file in found if is_read(os.path.basename(shown_address(file)))]
    if not found:
        raise FileError(f"{name} contains no .parquet or .csv file; check the address.")
    return found


def _on_this_machine(path: str) -> list[str]:
    name = shown_path(path)
    if os.path.isdir(path):
        inside = [os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files if is_read(file)]
        if not inside:
            raise FileError(f"{name} is a folder without .parquet or .csv files; name a folder that has some.")
        return sorted(inside)
    if not os.path.exists(path) and glob.has_magic(path):
        matching = sorted(file for file in glob.glob(path, recursive=True) if os.path.isfile(file))
        if not matching:
            raise FileError(f"{name} matches no file; check the pattern and the folder.")
        return matching
    return [path]


def _look(path: str) -> Found:
    name = shown_path(path)
    if path == STANDARD_STREAM:
        raise FileError("standard input can be read only once, and learning in parts may need more; save it to a file.")
    if not path or "\0" in path:
        raise FileError(f"{name!r} is not the name of a file; give the name of a CSV or Parquet file.")
    start = first_bytes(path, name, START)
    if not start:
        raise FileError(f"{name} is empty; a data file starts with a line of column names.")
    kind = kind_of(start, name)
    if kind == TEXT:
        refuse_other(start, name)
    if kind in (WORKBOOK, JSON):
        what = "a workbook" if kind == WORKBOOK else "JSON"
        raise FileError(f"{name} is {what}, which cannot be read in parts; read it whole, or save it as Parquet.")
    if scheme_of(path):
        return Found(path, 0, 0, kind == TEXT, kind=kind, packed="an address")
    with open(path, "rb") as file:
        status, packed = os.fstat(file.fileno()), compression_of(file.read(8))
    return Found(path, status.st_size, status.st_mtime_ns, kind == TEXT, kind=kind, packed=packed)
