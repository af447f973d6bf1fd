"""Classical decision trees that you can read, check and export: public names, loaded on first use."""

from __future__ import annotations

import importlib

from . import errors
from ._version import __version__ as __version__

#: Errors and warnings, which are loaded at once.
_ERRORS = {
    name: thing
    for name, thing in vars(errors).items()
    if isinstance(thing, type) and issubclass(thing, (errors.BoxwoodError, errors.BoxwoodWarning))
}
globals().update(_ERRORS)

#: Public name -> the module it lives in, but for the estimators, which the registry names; loaded on first use, so that
#: `import boxwood` costs next to nothing. Editors and type checkers read ``__init__.pyi``, which ``make stubs`` writes.
_LAZY = {
    "Binary": "growing.branching",
    "CostComplexity": "pruning.pruners.cost_complexity",
    "ErrorBased": "pruning.pruners.error_based",
    "Gain": "growing.gain",
    "ImpurityDecrease": "growing.impurity_decrease",
    "InOrder": "growing.in_order",
    "Merged": "growing.merged",
    "Multiway": "growing.branching",
    "Proposed": "growing.proposed",
    "Scored": "growing.scored",
    "Significance": "growing.significance",
    "Termination": "growing.termination",
    "MARSTransformer": "estimators.mars_transformer",
    "Tree": "tree.tree",
    "Tsallis": "statistics.tsallis",
    "Quantile": "statistics.quantile",
    "Tweedie": "statistics.tweedie",
    "bin_features": "estimators.bin_features",
    "check_data": "estimators.check_data",
    "compare": "estimators.compare",
    "config_context": "data.frames.config",
    "diff": "estimators.diff",
    "from_json": "model.from_json",
    "from_lightgbm": "model.readers.lightgbm",
    "from_rpart": "model.readers.rpart",
    "from_sklearn": "model.readers.sklearn",
    "from_xgboost": "model.readers.xgboost",
    "load": "estimators.saved",
    "set_config": "data.frames.config",
}

#: Public modules, loaded on first use as well.
_MODULES = ("datasets", "edits", "measures", "pruners", "sklearn")


def _places() -> dict[str, str]:
    """Public name -> its module, with the estimators of the registry."""
    from .algorithms import REGISTRY

    found = dict(_LAZY)
    for algorithm in REGISTRY.values():
        for place in algorithm.estimators.values():
            module, _, name = place.rpartition(".")
            found[name] = f"estimators.{module}"
    return found


def _public() -> list[str]:
    """The public names, sorted."""
    return sorted([*_places(), *_MODULES, *_ERRORS, "errors", "__version__"])


def __getattr__(name: str):
    """A public name that has not been used yet (PEP 562); ``__all__`` is made of the registry."""
    if name == "__all__":
        return _public()
    if name in _MODULES:
        value = importlib.import_module(f".{name}", __name__)
    elif not name.startswith("_") and name in (places := _LAZY if name in _LAZY else _places()):
        value = getattr(importlib.import_module(f".{places[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, also those that have not been used yet."""
    return _public()
