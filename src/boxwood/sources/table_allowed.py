"""Which mixtures of choices the table source can grow; the others are refused by a sentence that names the remedy."""

from __future__ import annotations

from ..data.schema import NOMINAL, ORDINAL, Schema
from ..errors import ParameterError
from ..growing.branching import Binary, Merged, Multiway
from ..growing.gain import Gain
from ..growing.impurity_decrease import ImpurityDecrease
from ..growing.in_order import InOrder
from ..growing.recipe import Recipe
from ..growing.significance import Significance
from ..growing.termination import Termination
from ..statistics.response import CLASSES, MEAN, RATE, Response

#: Policies for missing values that any criterion allows, those of merged categories and of the kernel's binary search.
POLICIES = ("error", "majority", "own_branch", "fractional")
OF_MERGED = ("floating", "error")
OF_BINARY = ("error", "majority", "own_branch", "surrogate", "learned")
OF_MERGED = ("error", "floating")

#: Limits that only CHAID counts.
OF_CASES = ("min_cases_split", "min_cases_leaf")

_USUAL = Termination()

_MEASURES = {CLASSES: ("gini", "entropy", "error"), MEAN: ("variance",), RATE: ("poisson",)}


def needs_tables(recipe: Recipe) -> bool:
    """Whether the kernel has no search of its own for this branching, criterion and policy."""
    if isinstance(recipe.branching, Binary):
        return not isinstance(recipe.criterion, ImpurityDecrease) or recipe.missing.policy == "fractional"
    if isinstance(recipe.branching, Merged):
        return not isinstance(recipe.criterion, Significance)
    return not isinstance(recipe.criterion, (Gain, InOrder))


def check_kernel(recipe: Recipe, schema: Schema, response: Response) -> None:
    """Refuse what the kernel would not grow, or would overlook.

    Raises
    ------
    ParameterError
    """
    if isinstance(recipe.branching, Multiway):
        check_recipe(recipe, schema, response)
    elif isinstance(recipe.branching, Merged):
        _check_limits(recipe, response)
        _check_merged(recipe, response)
    elif ("fits", response.kind) not in recipe.remembered:
        _check_limits(recipe, response)
        recipe.remembered["fits", response.kind] = True


def _check_limits(recipe: Recipe, response: Response) -> None:
    """Refuse measures, limits and policies of other branchings."""
    check_measure(recipe.criterion, response)
    if isinstance(recipe.branching, Merged):
        words, allowed = ("merged branches", OF_MERGED)
        others = ("min_samples_split", "min_samples_leaf", "min_impurity_decrease", "min_branch_weight")
        _refuse_limits(recipe, others, "do not go with branching='merged'; use min_cases_split and min_cases_leaf.")
    else:
        words, allowed = ("two branches", OF_BINARY)
        limits = ("min_branch_weight", *OF_CASES)
        _refuse_limits(recipe, limits, "do not go with a measure of impurity; use min_samples_leaf.")
    if recipe.missing.policy not in allowed:
        raise ParameterError(
            f"missing={recipe.missing.policy!r} does not go with {words}; use one of {', '.join(map(repr, allowed))}"
            + (" or 'fractional'." if allowed is OF_BINARY else ".")
        )


def _check_merged(recipe: Recipe, response: Response) -> None:
    """Merged categories have their own way with missing values and sizes, and tests for classes and means alone."""
    if recipe.missing.policy not in OF_MERGED:
        raise ParameterError(
            f"missing={recipe.missing.policy!r} does not go with merged categories; use one of "
            f"{', '.join(map(repr, OF_MERGED))}."
        )
    if response.kind == RATE:
        raise ParameterError(
            "CHAID tests classes and means; there is no test of rates here, so use criterion='poisson'."
        )
    limit = recipe.termination
    if (limit.min_samples_split, limit.min_samples_leaf) != (2, 1) or limit.min_impurity_decrease:
        raise ParameterError(
            "CHAID counts cases, not rows, and asks for significance, not for gain: use min_cases_split, "
            "min_cases_leaf and alpha instead of min_samples_split, min_samples_leaf and min_impurity_decrease."
        )
    scores = getattr(recipe.criterion, "scores", ())
    if scores and len(scores) != len(response.labels):
        raise ParameterError(f"scores must give one number for each of {list(response.labels)}; got {scores!r}.")


