"""scikit-learn's callbacks (``set_callbacks``, from 1.9): a fit is a task; its folds and levels are tasks inside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from .._typing import ColumnLike, TableLike
from ..growing.progress import listener

try:
    from sklearn.callback import CallbackSupportMixin as _Supported
    from sklearn.callback import with_callbacks as _called
except ImportError:  # scikit-learn before 1.9
    _Supported, _called = object, None

_Method = TypeVar("_Method", bound=Callable[..., Any])


class CallbackSupportMixin(_Supported):
    """scikit-learn's mixin; nothing where scikit-learn has no callbacks."""


def with_callbacks(method: _Method) -> _Method:
    """A method of fit decorated for callbacks; the method itself where scikit-learn has none."""
    return method if _called is None else _called(method)


@contextmanager
def fit_task(
    estimator: Any, X: TableLike | None = None, y: ColumnLike | None = None, weight: ColumnLike | None = None
) -> Iterator[None]:
    """Call the callbacks of an estimator before and after a fit, in a method decorated by ``with_callbacks``.

    Costs nothing where no callbacks are set. At the end they can read the fitted estimator. That a callback returns
    True, to stop, has no effect: the same data give the same tree.

    Parameters
    ----------
    estimator : estimator
    X, y : the data of the fit, as they came
    weight : column of n numbers, optional
    """
    if not ("_skl_callbacks" in vars(estimator) or hasattr(estimator, "_parent_callback_ctx")):
        yield
        return
    context = estimator._init_callback_context(max_subtasks=None)
    given = {"estimator": estimator, "X": X, "y": y}
    given["metadata"] = None if weight is None else {"sample_weight": weight}
    context.call_on_fit_task_begin(**given)
    parts = _Parts(estimator, context)
    token = listener.set(parts.ended)
    try:
        yield
    finally:
        listener.reset(token)
    parts.close()
    context.call_on_fit_task_end(**given, reconstruction_attributes=lambda: {"model_": estimator.model_})


class _Parts:
    """The tasks inside a fit: for each kind of part, such as folds, one task that holds one for each part."""

    def __init__(self, estimator: Any, context: Any):
        self._estimator, self._context = estimator, context
        self._kinds: dict[str, Any] = {}

    def ended(self, part: str, of: int | None) -> None:
        """A part has ended; it counts as begun just before."""
        kind = self._kinds.get(part)
        if kind is None:
            kind = self._kinds[part] = self._context.subcontext(task_name=f"{part}s", max_subtasks=of)
            kind.call_on_fit_task_begin(estimator=self._estimator)
        one = kind.subcontext(task_name=part)
        one.call_on_fit_task_begin(estimator=self._estimator)
        one.call_on_fit_task_end(estimator=self._estimator)

    def close(self) -> None:
        """No more parts come."""
        for kind in self._kinds.values():
            kind.call_on_fit_task_end(estimator=self._estimator)
