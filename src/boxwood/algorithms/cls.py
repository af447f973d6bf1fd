"""CLS: one branch per level, features in a given order, no measure (Hunt, Marin and Stone 1966).

The four choices: one branch for each level; the next unused feature that is not constant in the node; a node stays a
leaf when it is pure or no feature is left; a leaf predicts its majority. CLS is ID3 without a measure.
"""

from __future__ import annotations

import numbers
from dataclasses import replace

import numpy as np

from .._messages import Setting, Value, must_be, remedy, shortened
from ..data.columns.schema import Schema
from ..errors import ParameterError
from ..growing.branching import Multiway
from ..growing.in_order import InOrder
from ..growing.missing import Missing
from ..growing.recipe import Recipe
from ..growing.termination import Termination
from ..learning.parameters import Parameter
from ..learning.running_parameters import RUNNING, TARGET_CLASS
from ..pruning.pruners.evidence import Pruner
from ..pruning.pruners.registry import read_pruner
from .fitting.algorithm import Algorithm
from .levels_only import NO_NUMBERS, class_target, refuse_numbers
from .shared_parameters import (
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
        "order", "free", None,
        "names or positions of the features in the order in which they are tested; None = column order",
        type="list of str or of int, or None",
        doc="""
        Names or positions of the features in the order in which they are tested; features that are not listed are not
        used. None means all features in column order.
        """,
    ),
    Parameter(
        "min_impurity_decrease", "real", 0.0,
        "minimum decrease in entropy, weighted by the proportion of rows in the node",
        low=0.0,
        doc="""
        Minimum decrease in entropy (in bits) of a split, weighted by the proportion of all rows in the node. Features
        with a smaller decrease are skipped; if no feature is left, the node becomes a leaf. With 0, any feature that is
        not constant is used, as in CLS.
        """,
    ),
    MAX_DEPTH,
    MAX_COMPETITORS,
    missing("error"),
    unseen("stay"),
    replace(IDENTIFIERS, default="use"),
    CLASS_WEIGHT,
    TARGET_CLASS,
    PRUNING,
    LOSS,
    SMOOTHING,
    *RUNNING,
)  # fmt: skip


def recipe(settings: dict, schema: Schema, n: int) -> Recipe:
    """The four choices of CLS."""
    refuse_numbers(schema, "CLS")
    return Recipe(
        criterion=InOrder(_order(settings["order"], schema)),
        branching=Multiway(ordinal_levels=True),
        termination=Termination(settings["max_depth"], min_impurity_decrease=settings["min_impurity_decrease"]),
        missing=Missing(settings["missing"]),
        max_competitors=settings["max_competitors"],
    )


def _order(given, schema: Schema) -> tuple[int, ...]:
    """Columns in the order of trial; features that are not listed are never tested."""
    if given is None:
        return tuple(range(len(schema)))
    if isinstance(given, (str, bytes)) or not np.iterable(given):
        raise ParameterError(must_be("order", "None or a list of feature names or positions", given))
    positions = tuple(_position(item, schema) for item in given)
    if len(set(positions)) < len(positions) or not positions:
        raise ParameterError(
            Setting("order"), " must list at least one feature, each once; got ",
            Value(list(given), shortened(list(given))), ".",
        )  # fmt: skip
    return positions


def _position(item, schema: Schema) -> int:
    """A column by its name or its position."""
    if isinstance(item, numbers.Integral) and not isinstance(item, bool) and 0 <= item < len(schema):
        return int(item)
    if isinstance(item, str) and item in schema.names:
        return schema.names.index(item)
    raise ParameterError(
        Setting("order"), f" names {shortened(item)}, but the features are {shortened(list(schema.names))}; ",
        remedy(f"give their names, or positions from 0 to {len(schema) - 1}."),
    )  # fmt: skip


def pruner(settings: dict) -> Pruner | None:
    """The pruner that ``pruning`` names."""
    return read_pruner(settings["pruning"], loss=settings["loss"])


CLS = Algorithm(
    name="cls",
    title="CLS: one branch per level, features in order",
    parameters={"classification": PARAMETERS},
    estimators={"classification": "cls_classifier.CLSClassifier"},
    examples=(
        f"--target survived --algorithm cls {NO_NUMBERS} --missing majority -o cls.box",
        f"""--target survived --algorithm cls {NO_NUMBERS} --missing majority --order '["sex", "class"]' -o own.box""",
    ),
    recipe=recipe,
    target=class_target,
    streams=True,
    pruner=pruner,
)
