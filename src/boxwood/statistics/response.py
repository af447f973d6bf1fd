"""The kinds of response by name."""

from __future__ import annotations

from .responses.classes import Classes
from .responses.means import Means
from .responses.rates import Rates

CLASSES, MEAN, RATE = Classes.kind, Means.kind, Rates.kind
