"""The certificate of an order of predictions, for whatever holds a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..views.certificate import Certificate, certificate
from .applied_tree import HoldsTree


class CertificateMixin(HoldsTree):
    """The method that proves an order of the predictions of a tree."""

    def certificate(
        self, monotonic_cst: Mapping[str, int] | Sequence[int] | None = None, *, gaps: str = "training"
    ) -> Certificate:
        """Prove that predictions rise, or fall, along features, for all rows that there can be, not for a sample.

        Two rows are compared if they agree in all other features and lack the same values. Of two classes, the
        prediction is the probability of the second one.

        Parameters
        ----------
        monotonic_cst : dict or list of int, optional
            The order, as for the fit; by default that of the fit. It can be given for any tree.
        gaps : {"training", "all", "none"}
            Rows may lack values of features of which values were missing in training, if the tree was fitted with an
            order; of all features; of none.

        Returns
        -------
        Certificate
            ``holds`` is True if it is proved; otherwise, ``violation`` has two rows in the wrong order. Print it.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            The tree was fitted without an order and none is given, it predicts more than two classes, or it has too
            many ways of treating rows with gaps.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X, y = {"income": [1, 2, 3, 4, 5, 6]}, ["no", "yes", "no", "yes", "no", "yes"]
        >>> model = CARTClassifier(monotonic_cst={"income": 1}, pruning=None).fit(X, y)
        >>> print(model.certificate())
        Proved: probabilities of yes never fall as income rises. 6 pairs of leaves are in order, for all complete rows.
        >>> CARTClassifier(pruning=None).fit(X, y).certificate({"income": 1}).violation.high_row
        {'income': 5.0}
        """
        used = self._used()
        return certificate(used.tree, monotonic_cst, gaps, **used.policies)
