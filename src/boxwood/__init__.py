"""Classical decision trees that you can read, check and export: public names, loaded on first use."""

from __future__ import annotations

import importlib

from . import errors
from ._version import __version__
from .errors import (
    BoxwoodError,
    BoxwoodWarning,
    ClusterError,
    ColumnError,
    DataError,
    DataTypeError,
    FileError,
    FontWarning,
    FormatWarning,
    KindWarning,
    MissingValueError,
    ModelFileError,
    NotAvailableError,
    ParameterError,
    ParameterTypeError,
    PruningWarning,
    ResponseError,
    RowsLostError,
    TextResponseError,
    UnseenLevelError,
    UnseenLevelWarning,
    WeightError,
)

#: Public name -> the module it lives in; loaded on first use, so that `import boxwood` costs next to nothing. Editors
#: and type checkers read the same from ``__init__.pyi``, which ``make stubs`` writes.
_LAZY = {
    "Binary": "growing.branching",
    "C45Classifier": "estimators.c45_classifier",
    "C45Rules": "estimators.c45_rules",
    "CARTClassifier": "estimators.cart_classifier",
    "CARTRegressor": "estimators.cart_regressor",
    "CHAIDClassifier": "estimators.chaid_classifier",
    "CHAIDRegressor": "estimators.chaid_regressor",
    "CLSClassifier": "estimators.cls_classifier",
    "CostComplexity": "pruning.pruners.cost_complexity",
    "ErrorBased": "pruning.pruners.error_based",
    "Gain": "growing.gain",
    "ID3Classifier": "estimators.id3_classifier",
    "ImpurityDecrease": "growing.impurity_decrease",
    "InOrder": "growing.in_order",
    "Merged": "growing.merged",
    "Multiway": "growing.branching",
    "Proposed": "growing.proposed",
    "Scored": "growing.scored",
    "Significance": "growing.significance",
    "Termination": "growing.termination",
    "MARSClassifier": "estimators.mars_classifier",
    "MARSRegressor": "estimators.mars_regressor",
    "MARSTransformer": "estimators.mars_transformer",
    "Tree": "tree.tree",
    "TreeClassifier": "estimators.composed_classifier",
    "Tsallis": "statistics.tsallis",
    "Tweedie": "statistics.tweedie",
    "TreeRegressor": "estimators.composed_regressor",
    "compare": "estimators.compare",
    "config_context": "data.frames.config",
    "from_json": "model.from_json",
    "from_lightgbm": "model.readers.lightgbm",
    "from_rpart": "model.readers.rpart",
    "from_sklearn": "model.readers.sklearn",
    "from_xgboost": "model.readers.xgboost",
    "load": "estimators.saved",
    "set_config": "data.frames.config",
}

#: Public modules, loaded on first use as well.
_MODULES = ("datasets", "measures", "pruners")

__all__ = [
    "Binary",
    "BoxwoodError",
    "BoxwoodWarning",
    "C45Classifier",
    "C45Rules",
    "CARTClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "CHAIDRegressor",
    "CLSClassifier",
    "ClusterError",
    "ColumnError",
    "CostComplexity",
    "DataError",
    "DataTypeError",
    "ErrorBased",
    "FileError",
    "FontWarning",
    "FormatWarning",
    "Gain",
    "ID3Classifier",
    "ImpurityDecrease",
    "InOrder",
    "KindWarning",
    "MARSClassifier",
    "MARSRegressor",
    "MARSTransformer",
    "Merged",
    "MissingValueError",
    "ModelFileError",
    "Multiway",
    "NotAvailableError",
    "ParameterError",
    "ParameterTypeError",
    "Proposed",
    "PruningWarning",
    "ResponseError",
    "RowsLostError",
    "Scored",
    "Significance",
    "Termination",
    "TextResponseError",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "Tsallis",
    "Tweedie",
    "UnseenLevelError",
    "UnseenLevelWarning",
    "WeightError",
    "__version__",
    "compare",
    "config_context",
    "datasets",
    "errors",
    "from_json",
    "from_lightgbm",
    "from_rpart",
    "from_sklearn",
    "from_xgboost",
    "load",
    "measures",
    "pruners",
    "set_config",
]


def __getattr__(name: str):
    """A public name that has not been used yet (PEP 562)."""
    if name in _MODULES:
        value = importlib.import_module(f".{name}", __name__)
    elif name in _LAZY:
        value = getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, also those that have not been used yet."""
    return list(__all__)
