"""Saving and loading of models of any kind."""

from __future__ import annotations

import os

from ..tree import store


class FileMixin:
    """The part of a model that reads and writes files, over its ``to_bytes`` and ``from_bytes``."""

    def save(self, path: str | os.PathLike) -> None:
        """Write the model file, whole or not at all: an older file stays until the new one is complete.

        Parameters
        ----------
        path : str or path object

        Raises
        ------
        FileError
            The file cannot be written.
        """
        store.save(path, self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike):
        """Read a model file.

        Parameters
        ----------
        path : str or path object

        Returns
        -------
        A model of this class.

        Raises
        ------
        FileError
            The file cannot be read.
        ModelFileError
            It is damaged, or contains no model of this kind.
        """
        return cls.from_bytes(store.load(path))
