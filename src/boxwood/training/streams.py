"""How a tree algorithm learns from a stream of batches: the same model as from the same rows in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import MissingValueError, ParameterError
from ..sources.parts.cache import new_folder
from ..sources.parts.layout import Roles
from .algorithm import Algorithm
from .encoding import Means, encoded
from .learning_set import usable_threads
from .memory_size import memory_size
from .model import TreeModel
from .parameters import checked
from .parts_learning import parts_learning
from .pruners import Pruner


@dataclass(frozen=True)
class How:
    """How a stream is learned from; none of it changes the model.

    Attributes
    ----------
    memory : str or int
        What the fit may use, about: a text such as "2GB", or bytes.
    cache : str or None
        Folder in which the code cache stays; None = it is temporary.
    rows : int or None
        Rows of a batch and of a part; None = as many as the memory allows.
    """

    memory: str | int = "2GB"
    cache: str | None = None
    rows: int | None = None

    def means(self, settings: dict) -> Means:
        """Memory and threads, checked.

        Raises
        ------
        ParameterError, ParameterTypeError
        """
        return Means(memory_size(self.memory), usable_threads(settings.get("n_jobs")), self.rows)


_AS_USUAL = How()


def fit_stream(
    algorithm: Algorithm, source, roles: Roles, task: str, settings: dict, how: How = _AS_USUAL
) -> TreeModel:
    """Fit a model to data that need not fit into memory; the same model as from the same rows in memory.

    Parameters
    ----------
    algorithm : Algorithm
    source : path, list of paths, frames, callable ... (:class:`boxwood.data.batches.Batches`), or folder of a cache
    roles : Roles
    task : {"classification", "regression"}
    settings : dict
        Parameters that differ from their defaults.
    how : How

    Raises
    ------
    ParameterError
        Something is asked for that needs the rows themselves, or a parameter is out of range.
    FileError, DataError, DataTypeError
        See :func:`boxwood.training.encoding.encoded`.
    """
    settings = checked(algorithm.parameters[task], settings)
    refuse_what_needs_rows(algorithm, settings)
    means = how.means(settings)
    with encoded(source, roles, task, settings, means, how.cache) as made, new_folder(None) as folder:
        refuse_missing(made.facts, settings)
        settings["categorical_features"] = made.facts["made_with"]["categorical_features"]
        return algorithm.fit_parts(parts_learning(made, settings, means, folder), task, settings)


def refuse_what_needs_rows(algorithm: Algorithm, settings: dict) -> None:
    """Refuse settings that need the rows themselves.

    Raises
    ------
    ParameterError
    """
    if settings.get("max_bins") is not None:
        raise ParameterError("max_bins cuts columns in memory, and a stream is exact without: leave max_bins=None.")
    pruner = _pruner(algorithm, settings)
    if getattr(pruner, "raising", False):
        raise ParameterError(
            f"pruning={settings['pruning']!r} with raising sends rows down again, which a stream does not do; choose "
            "raising=False, another pruner (docs/pruning.md), or pruning=None."
        )
    folds = getattr(pruner, "folds", None)
    if folds is not None and not isinstance(folds, (int, np.integer)):
        raise ParameterError(
            "folds must be a number of folds: rows of a stream have no place of their own to be listed by."
        )


def _pruner(algorithm: Algorithm, settings: dict) -> Pruner | None:
    return algorithm.pruner(settings) if settings.get("ccp_alpha", 0.0) == 0.0 else None


def raises(algorithm: Algorithm, task: str, settings: dict) -> bool:
    """Whether settings (those that differ from the defaults) ask for pruning with raising, which streams refuse."""
    return getattr(_pruner(algorithm, checked(algorithm.parameters[task], settings)), "raising", False)


def refuse_missing(facts: dict, settings: dict) -> None:
    """The policy missing='error': ``facts`` names the columns with "missing" and with "infinite" values."""
    if settings.get("missing") != "error":
        return
    for names, what in (
        (facts["missing"], "a missing value (NaN)"),
        (facts["infinite"], "an infinite value"),
    ):
        for name in names:
            raise MissingValueError(
                f"column {name!r} has {what} and missing='error' refuses it; fill it in, or choose another policy for "
                "missing values."
            )
