"""Letters to the people behind rows, for whatever holds a tree."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from .._messages import Setting, remedy
from .._typing import TableLike
from ..data.frames.one_row import one_row
from ..errors import ParameterError
from ..views.target import target_of
from .applied_tree import HoldsTree
from .letter.letter import LetterOptions, Letters, letters_of
from .letter.sentences import sentences_of


class LetterMixin(HoldsTree):
    """``letter`` for whatever holds a tree of constant leaves."""

    def letter(
        self,
        X: TableLike,
        target_class: Any = None,
        *,
        target_range: tuple[float | None, float | None] | None = None,
        can_change: Sequence[str] = (),
        allowed: Mapping[str, Any] | None = None,
        reasons: int = 4,
        language: str = "en",
        sentences: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        unseen: str | None = None,
    ) -> Letters:
        """A letter to the person behind each row: the data used, the path, the reasons, and what would change it.

        The letter names only features that were looked at for this row. Reasons are the features whose splits moved
        the prediction most, those in favour of the class that is predicted. The smallest change is that of
        ``counterfactual``, and it predicts as stated.

        Parameters
        ----------
        X : dict, list of p values, or table of shape (n, p)
        target_class : label, optional
            The class to which a change leads; default: any class other than the predicted one.
        target_range : pair (low, high), optional
            For regression: the range to which a change leads; needed with ``can_change``.
        can_change : list of str
            Features that the person can change. Without any, the letter names no change.
        allowed : dict, optional
            Their allowed changes, as for ``counterfactual``: a range, "increase", "decrease" or a list of levels.
        reasons : int
            Maximum number of reasons, at least 1.
        language : {"en", "de", "ja", "zh"}
            Language of the sentences.
        sentences : path or dict, optional
            A JSON file, or a dictionary, with sentences in place of those of the language; and with "names" and
            "answers", other words for the features and classes.
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        Letters
            One letter a row, made when it is read: print it, loop over it, or use ``[row].to_dict()``.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        ParameterError, ParameterTypeError
            An invalid class, feature, sentence or choice; the message names it.
        FileError
            The sentences cannot be read.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"income": [20, 25, 60, 70], "debts": [1, 0, 0, 3]}
        >>> model = CARTClassifier(pruning=None).fit(X, ["refused", "refused", "granted", "granted"])
        >>> print(model.letter({"income": 22, "debts": 0}, can_change=["income"]))
        Decision on y: refused
        The estimated probability of refused is 100.0 %.
        <BLANKLINE>
        Data used
        - income: 22
        <BLANKLINE>
        How this was reached
        1. income is at most 42.5.
        Earlier cases in the same group: 2.
        <BLANKLINE>
        Main reasons
        1. income: 22
        <BLANKLINE>
        What would have changed it
        With income 43 instead of 22, the answer would have been granted.
        """
        used, columns = self._read(one_row(X, self._used().tree.schema.names), unseen)
        for name, given in {"target_class": target_class, "target_range": target_range}.items():
            if given is not None and not len(can_change):
                raise ParameterError(
                    Setting(name), " is where a change leads; ",
                    remedy("name what can change in ", Setting("can_change")), ".",
                )  # fmt: skip
        target = target_of(used.tree.response).given(target_class, target_range)
        options = LetterOptions(can_change, allowed, target, reasons)
        return letters_of(used, columns, sentences_of(language, sentences), options)
