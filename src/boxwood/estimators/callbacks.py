"""scikit-learn's callbacks (``set_callbacks``, from 1.9): a fit is one task, which begins and ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from .._typing import ColumnLike, TableLike

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

    Costs nothing where no callbacks are set. At the end they can ask for the fitted estimator.

    Parameters
    ----------
    estimator : estimator
    X, y : the data of the fit, as they came
    weight : column of n numbers, optional
    """
    if not ("_skl_callbacks" in vars(estimator) or hasattr(estimator, "_parent_callback_ctx")):
        yield
        return
    context = estimator._init_callback_context()
    given = {"estimator": estimator, "X": X, "y": y}
    given["metadata"] = None if weight is None else {"sample_weight": weight}
    context.call_on_fit_task_begin(**given)
    yield
    context.call_on_fit_task_end(**given, reconstruction_attributes=lambda: {"model_": estimator.model_})
