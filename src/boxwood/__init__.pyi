"""Classical decision trees that you can read, check and export; written by `make stubs`."""

from . import datasets as datasets
from . import errors as errors
from . import measures as measures
from . import pruners as pruners
from ._version import __version__ as __version__
from .data.frames.config import config_context as config_context
from .data.frames.config import set_config as set_config
from .errors import BoxwoodError as BoxwoodError
from .errors import BoxwoodWarning as BoxwoodWarning
from .errors import ClusterError as ClusterError
from .errors import ColumnError as ColumnError
from .errors import DataError as DataError
from .errors import DataTypeError as DataTypeError
from .errors import FileError as FileError
from .errors import FontWarning as FontWarning
from .errors import FormatWarning as FormatWarning
from .errors import KindWarning as KindWarning
from .errors import MissingValueError as MissingValueError
from .errors import ModelFileError as ModelFileError
from .errors import NotAvailableError as NotAvailableError
from .errors import ParameterError as ParameterError
from .errors import ParameterTypeError as ParameterTypeError
from .errors import PruningWarning as PruningWarning
from .errors import ResponseError as ResponseError
from .errors import RowsLostError as RowsLostError
from .errors import TextResponseError as TextResponseError
from .errors import UnseenLevelError as UnseenLevelError
from .errors import UnseenLevelWarning as UnseenLevelWarning
from .errors import WeightError as WeightError
from .estimators.c45_classifier import C45Classifier as C45Classifier
from .estimators.c45_rules import C45Rules as C45Rules
from .estimators.cart_classifier import CARTClassifier as CARTClassifier
from .estimators.cart_regressor import CARTRegressor as CARTRegressor
from .estimators.chaid_classifier import CHAIDClassifier as CHAIDClassifier
from .estimators.chaid_regressor import CHAIDRegressor as CHAIDRegressor
from .estimators.cls_classifier import CLSClassifier as CLSClassifier
from .estimators.compare import compare as compare
from .estimators.composed_classifier import TreeClassifier as TreeClassifier
from .estimators.composed_regressor import TreeRegressor as TreeRegressor
from .estimators.id3_classifier import ID3Classifier as ID3Classifier
from .estimators.mars_classifier import MARSClassifier as MARSClassifier
from .estimators.mars_regressor import MARSRegressor as MARSRegressor
from .estimators.mars_transformer import MARSTransformer as MARSTransformer
from .estimators.saved import load as load
from .growing.branching import Binary as Binary
from .growing.branching import Multiway as Multiway
from .growing.gain import Gain as Gain
from .growing.impurity_decrease import ImpurityDecrease as ImpurityDecrease
from .growing.in_order import InOrder as InOrder
from .growing.merged import Merged as Merged
from .growing.proposed import Proposed as Proposed
from .growing.scored import Scored as Scored
from .growing.significance import Significance as Significance
from .growing.termination import Termination as Termination
from .model.from_json import from_json as from_json
from .model.readers.lightgbm import from_lightgbm as from_lightgbm
from .model.readers.rpart import from_rpart as from_rpart
from .model.readers.sklearn import from_sklearn as from_sklearn
from .model.readers.xgboost import from_xgboost as from_xgboost
from .pruning.pruners.cost_complexity import CostComplexity as CostComplexity
from .pruning.pruners.error_based import ErrorBased as ErrorBased
from .statistics.tsallis import Tsallis as Tsallis
from .statistics.tweedie import Tweedie as Tweedie
from .tree.tree import Tree as Tree

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
