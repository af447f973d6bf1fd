"""Choice 2 of a recipe, the branching criterion: what every criterion has in common."""

from __future__ import annotations

#: Kind of response -> the measure of impurity where the criterion has none of its own.
USUAL_MEASURE = {"classes": "entropy", "mean": "variance", "rate": "poisson"}


class Criterion:
    """A branching criterion; its subclasses are frozen records."""

    def importance_measure(self, kind: str) -> str:
        """The measure in which impurities and importances of a tree are reported: the criterion's own, else the usual.

        Parameters
        ----------
        kind : {"classes", "mean", "rate"}
            Of the response.

        Examples
        --------
        >>> from boxwood import Gain, ImpurityDecrease
        >>> ImpurityDecrease("gini").importance_measure("classes"), Gain().importance_measure("mean")
        ('gini', 'variance')
        """
        return USUAL_MEASURE[kind]
