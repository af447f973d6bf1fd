"""The public pruners: `boxwood.pruners`, documented in pruning/pruners."""

from .pruning import pruners as _pruners
from .pruning.pruners import *  # noqa: F403

__doc__ = _pruners.__doc__
__all__ = _pruners.__all__


def __dir__() -> list[str]:
    """The public names, without the modules they are in."""
    return list(__all__)
