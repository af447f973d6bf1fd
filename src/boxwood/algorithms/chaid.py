"""CHAID: categories that do not differ are merged, and the most significant merged feature splits (Kass 1980).

The four choices: as many branches as groups of categories are left, at least two; the smallest p of the groups' table,
adjusted for the number of ways to merge; a node stays a leaf when nothing is significant, or it is pure, too small or
too deep; a leaf predicts the majority or the mean.
"""

from __future__ import annotations

from .._messages import Setting, Value, must_be, shortened
from ..data.columns.distinct import distinct
from ..data.columns.schema import Schema
from ..data.frames.target import read_numbers
from ..errors import ParameterError
from ..growing.merged import Merged
from ..growing.missing import Missing
from ..growing.recipe import Recipe
from ..growing.significance import Significance
from ..growing.termination import Termination
from ..learning.responses import read_target
from ..learning.target import Target
from ..pruning.pruners.evidence import Pruner
from ..pruning.pruners.registry import read_pruner
from .chaid_parameters import CLASSIFICATION, REGRESSION
from .fitting.algorithm import Algorithm

#: Scores of an ordinal target may be spread by this much: their squares are added up.
_SPREAD = (1e-100, 1e100)


def recipe(settings: dict, schema: Schema, n: int) -> Recipe:
    """The four choices of CHAID."""
    ordinal = settings.get("ordinal_target")
    scores = () if ordinal is None or ordinal is True or ordinal is False else tuple(float(v) for v in ordinal)
    significance = Significance(
        alpha=settings["alpha_split"],
        test=settings.get("test", "pearson"),
        bonferroni=settings["bonferroni"],
        rank_by=settings["rank_by"],
        multiplier=settings["multiplier"],
        case_weights=settings["weights"] == "case",
        ordinal=ordinal is not None and ordinal is not False,
        scores=scores,
        max_iterations=settings.get("max_iterations", 1),
        tolerance=settings.get("tolerance", 0.0),
    )
    termination = Termination(
        settings["max_depth"],
        min_cases_split=settings["min_samples_split"],
        min_cases_leaf=settings["min_samples_leaf"],
    )
    return Recipe(
        significance, _merged(settings), termination, Missing(settings["missing"]), settings["max_competitors"]
    )


def _merged(settings: dict) -> Merged:
    """How categories are merged; settings that do not fit together are refused."""
    cut_again = settings["alpha_split_merged"] if settings["split_merged"] else None
    return Merged(
        settings["exhaustive"], settings["alpha_merge"], cut_again, settings["min_segment"], settings["n_bins"]
    )


def target(y, settings: dict, *, weight=None, exposure=None, name: str = "y", task: str = "classification") -> Target:
    """y, and whether scores of ordered classes fit to it.

    Raises
    ------
    ResponseError, WeightError, ParameterError
    """
    plain = {"class_weight": None, "priors": None, "costs": None, "criterion": "variance"}
    found = read_target(y, settings | plain, weight=weight, exposure=exposure, name=name, task=task)
    ordinal = settings.get("ordinal_target")
    if ordinal is not None and not isinstance(ordinal, bool):
        _check_scores(ordinal, found.response.labels)
    return found


def _check_scores(scores, labels: tuple) -> None:
    """One finite number per class, no two the same."""
    if isinstance(scores, (str, dict)):
        raise ParameterError(must_be("ordinal_target", "None, True, False or a list of numbers", scores))
    values = read_numbers(scores, "ordinal_target")
    if len(values) != len(labels) or len(distinct(values)) != len(values):
        raise ParameterError(
            Setting("ordinal_target"), f" must give {len(labels)} different scores, one for each of "
            f"{list(labels)}; got ", Value(scores, shortened(scores)), ".",
        )  # fmt: skip
    spread = float(values.max()) / 2 - float(values.min()) / 2
    if len(values) > 1 and not _SPREAD[0] <= spread <= _SPREAD[1]:
        raise ParameterError(
            Setting("ordinal_target"), " must hold scores of moderate size, such as 1, 2, 3; got ",
            Value(scores, shortened(scores)), ".",
        )  # fmt: skip


def pruner(settings: dict) -> Pruner | None:
    """The pruner that ``pruning`` names; None, as CHAID has it: the test is what stops growth."""
    return read_pruner(settings["pruning"], loss=settings["loss"])


CHAID = Algorithm(
    name="chaid",
    title="CHAID: merged categories, adjusted p-values, many branches",
    parameters={"classification": CLASSIFICATION, "regression": REGRESSION},
    estimators={"classification": "chaid_classifier.CHAIDClassifier", "regression": "chaid_regressor.CHAIDRegressor"},
    examples=(
        "--target survived --algorithm chaid --max-depth 2 -o chaid.box",
        "--target survived --algorithm chaid --exhaustive true --alpha-split 0.01 -o exhaustive.box",
    ),
    recipe=recipe,
    target=target,
    pruner=pruner,
    streams=True,
)
