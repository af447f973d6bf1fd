"""What CLS and ID3 share: they support levels only, and a response of classes."""

from __future__ import annotations

from .._messages import Column, DroppedColumn, Setting
from ..data.columns.raw import EMPTY
from ..data.columns.schema import NAMES_ROWS, NUMERIC, Schema
from ..errors import DataTypeError
from ..learning.responses import read_target
from ..learning.target import Target

#: The option of the examples that leaves the columns of numbers out.
NO_NUMBERS = "--drop age,fare,siblings_spouses,parents_children"


def refuse_numbers(schema: Schema, algorithm: str) -> None:
    """Numbers have no levels to branch by.

    Raises
    ------
    DataTypeError
        The message names the first numeric column and what to do.
    """
    for feature in schema:
        if feature.kind == NUMERIC and feature.why not in (NAMES_ROWS, EMPTY):  # those offer no split
            raise DataTypeError(
                f"{algorithm} has one branch for each level and cannot cut numbers: ", Column(feature.name, "column"),
                f" is {feature.kind_name}. List it in ", Setting("categorical_features"), " if its values are names, "
                "leave it out with ", DroppedColumn(feature.name), ", cut it into levels first, or use C4.5 or CART.",
            )  # fmt: skip


def class_target(y, settings: dict, **more) -> Target:
    """Classes and weights; there are no priors and no costs."""
    return read_target(y, settings, **more)
