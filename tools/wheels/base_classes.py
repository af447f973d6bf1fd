"""Names that boxwood imports, for systems without them: a Python of musl compiled for a trial, without scikit-learn.

Only trials of wheels use it: the kernel and everything of boxwood are the installed ones.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from types import ModuleType


class BaseEstimator:
    """Parameters by the signature of the constructor."""

    def get_params(self, deep: bool = True) -> dict:
        names = inspect.signature(type(self).__init__).parameters
        return {name: getattr(self, name) for name in names if name != "self"}

    def set_params(self, **params):
        for name, value in params.items():
            setattr(self, name, value)
        return self


class Mixin:
    """What an estimator is for; nothing here uses it."""


class NotFittedError(ValueError, AttributeError):
    """A prediction before the fit."""


class DataConversionWarning(UserWarning):
    """A column vector where an array of one dimension is meant."""


def check_is_fitted(estimator, *_, **__) -> None:
    if not any(name.endswith("_") and not name.startswith("__") for name in vars(estimator)):
        raise NotFittedError("fit first")


def clone(estimator, **_):
    return type(estimator)(**estimator.get_params())


def unused(*_, **__):
    raise NotImplementedError("only scikit-learn has this")


def unlike_any(name: str) -> type:
    """A type of ctypes, which numpy names when it is imported."""
    if name.startswith("__"):
        raise AttributeError(name)
    return type(name, (), {"__mul__": unused})


def no_library(*_, **__):
    raise OSError("no libraries without ctypes")


def install_standard() -> None:
    """Modules of the standard library whose C libraries the trial's Python was compiled without."""
    names = {
        "bz2": {"open": unused},
        "lzma": {"open": unused, "LZMAError": type("LZMAError", (Exception,), {})},
        "ctypes": {"CDLL": no_library, "__getattr__": unlike_any},
    }
    for name, holds in names.items():
        try:
            importlib.import_module(name)
        except ImportError:
            print(f"this Python has no {name}; it is replaced")
            sys.modules[name] = ModuleType(name)
            vars(sys.modules[name]).update(holds)


def install() -> None:
    """Serve the names as the package sklearn."""
    import numpy as np  # after install_standard

    names = {
        "": {"__version__": "0"},
        ".base": {"BaseEstimator": BaseEstimator, "clone": clone, "is_classifier": unused, "is_regressor": unused},
        ".exceptions": {"NotFittedError": NotFittedError, "DataConversionWarning": DataConversionWarning},
        ".utils": {"check_random_state": np.random.RandomState, "_safe_indexing": unused},
        ".utils.validation": {"check_is_fitted": check_is_fitted, "has_fit_parameter": unused},
    }
    names[".base"] |= dict.fromkeys(("ClassifierMixin", "RegressorMixin", "TransformerMixin"), Mixin)
    for name, holds in names.items():
        module = sys.modules["sklearn" + name] = ModuleType("sklearn" + name)
        module.__path__ = []
        vars(module).update(holds)
