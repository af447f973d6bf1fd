"""Models of other programs as boxwood trees, for text, rules, pictures, explanations and exports."""

from __future__ import annotations

from .lightgbm import from_lightgbm
from .rpart import from_rpart
from .sklearn import from_sklearn
from .xgboost import from_xgboost

__all__ = ["from_lightgbm", "from_rpart", "from_sklearn", "from_xgboost"]
