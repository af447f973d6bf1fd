"""The public measures of the theory: `boxwood.measures`, documented in statistics/measures."""

from .statistics import measures as _measures
from .statistics.measures import *  # noqa: F403

__doc__ = _measures.__doc__
__all__ = _measures.__all__
