"""scikit-learn's own checks of an estimator, for every estimator and its main settings.

Where folds choose the size of a tree, a row of weight 3 is held out as one row, and three rows are not: the two checks
of weights against repeated rows are then run on the same estimators with ``pruning=None``.
"""

import pytest
import sklearn
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.fixes import parse_version

from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CHAIDRegressor,
    CLSClassifier,
    CostComplexity,
    ID3Classifier,
    MARSClassifier,
    MARSRegressor,
    MARSTransformer,
    TreeClassifier,
    TreeRegressor,
)


class Purity:
    """A user's own criterion: the weight that each branch's own class takes less that of the node's class."""

    def __call__(self, children, parent):
        return (children.max(axis=2).sum(axis=1) - parent.max()) / parent.sum()

    def __repr__(self):
        return "purity"  # a function would bring its address into the names of the tests, which differ by worker


class Distance:
    """A user's own criterion: the distance of the means of two branches, by weight."""

    def __call__(self, children, parent):
        return children[:, :, 0].prod(axis=1) * (children[:, 0, 1] - children[:, 1, 1]) ** 2

    def __repr__(self):
        return "distance"


# In one check, class weights of 1000 against 0.0001 must silence a class in noise. A tree that fits every row cannot
# do that (the check limits scikit-learn's own trees first), so variants here prune or require a gain of splits.
CLASSIFIERS = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy"),
    CARTClassifier(criterion="error"),
    CARTClassifier(missing="learned"),
    CARTClassifier(missing="majority"),
    CARTClassifier(missing="own_branch"),
    CARTClassifier(missing="error"),
    CARTClassifier(missing="stay"),
    CARTClassifier(pruning=CostComplexity(rule="1se", folds=5)),  # a check has 24 different rows: too few for ten folds
    CARTClassifier(pruning=CostComplexity(rule="min", folds=5, cp=0.01, risk="error", style="rpart")),
    CARTClassifier(max_leaf_nodes=8),
    CARTClassifier(compat="rpart", missing="surrogate_or_stay"),
    CARTClassifier(class_weight="balanced"),
    CARTClassifier(pruning=None, min_impurity_decrease=0.001),
    CARTClassifier(pruning=None, ccp_alpha=0.01),
    CHAIDClassifier(),
    CHAIDClassifier(exhaustive=True, min_samples_split=10, min_samples_leaf=5),
    CHAIDClassifier(ordinal_target=True, weights="case", pruning="cv"),
    CHAIDClassifier(missing="error", split_merged=True, test="likelihood_ratio"),
    MARSClassifier(),
    MARSClassifier(logistic=False, max_degree=2, missing="indicator"),
    C45Classifier(),
    C45Classifier(compat="c45", missing="own_branch", group_levels=True),
    C45Classifier(compat="j48", missing="majority", criterion="gain", pruning="cv"),
    C45Classifier(missing="error", laplace=True, raising=False),
    C45Rules(),
    C45Rules(compat="c45", group_levels=True, confidence=0.1),
    TreeClassifier(pruning="cv"),
    TreeClassifier(branching="multiway", criterion="gain", pruning="cv"),
    TreeClassifier(branching="multiway", criterion="gain_ratio", missing="fractional", pruning="error_based"),
    TreeClassifier(criterion=Purity(), missing="own_branch", termination={"max_depth": 4}, pruning="cv"),
]
#: CLS and ID3 know levels alone: the numbers of the checks are read as names, most of which prediction has never seen.
OF_LEVELS = [
    CLSClassifier(categorical_features="all"),
    ID3Classifier(categorical_features="all"),
    ID3Classifier(categorical_features="all", criterion="gain_ratio", missing="fractional"),
    ID3Classifier(categorical_features="all", missing="own_branch", pruning="error_based"),
]
REGRESSORS = [
    CARTRegressor(),
    CARTRegressor(pruning=None),
    CARTRegressor(pruning="cv-1se", missing="learned"),
    CARTRegressor(missing="majority"),
    CARTRegressor(criterion="poisson", pruning=None),
    CARTRegressor(criterion="poisson", shrink=1.0),
    CARTRegressor(missing="error", pruning=None),
    CARTRegressor(missing="own_branch", max_leaf_nodes=8, pruning=None),
    CARTRegressor(pruning=None, compat="rpart"),
    CHAIDRegressor(),
    CHAIDRegressor(exhaustive=True, missing="error", min_samples_split=10, min_samples_leaf=5),
    TreeRegressor(),
    TreeRegressor(branching="multiway", missing="error"),
    TreeRegressor(criterion=Distance(), termination={"max_depth": 4}),
    MARSRegressor(),
    MARSRegressor(max_degree=2, missing="indicator", backward="plain"),
    MARSTransformer(),
]
EVERY = CLASSIFIERS + REGRESSORS
#: The first of each class; the other variants run in `make check`.
PLAIN = list({type(estimator): estimator for estimator in reversed(EVERY)}.values())
VARIANTS = [estimator for estimator in EVERY if not any(estimator is plain for plain in PLAIN)]


#: Checks of a weight of 3 against three rows.
OF_WEIGHTS = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
    "check_sample_weight_equivalence",
)


def has_folds(estimator) -> bool:
    """Whether folds choose the size of its tree."""
    pruning = estimator.get_params().get("pruning")
    return not estimator.get_params().get("ccp_alpha") and (
        pruning in ("auto", "cv", "cv-1se") or isinstance(pruning, CostComplexity)
    )


def run(estimator, check) -> None:
    """The check; of weights without folds."""
    if getattr(check, "func", check).__name__ in OF_WEIGHTS and has_folds(estimator):
        estimator = clone(estimator).set_params(pruning=None)
    check(estimator)


def faulty(estimator) -> dict[str, str]:
    """The checks that fail in scikit-learn itself: one takes a mean from its whole numbers in place, before 1.7.2."""
    tags = get_tags(estimator).input_tags
    whole = tags.categorical and not tags.allow_nan
    if whole and parse_version(sklearn.__version__) < parse_version("1.7.2"):
        return {"check_positive_only_tag_during_fit": "scikit-learn before 1.7.2 subtracts a mean from whole numbers"}
    return {}


@pytest.mark.filterwarnings("ignore::boxwood.PruningWarning", "ignore:.*array API.*:UserWarning")
@parametrize_with_checks(PLAIN, expected_failed_checks=faulty)
def test_scikit_learn_check(estimator, check, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # else the check of the array interface does not run
    run(estimator, check)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::boxwood.PruningWarning", "ignore:.*array API.*:UserWarning")
@parametrize_with_checks(VARIANTS, expected_failed_checks=faulty)
def test_scikit_learn_check_of_variants(estimator, check, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    run(estimator, check)


@pytest.mark.filterwarnings(
    "ignore::boxwood.PruningWarning", "ignore::boxwood.UnseenLevelWarning", "ignore:.*array API.*:UserWarning"
)
@parametrize_with_checks(OF_LEVELS, expected_failed_checks=faulty)
def test_scikit_learn_check_of_levels(estimator, check, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    run(estimator, check)
