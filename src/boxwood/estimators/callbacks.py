"""scikit-learn's callbacks (``set_callbacks``, from 1.9): a fit is one task, which begins and ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        """Nothing: this scikit-learn has no callbacks."""

    def with_callbacks(method):
        """The method itself."""
        return method


@contextmanager
def fit_task(estimator, X=None, y=None, weight=None) -> Iterator[None]:
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