def _refuse_limits(recipe: Recipe, names: tuple[str, ...], words: str) -> None:
    """Refuse limits that would have no effect."""
    given = [name for name in names if getattr(recipe.termination, name) != getattr(_USUAL, name)]
    if given:
        raise ParameterError(f"{' and '.join(given)} {words}")


def check_measure(criterion, response: Response) -> None:
    """Refuse a measure of impurity that does not belong to the kind of y."""
    if isinstance(criterion, ImpurityDecrease) and criterion.measure not in _MEASURES[response.kind]:
        fitting = ", ".join(map(repr, _MEASURES[response.kind]))
        raise ParameterError(f"criterion must be one of {fitting} for this kind of y; got {criterion.measure!r}.")


def check_recipe(recipe: Recipe, schema: Schema, response: Response) -> None:
    """Refuse what cannot be grown, or what would have no effect.

    Raises
    ------
    ParameterError
        The message says what does not go together, and what does.
    """
    _check_criterion(recipe, schema, response)
    _check_branching(recipe)
    policy = recipe.missing.policy
    if policy not in POLICIES:
        raise ParameterError(
            f"missing={policy!r} does not go with this branching and criterion; use one of "
            f"{', '.join(map(repr, POLICIES))}, or CARTClassifier or CARTRegressor, which have it."
        )


def _check_criterion(recipe: Recipe, schema: Schema, response: Response) -> None:
    criterion = recipe.criterion
    if isinstance(criterion, Significance):
        raise ParameterError("Significance belongs to branching='merged'; settle the recipe for y first.")
    if isinstance(criterion, (Gain, InOrder)) and response.kind != CLASSES:
        raise ParameterError(
            "information gain is about classes, and y is a number; use criterion='variance' or a function of your own."
        )
    if isinstance(criterion, ImpurityDecrease):
        check_measure(criterion, response)
        if criterion.feature_costs is not None or criterion.order_by_mean or criterion.min_share >= 0:
            raise ParameterError(
                "feature_costs, order_by_mean and min_share need two branches and the kernel's search; use "
                "branching='binary' with them."
            )
    if isinstance(criterion, InOrder):
        for j in criterion.features:
            feature = schema[j]
            if feature.kind != NOMINAL and not (feature.kind == ORDINAL and _by_level(recipe.branching)):
                raise ParameterError(
                    f"criterion='in_order' takes features as they come and has no measure that could cut one: column "
                    f"{feature.name!r} is {feature.kind}; name it in categorical_features, or cut it into levels first."
                )
    if recipe.termination.min_impurity_decrease > 0 and not isinstance(criterion, (ImpurityDecrease, Gain, InOrder)):
        raise ParameterError(
            "min_impurity_decrease needs a criterion that is a decrease of impurity; a function of your own can return "
            "NaN for what it does not accept, or use Scored(name, function, epsilon=...)."
        )
    _refuse_limits(recipe, OF_CASES, "belong to branching='merged'; use min_samples_split and min_samples_leaf.")


def _by_level(branching) -> bool:
    """Whether ordinal features have a branch a level too."""
    return isinstance(branching, Multiway) and branching.ordinal_levels


def _check_branching(recipe: Recipe) -> None:
    branching = recipe.branching
    if isinstance(branching, Merged):
        raise ParameterError(
            "branching='merged' merges categories by their significance; use criterion='significance' with it."
        )
    if isinstance(branching, Multiway) and branching.grouping and not isinstance(recipe.criterion, Gain):
        raise ParameterError("grouping of levels climbs by gain; use criterion='gain' or 'gain_ratio' with it.")
    plain = Binary(getattr(branching, "exhaustive_levels", 10))
    if isinstance(branching, Binary) and branching != plain:
        raise ParameterError(
            "min_samples_level, pool_above and correct_levels go with the measures of impurity alone; leave them out, "
            "or use criterion='gini', 'entropy', 'error', 'variance' or 'poisson'."
        )
