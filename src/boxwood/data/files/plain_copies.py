"""Plain copies of files that are read in parts: decompressed, local, text as UTF-8, other programs' as Arrow."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref

from .data_paths import Found
from .encodings import ENOUGH, checked_encoding, found_encoding
from .file_kinds import STATISTICAL, TEXT
from .opened import AS_FOUND, Form, first_bytes, read_bytes, write_plain
from .statistical_files import read_statistical
from .typed_files import write_arrow


class PlainCopies:
    """Copies in a temporary folder, which is removed when nobody holds this object any more.

    Parameters
    ----------
    form : Form
        The encoding of text files, and their layout.
    """

    def __init__(self, form: Form = AS_FOUND):
        self.form = form
        self._encoding, self._folder, self._made = checked_encoding(form.encoding), "", 0

    def path_of(self, found: Found) -> str:
        """Where a file can be read in parts: its own path, or that of a copy.

        Raises
        ------
        FileError
            It cannot be read.
        ParameterError
            An option of other kinds of files was given.
        """
        encoding = self._encoding
        self.form.check(found.kind, found.name)
        if found.kind == TEXT and encoding is None:
            encoding = found_encoding(first_bytes(found.path, found.name, ENOUGH), found.name)
        if not (found.packed or found.kind in STATISTICAL) and encoding in (None, "utf-8"):
            return found.path
        if not self._folder:
            self._folder = tempfile.mkdtemp(prefix="boxwood-")
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._made += 1
        path = os.path.join(self._folder, f"{self._made}")
        if found.kind in STATISTICAL:
            write_arrow(read_statistical(read_bytes(found.path, found.name), found.kind, found.name, self.form), path)
        else:
            write_plain(found.path, found.name, encoding, path)
        return path
