"""The bundled tables: `boxwood.datasets`, documented beside the data (data/datasets)."""

from .data import datasets as _datasets
from .data.datasets import *  # noqa: F403

__doc__ = _datasets.__doc__
__all__ = _datasets.__all__
