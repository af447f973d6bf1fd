"""Composed trees: each of the four choices is given by name, as a record, or as a user-defined function."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import fields, replace

from .._messages import Setting, must_be, remedy
from ..data.columns.schema import Schema
from ..errors import ParameterError
from ..growing.branching import Binary, Branching, Multiway
from ..growing.criterion import Criterion
from ..growing.gain import Gain
from ..growing.impurity_decrease import ImpurityDecrease
from ..growing.in_order import InOrder
from ..growing.leaf import fitted_leaves
from ..growing.merged import Merged
from ..growing.missing import Missing
from ..growing.proposed import Proposed
from ..growing.recipe import Recipe
from ..growing.scored import Scored
from ..growing.significance import Significance
from ..growing.termination import Termination
from ..learning.learning_set import LearningSet
from ..learning.responses import read_target
from ..learning.target import Target
from ..model.leaf_model import LeafTreeModel
from ..model.records import function_name, unloaded_in
from ..model.tree_model import TreeModel
from ..pruning.collapse import collapse_errors
from ..pruning.pruners.evidence import Pruner
from ..pruning.pruners.registry import read_pruner
from ..statistics.class_measures import measure_name
from ..statistics.responses.registry import MEAN, number_kind
from ..tree.tree import Tree
from .compose_parameters import CLASSIFICATION, REGRESSION
from .fitting.algorithm import Algorithm

#: Rows that an m-estimate may add.
_MOST_ROWS = 1e9
_RULES = "'majority', 'laplace' or a number of rows above 0, the m of an m-estimate"

#: Name of a branching -> its record.
_BRANCHINGS = {"binary": Binary(), "multiway": Multiway(), "merged": Merged()}

#: Choice -> what a function for it takes and returns.
_FUNCTIONS = {"branching": "values -> partitions", "criterion": "(children, parent) -> scores"}


def recipe(settings: dict, schema: Schema, n: int) -> Recipe:
    """The choices as they were named or given; whether they go together is checked where the tree is grown."""
    branching = _branching(settings["branching"])
    if settings["max_bins"] is not None and branching.search != "binary":
        raise ParameterError(
            Setting("max_bins"), " goes with ", Setting("branching", "binary"), "; ",
            remedy("leave ", Setting("max_bins", None), ", or choose that branching."),
        )  # fmt: skip
    return Recipe(
        criterion=_criterion(settings["criterion"], branching, schema),
        branching=branching,
        termination=_termination(settings["termination"]),
        missing=Missing(settings["missing"] or branching.usual_missing),
    )


def _branching(given) -> Branching:
    """The record of a branching."""
    _refuse_unloaded("branching", given)
    if callable(given) and not isinstance(given, (Branching, type)):
        return Proposed(function_name(given), given)
    return _part("branching", given, _BRANCHINGS, Branching)


def _refuse_unloaded(name: str, given) -> None:
    """Refuse a function, or a record with one, that comes from a model file, which holds no code."""
    function = unloaded_in(given)
    if function is not None:
        function.refuse(name)


def _part(name: str, given, named: dict, kind: type):
    """A part by its name, or as the record itself."""
    part = named.get(given) if isinstance(given, str) else given
    if not isinstance(part, kind):
        records = dict.fromkeys(type(record).__name__ for record in named.values())
        words = [*map(repr, named), *(f"{record}(...)" for record in records)]
        allowed = f"one of {', '.join(words)}, or a function {_FUNCTIONS[name]}"
        raise ParameterError(must_be(name, allowed, given))
    return part


def _criterion(given, branching, schema: Schema):
    """The record of a criterion; the names mean what fits the branching."""
    _refuse_unloaded("criterion", given)
    if callable(given) and not isinstance(given, (Criterion, type)):
        return Scored(function_name(given), given)
    if with_parameter := measure_name(given):
        return ImpurityDecrease(with_parameter)
    gain = ImpurityDecrease("entropy") if branching.search == "binary" else Gain()
    named = {name: ImpurityDecrease(name) for name in ("gini", "error", "variance", "poisson", "gamma")} | {
        "entropy": gain,
        "gain": gain,
    }
    named |= {"gain_ratio": Gain(ratio=True, above_average=True), "in_order": InOrder(tuple(range(len(schema))))}
    return _part("criterion", given, named | {"significance": Significance()}, Criterion)


def _termination(given) -> Termination:
    """Limits from a dictionary of some of them."""
    _refuse_unloaded("termination", given)
    if given is None:
        return Termination()
    if callable(given) and not isinstance(given, type):
        return Termination(stop=given)
    if isinstance(given, dict):
        known = [f.name for f in fields(Termination)]
        unknown = [name for name in given if name not in known]
        if unknown:
            raise ParameterError(
                Setting("termination"), f" has no limit {unknown[0]!r}; the limits are {', '.join(known)}.",
            )  # fmt: skip
        return Termination(**given)
    if not isinstance(given, Termination):
        words = "Termination(...) or a function of a node that returns True where it must stay a leaf"
        allowed = f"None, a dict such as { ({'max_depth': 3}) }, {words}"
        raise ParameterError(must_be("termination", allowed, given))
    return given


def _target(y, settings: dict, **more) -> Target:
    """Classes or a number, of the kind that the measure is about; a composed tree has no priors and no costs."""
    given = settings["criterion"]
    measure = getattr(given, "measure", measure_name(given) or given)
    measure = "variance" if number_kind(measure).kind == MEAN else measure
    target = read_target(y, settings | {"priors": None, "costs": None, "criterion": measure}, **more)
    leaf, labels = settings["leaf"], target.response.labels
    by_name = isinstance(leaf, str) and leaf == "laplace"
    if not labels or not (by_name or isinstance(leaf, numbers.Real)):
        _check_leaf(leaf, target)
        return target
    if settings["smoothing"] != "auto":
        raise ParameterError(
            Setting("leaf", leaf), " smooths probabilities already; ",
            remedy("give ", Setting("leaf"), " or ", Setting("smoothing"), ", not both."),
        )  # fmt: skip
    added = 1.0 if by_name else _rows_added(leaf) / len(labels)
    smoothing = (added,) * len(labels)
    return replace(target, response=replace(target.response, smoothing=smoothing))


def _check_leaf(leaf, target: Target) -> None:
    """Refuse what is neither a rule by its name nor an object that can be fitted to a leaf."""
    classes = target.response.labels
    _refuse_unloaded("leaf", leaf)
    if isinstance(leaf, str) and leaf == ("majority" if classes else "mean"):
        return
    methods = ("predict_proba", "predict") if classes else ("predict",)
    if isinstance(leaf, type) or not (hasattr(leaf, "fit") and any(hasattr(leaf, method) for method in methods)):
        rules = _RULES if classes else "'mean'"
        methods = "(X) or ".join(methods)
        allowed = f"{rules}, or an object with fit(X, y) and {methods}(X) that is copied for each leaf"
        raise ParameterError(must_be("leaf", allowed, leaf))


def _leaf_models(model: TreeModel, learning: LearningSet, target: Target, settings: dict) -> TreeModel:
    """The model with a base hypothesis fitted in each leaf of its tree, where the user gave one."""
    leaf = settings["leaf"]
    if isinstance(leaf, (str, numbers.Real)):
        return model
    unseen = "missing" if settings["unseen"] == "error" else settings["unseen"]
    y = target.y[learning.rows]
    return LeafTreeModel.of(model, fitted_leaves(leaf, model.tree, learning.columns, (y, learning.weight), unseen))


def _rows_added(leaf) -> float:
    """The m of an m-estimate."""
    if isinstance(leaf, bool) or not isinstance(leaf, numbers.Real) or not 0.0 < leaf <= _MOST_ROWS:
        allowed = f"{_RULES}, or an object with fit and predict_proba or predict"
        raise ParameterError(must_be("leaf", allowed, leaf))
    return float(leaf)


def _pruner(settings: dict) -> Pruner | None:
    """The pruner that ``pruning`` names."""
    return read_pruner(settings["pruning"], loss=settings["loss"])


def _finishing(settings: dict) -> Callable[[Tree], Tree] | None:
    """C4.5's collapse, where the termination has it."""
    if not _termination(settings["termination"]).collapse:
        return None
    if "class_weight" not in settings:  # a regression
        raise ParameterError(
            "collapse counts wrong classes, and y is a number; ", remedy("leave it out of termination."),
        )  # fmt: skip
    return collapse_errors


TREE = Algorithm(
    name="tree",
    title="a tree composed of the four choices",
    parameters={"classification": CLASSIFICATION, "regression": REGRESSION},
    estimators={
        "classification": "composed_classifier.TreeClassifier",
        "regression": "composed_regressor.TreeRegressor",
    },
    examples=(
        "--target survived --algorithm tree --criterion entropy --termination '{\"max_depth\": 3}' -o entropy.box",
        "--target survived --algorithm tree --branching multiway --criterion gain_ratio --pruning cv -o multiway.box",
    ),
    recipe=recipe,
    target=_target,
    pruner=_pruner,
    finishing=_finishing,
    leaf_models=_leaf_models,
)
