"""Checks of the settings that pruners share: rule, folds, holdout and loss."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from ..._messages import Setting, must_be, remedy
from ...errors import ParameterError, check_one_of
from ..losses import loss_words

RULES = ("min", "1se", "none")


def check_choice(rule: str, folds: Any, holdout: float | None) -> None:
    """Check how a tree of a family is to be chosen.

    Raises
    ------
    ParameterError
        A value is out of range, or the rule lacks what it evaluates by.
    """
    check_one_of("rule", rule, RULES)
    if isinstance(folds, (str, dict, float, bool)):
        raise ParameterError(must_be("folds", "a whole number, one fold number per row, or None", folds))
    if isinstance(folds, (int, np.integer)) and folds < 2:
        raise ParameterError(must_be("folds", "at least 2", folds))
    check_holdout(holdout)
    if holdout is not None and folds is not None:
        raise ParameterError(
            "give ", Setting("folds"), " or ", Setting("holdout"), ", not both: a tree is evaluated by folds or by "
            "the rows held out.",
        )  # fmt: skip


def check_loss(loss: Any) -> None:
    """Check the name of a loss; whether the response has it is known when a tree is pruned.

    Raises
    ------
    ParameterError
        There is no such loss.
    """
    if loss is not None:
        check_one_of("loss", loss, tuple(loss_words()))


def check_holdout(holdout: float | None) -> None:
    """Check the share of rows to hold out.

    Raises
    ------
    ParameterError
        It is not a number between 0 and 1.
    """
    if holdout is not None and (isinstance(holdout, bool) or not isinstance(holdout, float) or not 0 < holdout < 1):
        raise ParameterError(must_be("holdout", "None or a share of the rows between 0 and 1", holdout))


def drop_default_folds(pruner: Any, is_given: bool | None = None) -> None:
    """Take back the folds a pruner has by default, in its ``__post_init__``, when something else decides.

    That is a holdout, or (``is_given``) a value of the parameter itself; then nothing is evaluated. None = such a value
    is always there.

    Raises
    ------
    ParameterError
        A value is given, and folds or a holdout too; or neither.
    """
    default = next(f.default for f in fields(pruner) if f.name == "folds")
    if (pruner.holdout is not None or is_given) and pruner.folds is default:
        object.__setattr__(pruner, "folds", None)
    if is_given and (pruner.folds is not None or pruner.holdout is not None):
        raise ParameterError(
            Setting("folds"), " and ", Setting("holdout"), " choose among trees, but the tree to take is given; ",
            remedy("leave them out."),
        )  # fmt: skip
    if is_given:
        object.__setattr__(pruner, "rule", "none")
    elif is_given is False and pruner.rule == "none":
        raise ParameterError(
            f"{type(pruner).__name__} with ", Setting("rule", "none"), " needs the value to prune at; ",
            remedy("give it."),
        )  # fmt: skip
