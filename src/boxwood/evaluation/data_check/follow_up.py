"""Time under observation that would be used to predict an event: it is known only once the event has come, or not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._messages import Column, DroppedColumn, Message, Setting, remedy
from ...views.words import amount, level
from .codes import words_of
from .column_values import ColumnValues
from .finding import Finding

#: Words in the names of columns of follow-up time, and those that need an event in the target beside them.
_TIMES = frozenset((
    "dfs", "followup", "fu", "futime", "os", "pfs", "pgtime", "stime", "surv", "survival", "survtime", "time", "tte",
    "ttime",
))  # fmt: skip
_UNITS = frozenset(("days", "day", "duration", "follow", "month", "months", "tenure", "weeks", "years"))
_TIMES_OF_CJK = ("随访", "生存时间", "追跡", "추적")
#: Words of targets, and of their labels, that are events.
_EVENTS = frozenset((
    "censor", "censored", "churn", "churned", "dead", "death", "deceased", "died", "event", "failed", "failure",
    "fustat", "pgstat", "progression", "readmitted", "recurrence", "relapse", "relapsed", "status",
    "死亡", "复发", "사망",
))  # fmt: skip
_NO_EVENTS = frozenset(("censored", "censor"))
#: Labels of which the second means the event.
_FLAGS = (["0", "1"], ["0.0", "1.0"], ["false", "true"], ["no", "yes"])
#: Rows with the event have a shorter time than the others in more than this share of the pairs.
_SHORTER = 0.6
#: So many rows of each class at least are compared.
_ROWS = 10


def follow_up(column: ColumnValues, target: ColumnValues, labels: tuple) -> Iterator[Finding]:
    """A column of times that end earlier where the event of the target came."""
    words = set(words_of(column.name))
    certain = bool(words & _TIMES) or any(word.endswith("time") for word in words)
    certain = certain or any(word in column.name for word in _TIMES_OF_CJK)
    if not (certain or words & _UNITS) or len(labels) != 2:
        return
    event = _event(target.name, labels, certain)
    if event is None:
        return
    cells = column.by_class(target.group, 2)[:-1].astype(np.float64)
    cases, others = cells[:, event], cells[:, 1 - event]
    if min(cases.sum(), others.sum()) < _ROWS:
        return
    shorter = float(others @ (np.cumsum(cases) - 0.5 * cases)) / (cases.sum() * others.sum())
    if shorter <= _SHORTER:
        return
    medians = [amount(float(column.values[np.searchsorted(np.cumsum(c), c.sum() / 2)])) for c in (cases, others)]
    message = Message(
        column.column, " looks like the time under observation: it is shorter where ", Column(target.name),
        f" is {level(labels[event])} (median {medians[0]} against {medians[1]}). It is known only afterwards, so "
        "a tree that splits on it predicts nothing. ", remedy("Leave it out: ", DroppedColumn(column.name)),
        "; or predict the events (1 or 0) per time with ", Setting("criterion", "poisson", estimator="CARTRegressor"),
        " and the column as ", Setting("exposure"), ".",
    )  # fmt: skip
    yield Finding("follow_up", column.name, shorter, message)


def _event(name: str, labels: tuple, certain: bool) -> int | None:
    """The position of the label that means the event; None where no event is in sight."""
    texts = [str(label).lower() for label in labels]
    found = [i for i, text in enumerate(texts) if set(text.split()) & _EVENTS - _NO_EVENTS]
    if len(found) == 1:
        return found[0]
    named = bool(set(words_of(name)) & _EVENTS) or any(event in name for event in _EVENTS)
    return 1 if texts in _FLAGS and (named or certain) else None
