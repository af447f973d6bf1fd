"""Constructors, the registry and the docstrings agree; parameters are checked at fit, in plain words."""

import inspect

import numpy as np
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor, CostComplexity
from boxwood.algorithms import REGISTRY
from boxwood.errors import ParameterError, ParameterTypeError
from boxwood.estimators.declared import parameters_of
from boxwood.estimators.saved import every_estimator

ESTIMATORS = every_estimator()
CLASSES = [*ESTIMATORS.values(), boxwood.MARSTransformer]
ALL = pytest.mark.parametrize("estimator", ESTIMATORS.values())
X, Y = [[1], [2], [3], [4]], [0, 0, 1, 1]


def test_there_is_an_estimator_for_every_task_of_every_algorithm():
    assert set(ESTIMATORS) == {(name, task) for name, algorithm in REGISTRY.items() for task in algorithm.tasks}


@ALL
def test_constructor_has_the_parameters_and_defaults_of_the_registry(estimator):
    declared = REGISTRY[estimator._algorithm].parameters[estimator._task]
    found = list(inspect.signature(estimator).parameters.values())
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in found)
    assert {p.name: p.default for p in found} == {p.name: p.default for p in declared}
    assert {p.name: type(p.default) for p in found} == {p.name: type(p.default) for p in declared}
    assert estimator().get_params() == {p.name: p.default for p in declared}


@pytest.mark.parametrize("estimator", CLASSES)
def test_the_documentation_names_every_choice(estimator):
    for parameter in parameters_of(estimator):
        missing = [choice for choice in parameter.choices if f'"{choice}"' not in parameter.doc]
        assert parameter.doc, f"{parameter.name} has no doc"
        assert not missing, f"{parameter.name}: doc does not name {missing}"


@ALL
def test_every_parameter_and_attribute_is_documented(estimator):
    doc = inspect.getdoc(estimator)
    before, _, after = doc.partition("Attributes\n-")
    headings = [line.split(" : ")[0].split(", ") for line in before.splitlines() if " : " in line]
    assert {name for names in headings for name in names} == set(inspect.signature(estimator).parameters)
    fitted = {name for name in dir(estimator) if name.endswith("_") and not name.startswith("_")}
    assert all(f"{name} :" in after for name in fitted)
    assert "References\n-" in doc
    assert "Raises\n-" in doc


@ALL
def test_every_public_method_is_documented(estimator):
    for name, method in inspect.getmembers(estimator, inspect.isfunction):
        if not name.startswith("_") and method.__module__.startswith("boxwood"):
            doc = inspect.getdoc(method)
            assert doc.split("\n")[0].endswith((".", ";")), name
            assert "Raises\n-" in doc or name in {"score"}, name


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"max_depth": -1}, ParameterError, "max_depth must be a whole number of at least 0 or None; got -1"),
        ({"max_depth": "deep"}, ParameterTypeError, "max_depth"),
        ({"criterion": "gain"}, ParameterError, "criterion must be one of 'gini', 'entropy', 'error'; got 'gain'"),
        ({"min_samples_leaf": 1.5}, ParameterError, "min_samples_leaf"),
        (
            {"pruning": "always"},
            ParameterError,
            "pruning must be 'cv', 'cv-1se', .* or an object of boxwood.pruners",
        ),
        ({"n_jobs": 0}, ParameterError, "n_jobs"),
        ({"priors": [0.5, 0.6]}, ParameterError, "priors"),
        ({"random_state": "today"}, ParameterTypeError, "random_state"),
        ({"verbose": None}, ParameterTypeError, "verbose"),
    ],
)
def test_a_wrong_parameter_is_named(settings, error, words):
    with pytest.raises(error, match=words):
        CARTClassifier(**settings).fit(X, Y)


def test_names_of_other_programs_are_understood():
    plain = CARTClassifier(criterion="entropy", pruning=None).fit(X, Y)
    other = CARTClassifier(criterion="log_loss", pruning=None).fit(X, Y)
    assert plain.model_.to_bytes() == other.model_.to_bytes()
    assert other.criterion == "log_loss"  # what the user gave is never changed


@pytest.mark.parametrize(
    "make", [np.random.RandomState, np.random.default_rng, lambda seed: seed, lambda seed: np.int64(seed)]
)
def test_random_state_in_any_form_draws_folds(make):
    rng = np.random.default_rng(0)
    data, response = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    fits = [CARTClassifier(random_state=make(seed)).fit(data, response) for seed in (1, 1, 2)]
    losses = [fit.cost_complexity_path_.cv_mean for fit in fits]
    assert np.array_equal(losses[0], losses[1])
    assert not np.array_equal(losses[0], losses[2])


def test_numpy_s_global_random_state_is_a_generator_too():
    model = CARTClassifier(random_state=np.random, pruning=None).fit(X, Y)
    assert isinstance(model.model_.settings["random_state"], int)


def test_pruning_objects_are_shown_as_they_are_written():
    pruning = CostComplexity(rule="1se", folds=5)
    assert repr(CARTRegressor(pruning=pruning)).replace("\n", "").replace(" ", "") == (
        "CARTRegressor(pruning=CostComplexity(rule='1se',folds=5,cp=0.0,risk=None,style='exact'))"
    )


def test_exposure_is_for_counts_only():
    with pytest.raises(boxwood.ParameterError, match="criterion='poisson'"):
        CARTRegressor().fit(X, [1.0, 2.0, 3.0, 4.0], exposure=[1, 1, 1, 1])
