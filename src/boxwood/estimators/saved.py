"""Reads model files into estimators, with the parameters they were fitted with."""

from __future__ import annotations

import importlib
import os
from dataclasses import replace
from typing import Any

from ..algorithms import REGISTRY, model_from_bytes
from ..errors import ModelFileError, ParameterError, ParameterTypeError
from ..learning.learning_set import usable_threads
from ..learning.parameters import checked
from ..model.settings import restored
from ..tree.store import load as load_bytes


def every_estimator() -> dict[tuple[str, str], Any]:
    """(algorithm, task), as in model files -> estimator."""
    return {(name, task): _estimator(name, task) for name, algorithm in REGISTRY.items() for task in algorithm.tasks}


def _estimator(algorithm: str, task: str) -> Any:
    """The class that an algorithm of the registry names for a task."""
    module, _, name = REGISTRY[algorithm].estimators[task].rpartition(".")
    return getattr(importlib.import_module(f".{module}", __package__), name)


def load(path: str | os.PathLike[str]) -> Any:
    """Load a model file as a fitted estimator, which can predict, be pruned again or be refitted.

    Parameters
    ----------
    path : str or path object
        Written by ``save`` of an estimator or by ``boxwood fit``.

    Returns
    -------
    estimator
        An estimator of the class that was saved, such as CARTClassifier. The parameters are those of the fit in plain
        types: arrays and tuples become lists, fold numbers for each row become the number of folds, a random state
        becomes the number drawn from it, and ``target_class`` the class of interest.

    Raises
    ------
    FileError
        The file cannot be read.
    ModelFileError
        The file is damaged, is not a model file, or requires a newer version of boxwood. No code in a file is executed.

    Examples
    --------
    >>> import os, tempfile
    >>> import boxwood
    >>> model = boxwood.CARTClassifier(max_depth=1, pruning=None).fit([[1], [2], [3]], ["a", "a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(os.path.join(folder, "model.box"))
    ...     again = boxwood.load(os.path.join(folder, "model.box"))
    >>> again.predict([[9]]).tolist(), again.max_depth
    (['b'], 1)
    """
    data = load_bytes(path)
    model: Any = model_from_bytes(data)
    if model.algorithm not in REGISTRY or model.task not in REGISTRY[model.algorithm].estimators:
        raise ModelFileError(
            f"{os.fspath(path)}: the algorithm {model.algorithm!r} for {model.task} is not supported by "
            "this version; update boxwood."
        )
    try:
        settings, threads = _usable(model)
    except (ParameterError, ParameterTypeError, RecursionError) as error:
        raise ModelFileError(f"{os.fspath(path)}: the settings in the file cannot be used: {error}") from error
    loaded = _estimator(model.algorithm, model.task)(**settings)
    loaded.model_ = replace(model, threads=threads)
    return loaded


def _usable(model: Any) -> tuple[dict[str, Any], int]:
    """The parameters of a model from a file, checked as at a fit, and the number of threads to predict with."""
    algorithm: Any = REGISTRY[model.algorithm]
    settings = checked(algorithm.parameters[model.task], restored(model.settings))
    algorithm.check(settings)
    return settings, usable_threads(settings.get("n_jobs"))
