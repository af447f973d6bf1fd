"""Classes by the labels that users give: which one is meant, and what is wrong with one that no training row had."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from ..._messages import FromZero, Row, Setting, must_be, remedy, shortened
from ..._spelling import did_you_mean
from ...errors import ParameterError, ResponseError, UnseenLevelWarning, level_outside
from ..columns.levels import match_levels
from ..columns.schema import NOMINAL, Feature
from .target import encode_classes, open_response

#: So many labels are named in a message.
_NAMED = 3


class AsWritten(str):
    """A label as a text, such as a word of a command line: it means the class that is written like this."""

    __slots__ = ()


def class_code(labels: tuple, given, what: str = "target_class") -> int:
    """Position of a class by its label; of the same type, as True is 1 for Python, and "1" is not the number.

    Raises
    ------
    ParameterError
        There is no such class; the message lists the classes, and the one that is nearly the same.
    """
    plain = given.item() if isinstance(given, np.generic) else given
    for k, label in enumerate(labels):
        if isinstance(plain, AsWritten):
            found = str(label) == plain
        else:
            found = isinstance(plain, (str, int, float)) and _kind(plain) is _kind(label) and plain == label
        if found:
            return k
    if not labels:
        raise ParameterError(Setting(what), " is for models of classes; this one predicts numbers, leave it out.")
    named = ", ".join(map(repr, labels[:20])) + (f" and {len(labels) - 20} more" if len(labels) > 20 else "")
    raise ParameterError(must_be(what, f"one of {named}", given, _hint(plain, labels)))


def rarer(labels: tuple, rows: Callable[[], np.ndarray]) -> object:
    """The rarer of two classes by their numbers of rows, the second of equal ones; None where there are not two."""
    if len(labels) != 2:
        return None
    first, second = rows()
    return labels[int(second <= first)]


def of_interest(stored: object, labels: tuple, rows: Callable[[], np.ndarray]) -> object:
    """The class of interest that a model stores, or that of one that stores none: the rarer of two classes, or None."""
    is_label = any(type(label) is type(stored) and label == stored for label in labels)
    return stored if is_label else rarer(labels, rows)


def known_classes(y, labels: tuple, leave_out: str = "leave such rows out") -> np.ndarray:
    """Codes of labels, shape (n,), int32, by those of training.

    Parameters
    ----------
    y : column of n labels
    labels : tuple
    leave_out : str
        How rows of new labels are left out, for the message.

    Raises
    ------
    ResponseError
        Some label is not among them: the message names it, its rows and the remedy.
    """
    codes = encode_classes(y, labels)
    if (codes < 0).any():
        refuse_new(y, labels, leave_out)
    return codes


def warn_of_new(y, labels: tuple) -> None:
    """Warn of labels that no training row had, whose rows count as errors: a class may be too rare for a fold.

    Raises
    ------
    ResponseError
        Of no row the label is known, or a new label is a known one written otherwise; see :func:`known_classes`.
    """
    codes, new = match_levels(open_response(y), Feature("y", NOMINAL, tuple(labels)))
    if not new:
        return
    if (codes < 0).all() or any(_forms(label) & _forms(known) for label in new for known in labels):
        refuse_new(y, labels, "leave such rows out")
    text = f"y holds labels that did not occur in training: {_named(new)}; these rows count as errors."
    warnings.warn(text, UnseenLevelWarning, stacklevel=level_outside())


def _named(new: dict) -> str:
    """The first new labels with their numbers of rows."""
    named = ", ".join(f"{shortened(label)} ({n:,} row{'s' * (n > 1)})" for label, n in list(new.items())[:_NAMED])
    return named + (f" and {len(new) - _NAMED} more" if len(new) > _NAMED else "")


def refuse_new(y, labels: tuple, leave_out: str) -> None:
    """Raise the ResponseError of :func:`known_classes`."""
    codes, new = match_levels(open_response(y), Feature("y", NOMINAL, tuple(labels)))
    first, count = int(np.argmax(codes < 0)), int((codes < 0).sum())
    of_training = ", ".join(shortened(label) for label in labels[:20])
    hints = [hint for hint in (_hint(label, labels) for label in new) if len(hint) > 1]
    hint = f"{hints[0][2].upper()}{hints[0][3:]} Correct y" if hints else "Correct y"
    what = "a label" if len(new) == 1 else "labels"
    raise ResponseError(
        f"y holds {what} that did not occur in training: {_named(new)}; ", Row(first), FromZero(), " is the first of "
        f"{count:,}. The labels of training are {of_training}. ", remedy(f"{hint}, or ", leave_out, "."),
    )  # fmt: skip


def _kind(label) -> type:
    return str if isinstance(label, str) else bool if isinstance(label, bool) else float


def _hint(given, labels: tuple) -> str:
    """The end of a sentence about a label that is none: the class that it may mean, and what is different."""
    for label in labels:
        if _forms(given) & _forms(label):
            return f"; did you mean {shortened(label)}? {_difference(given, label)}."
    return did_you_mean(given, labels)


def _forms(label) -> set:
    """What a label is without blanks, a full stop at the end, capitals and its type."""
    text = str(label).strip().removesuffix(".").strip().casefold()
    try:
        return {text, float(label if isinstance(label, bool) else text)}
    except ValueError:
        return {text}


def _difference(given, label) -> str:
    if _kind(given) is not _kind(label):
        words = {str: "text", bool: "true or false", float: "a number"}
        return f"{shortened(given)} is {words[_kind(given)]}, and {shortened(label)} is {words[_kind(label)]}"
    if str(given).strip() == str(label).strip():
        return "One has a blank at an end"
    if str(given).strip().rstrip(".").strip() == str(label).strip().rstrip(".").strip():
        return "One ends in a full stop"
    return "They differ in capitals or form"
