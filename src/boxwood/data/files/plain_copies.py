"""Plain copies of files that are read in parts: decompressed, local, text as UTF-8."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref

from ..._messages import remedy
from ...errors import ParameterError
from .data_paths import Found
from .encodings import ENOUGH, checked_encoding, found_encoding
from .file_kinds import TEXT
from .opened import AS_FOUND, Form, first_bytes, write_plain


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
            An option of text files was given, but it is not a text.
        """
        encoding = self._encoding
        if self.form != AS_FOUND and found.kind != TEXT:
            not_one = f" is for text files, but {found.name} is not one; "
            raise ParameterError(self.form.first, not_one, remedy("leave it out."))
        if found.kind == TEXT and encoding is None:
            encoding = found_encoding(first_bytes(found.path, found.name, ENOUGH), found.name)
        if not found.packed and encoding in (None, "utf-8"):
            return found.path
        if not self._folder:
            self._folder = tempfile.mkdtemp(prefix="boxwood-")
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._made += 1
        path = os.path.join(self._folder, f"{self._made}")
        write_plain(found.path, found.name, encoding, path)
        return path
