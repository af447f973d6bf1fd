"""Drop-in replacements of scikit-learn's decision trees: `boxwood.sklearn`, documented in estimators/drop_in.py."""

from .estimators import drop_in as _drop_in
from .estimators.drop_in import *  # noqa: F403

__doc__ = _drop_in.__doc__
__all__ = _drop_in.__all__
