"""The words of a criterion for explanations of splits: names, reasons, and which arithmetic is shown."""

from __future__ import annotations

from ..statistics.responses.registry import kinds


class CriterionWords:
    """The words of a criterion; a subclass replaces those that are about others than information gain."""

    @property
    def score_name(self) -> str:
        """The name of the score in reports."""
        return "information gain"

    @property
    def refusal(self) -> str:
        """Why :meth:`ranked` omitted a feature, for explanations of splits; limits of the termination are not included.

        Examples
        --------
        >>> from boxwood import Gain
        >>> Gain().refusal
        'no split of it is allowed here'
        """
        return "no split of it is allowed here"

    @property
    def handicap(self) -> str:
        """What scores are changed by before features are compared, for explanations of splits; "" if they are not."""
        return ""

    def place(self, first: str | None) -> str:
        """Why a feature is at its place among the candidates, where they are not compared by scores.

        Parameters
        ----------
        first : str or None
            Name of the feature that comes first; None for that one itself.

        Returns
        -------
        str
            "" where scores are compared.

        Examples
        --------
        >>> from boxwood import Gain, InOrder
        >>> Gain().place("wind"), InOrder((0, 1)).place("wind")
        ('', 'comes after wind in the order of the features')
        """
        return ""

    def arithmetic(self, kind: str) -> tuple[str, ...]:
        """The sections of arithmetic that an explanation of a split shows for a kind of response.

        Parameters
        ----------
        kind : {"classes", "mean", "rate"}
            Kind of the response.

        Returns
        -------
        tuple of str

        Examples
        --------
        >>> from boxwood import Gain, Significance
        >>> Gain().arithmetic("classes"), Significance().arithmetic("mean")
        (('entropy',), ('f',))
        """
        return kinds()[kind].sections[:1]
