"""Copies of sparse matrices whose indices were checked: scipy and the kernel read memory at them unchecked."""

from __future__ import annotations

from ...errors import DataError


def own_copy(X):
    """A copy of a matrix or array of scipy, compressed by rows or by columns, that nobody else changes.

    Raises
    ------
    DataError
        An index lies outside of the table.

    Examples
    --------
    >>> import scipy.sparse
    >>> from boxwood.data.columns.sparse_copies import own_copy
    >>> X = scipy.sparse.csr_array([[0.0, 2.0]])
    >>> own_copy(X).toarray()
    array([[0., 2.]])
    >>> X.indices[0] = 7
    >>> own_copy(X)
    Traceback (most recent call last):
    boxwood.errors.DataError: the sparse table X is damaged: indices must be < 2; create it again.
    """
    try:
        own = X.copy()
        _check(own)
        if own.format not in ("csr", "csc"):
            own = own.tocsr()
            _check(own)
    except (ValueError, IndexError, TypeError) as error:
        reason = str(error).strip(".")
        raise DataError(f"the sparse table X is damaged: {reason}; create it again.") from error
    return own


def _check(own) -> None:
    """Raise ValueError where an index lies outside; a format without such a check makes it when it is copied."""
    if hasattr(own, "check_format"):
        # scipy does not look at this where the last one is not positive, and its differences may overflow.
        if (own.indptr[1:] < own.indptr[:-1]).any():
            raise ValueError("index pointers must not fall")
        own.check_format(full_check=True)
