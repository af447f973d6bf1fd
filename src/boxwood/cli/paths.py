"""Which files a command may read and write: nothing that it reads is ever overwritten."""

from __future__ import annotations

import glob
import os
import stat
from pathlib import Path

import click

from .status import working


def check_model(path: str) -> None:
    """Raise click.UsageError when the model should come from standard input."""
    if path == "-":
        raise click.UsageError("MODEL must be a model file: only DATA can be - (standard input)")


def check_table_name(path: str) -> None:
    """Raise click.UsageError when the ending of a file is not that of a table we write."""
    from ..data.files.table_writer import ENDINGS

    ending = Path(path).suffix
    if ending.lower() not in ("", *ENDINGS):
        raise click.UsageError(
            f"-o must end in {', '.join(ENDINGS)}, or have no ending (then it is CSV); got {path!r} with {ending!r}"
        )


def check_page_name(path: str) -> None:
    """Raise click.UsageError when the ending of a file is not that of a page."""
    if Path(path).suffix.lower() not in (".html", ".htm", ""):
        raise click.UsageError(f"-o is an HTML page and must end in .html, or have no ending; got {path!r}")


def check_new_file(output: str, *inputs: str) -> None:
    """Raise click.UsageError when writing a file would overwrite one that is read.

    Inputs are files, addresses (file://), patterns, and folders: no file of data that a folder holds is overwritten.
    """
    from ..data.files.addresses import local_path

    for given in inputs:
        path = local_path(given)
        is_pattern = glob.has_magic(path) and not os.path.exists(path)
        for each in glob.glob(path, recursive=True) if is_pattern else [path]:
            if output != "-" and (_is_same(output, each) or _is_inside(output, each)):
                name = "the file that standard input reads" if given == "-" else repr(given)
                raise click.UsageError(f"-o {output!r} would overwrite {name}, which is read; give another name")


def check_no_earlier_file(output: str, force: bool) -> None:
    """Raise click.UsageError when a file that is written because -o was not given is there already, without --force."""
    if os.path.lexists(output) and not force:
        raise click.UsageError(f"{output!r} exists already; give another name with -o, or --force to replace it")


def _is_same(output: str, path: str) -> bool:
    """Whether two names are one file, by links of either kind too; "-" is the file behind standard input, if any."""
    try:
        if path == "-":
            source = os.stat(0)
            return stat.S_ISREG(source.st_mode) and os.path.samestat(source, os.stat(output))
        return os.path.realpath(output) == os.path.realpath(path) or os.path.samefile(output, path)
    except (OSError, ValueError):  # one of them is not there, or its name is not a name of a file
        return False


def _is_inside(output: str, folder: str) -> bool:
    """Whether a file of data that exists lies in a folder, or in a folder in it."""
    from ..data.files.data_paths import is_read

    names = (os.path.basename(output), os.path.basename(os.path.realpath(output)))
    if not os.path.isdir(folder) or not os.path.lexists(output) or not any(map(is_read, names)):
        return False
    inside = os.path.join(os.path.realpath(folder), "")
    place = os.path.join(os.path.realpath(os.path.dirname(output)), "")  # of a link, the link and what it names
    return place.startswith(inside) or os.path.realpath(output).startswith(inside)


def load_model(path: str):
    """The model in a file; its errors name the file."""
    from ..algorithms import model_from_bytes
    from ..errors import ModelFileError
    from ..tree.store import load as load_bytes

    check_model(path)
    try:
        with working(f"Reading {path} ..."):
            return model_from_bytes(load_bytes(path))
    except ModelFileError as error:
        raise ModelFileError(f"{path}: ", error.message) from error


def load_tree(path: str):
    """The tree model in a file; a model that is not a tree is refused.

    Raises
    ------
    ModelFileError
        The file holds rules or a sum of terms.
    """
    from ..errors import ModelFileError

    found = load_model(path)
    if found.tree is None:
        raise ModelFileError(
            f"{path} holds a {found.kind}, which has no nodes to explain or to prune; print it with: boxwood show."
        )
    return found
