"""ID3: one branch per level, largest information gain, each feature once per path (Quinlan 1979, 1986).

The four choices: one branch for each level; the largest gain H(Y) - H(Y|A); a node stays a leaf when it is pure, no
feature is left or the gain is below epsilon; a leaf predicts its majority.
"""

from __future__ import annotations

from dataclasses import replace

from ..data.columns.schema import Schema
from ..growing.branching import Multiway
from ..growing.gain import Gain
from ..growing.missing import Missing
from ..growing.recipe import Recipe
from ..growing.termination import Termination
from ..learning.parameters import Parameter
from ..learning.running_parameters import RUNNING, TARGET_CLASS
from .cls import pruner
from .fitting.algorithm import Algorithm
from .levels_only import NO_NUMBERS, class_target, refuse_numbers
from .shared_parameters import (
    CCP_ALPHA,
    CLASS_WEIGHT,
    IDENTIFIERS,
    LOSS,
    MAX_COMPETITORS,
    MAX_DEPTH,
    PRUNING,
    SMOOTHING,
    missing,
    unseen,
)

PARAMETERS = (
    Parameter(
        "criterion", "choice", "gain", "how features are ranked", choices=("gain", "gain_ratio"),
        aliases=(("entropy", "gain"), ("information_gain", "gain")),
        doc="""
        How features are ranked:
        - "gain" (also called "entropy" or "information_gain"): by information gain.
        - "gain_ratio": by gain / intrinsic value, among the features with at least average gain. Many lecture notes
          call this C4.5.
        """,
    ),
    Parameter(
        "epsilon", "real", 0.0, "make a node a leaf if its best gain (or gain ratio) is below this", low=0.0,
        doc="""
        A node becomes a leaf if its best gain in bits (or its best gain ratio) is below this.
        """,
    ),
    MAX_DEPTH,
    MAX_COMPETITORS,
    missing("error"),
    unseen("stay"),
    replace(IDENTIFIERS, default="use"),
    CLASS_WEIGHT,
    TARGET_CLASS,
    CCP_ALPHA,
    PRUNING,
    LOSS,
    SMOOTHING,
    *RUNNING,
)  # fmt: skip


def recipe(settings: dict, schema: Schema, n: int) -> Recipe:
    """The four choices of ID3; with gain ratio, features of at least average gain are ranked (C4.5 of the lectures)."""
    refuse_numbers(schema, "ID3")
    ratio = settings["criterion"] == "gain_ratio"
    return Recipe(
        criterion=Gain(ratio=ratio, above_average=ratio, epsilon=settings["epsilon"]),
        branching=Multiway(ordinal_levels=True),
        termination=Termination(settings["max_depth"]),
        missing=Missing(settings["missing"]),
        max_competitors=settings["max_competitors"],
    )


ID3 = Algorithm(
    name="id3",
    title="ID3: one branch per level, largest information gain",
    parameters={"classification": PARAMETERS},
    estimators={"classification": "id3_classifier.ID3Classifier"},
    examples=(
        f"--target survived --algorithm id3 {NO_NUMBERS} --missing majority -o id3.box",
        f"--target survived --algorithm id3 {NO_NUMBERS} --missing own_branch --epsilon 0.01 -o small.box",
    ),
    recipe=recipe,
    target=class_target,
    streams=True,
    pruner=pruner,
)
