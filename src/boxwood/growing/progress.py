"""Parts of a fit that end one after the other, such as folds: each is logged, and passed to the listener, if any."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import ContextVar

log = logging.getLogger("boxwood")

#: Takes what ended ("fold", "level") and how many there will be, None if that is not known.
listener: ContextVar[Callable[[str, int | None], None] | None] = ContextVar("listener", default=None)


def ended(part: str, of: int | None, message: str, *values) -> None:
    """Report that a part of the fit of this thread has ended.

    Parameters
    ----------
    part : str
        Its name.
    of : int or None
        How many there will be at most; None = not known.
    message, *values
        As for ``logging``.
    """
    log.info(message, *values)
    found = listener.get()
    if found is not None:
        found(part, of)
