"""Messages of an estimator: progress on stderr, and a warning about levels not seen in training."""

from __future__ import annotations

import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from ..data.columns.columns import Columns
from ..errors import UnseenLevelWarning, level_outside
from ..model.unseen import unseen_sentence

_LOG = logging.getLogger("boxwood")


class _Shown:
    """How many fits show their lines just now, and the level of the log before the first of them."""

    lock = threading.Lock()
    fits = 0
    level = logging.NOTSET


@contextmanager
def log_shown(verbose: int) -> Iterator[None]:
    """Show the log lines of this thread on stderr while the block runs, if ``verbose`` is not 0.

    Nothing is added when the program has set up logging for these lines itself.
    """
    if not verbose or (_Shown.fits == 0 and _LOG.isEnabledFor(logging.INFO) and _LOG.hasHandlers()):
        yield
        return
    here = threading.get_ident()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("boxwood: %(message)s"))
    handler.addFilter(lambda record: record.thread == here)
    with _Shown.lock:
        if _Shown.fits == 0:
            _Shown.level = _LOG.level
            _LOG.setLevel(logging.INFO)
        _Shown.fits += 1
        _LOG.addHandler(handler)
    try:
        yield
    finally:
        with _Shown.lock:
            _LOG.removeHandler(handler)
            _Shown.fits -= 1
            if _Shown.fits == 0:
                _LOG.setLevel(_Shown.level)


def warn_unseen(columns: Columns, policy: str) -> None:
    """Warn once, in the name of the line outside boxwood, when rows hold levels that did not occur in training."""
    sentence = unseen_sentence(columns, policy)
    if sentence is not None:
        warnings.warn(
            f"{sentence}; choose another treatment with unseen=.", UnseenLevelWarning, stacklevel=level_outside()
        )
