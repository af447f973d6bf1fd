"""scikit-learn's own checks of an estimator, for every estimator and its main settings: no failure is expected."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from boxwood import CARTClassifier, CARTRegressor, CostComplexity

CLASSIFIERS = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy", pruning=None),
    CARTClassifier(criterion="error", pruning=None),
    CARTClassifier(missing="learned", pruning=None),
    CARTClassifier(missing="majority", pruning=None),
    CARTClassifier(missing="own_branch", pruning=None),
    CARTClassifier(missing="error", pruning=None),
    CARTClassifier(missing="stay", pruning=None),
    CARTClassifier(pruning="cv-1se"),
    CARTClassifier(pruning=CostComplexity(rule="none", folds=None, cp=0.01, risk="error", style="rpart")),
    CARTClassifier(pruning=None, ccp_alpha=0.01),
    CARTClassifier(pruning=None, max_leaf_nodes=8),
    CARTClassifier(pruning=None, compat="rpart", missing="surrogate_or_stay"),
    CARTClassifier(pruning=None, priors="uniform"),
    CARTClassifier(pruning=None, class_weight="balanced"),
]
REGRESSORS = [
    CARTRegressor(),
    CARTRegressor(pruning=None),
    CARTRegressor(pruning="cv-1se", missing="learned"),
    CARTRegressor(criterion="poisson", pruning=None),
    CARTRegressor(criterion="poisson", shrink=1.0),
    CARTRegressor(missing="error", pruning=None),
    CARTRegressor(missing="own_branch", max_leaf_nodes=8, pruning=None),
    CARTRegressor(pruning=None, compat="rpart"),
]


@pytest.mark.filterwarnings("ignore::boxwood.PruningWarning", "ignore:.*array API.*:UserWarning")
@parametrize_with_checks(CLASSIFIERS + REGRESSORS, expected_failed_checks=lambda estimator: {})
def test_scikit_learn_check(estimator, check):
    check(estimator)
