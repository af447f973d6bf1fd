"""The scikit-learn facade: one estimator per task and algorithm of the registry."""

from __future__ import annotations

from .c45_classifier import C45Classifier
from .c45_rules import C45Rules
from .cart_classifier import CARTClassifier
from .cart_regressor import CARTRegressor
from .chaid_classifier import CHAIDClassifier
from .chaid_regressor import CHAIDRegressor
from .cls_classifier import CLSClassifier
from .composed_classifier import TreeClassifier
from .composed_regressor import TreeRegressor
from .id3_classifier import ID3Classifier
from .mars_classifier import MARSClassifier
from .mars_regressor import MARSRegressor
from .mars_transformer import MARSTransformer
from .saved import ESTIMATORS, load

__all__ = [
    "ESTIMATORS",
    "C45Classifier",
    "C45Rules",
    "CARTClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "CHAIDRegressor",
    "CLSClassifier",
    "ID3Classifier",
    "MARSClassifier",
    "MARSRegressor",
    "MARSTransformer",
    "TreeClassifier",
    "TreeRegressor",
    "load",
]
