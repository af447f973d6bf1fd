"""The roles of the data's columns, and how each is read, for learning from parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..._messages import Column, Setting, remedy
from ..._spelling import did_you_mean
from ...data.columns.names import declared_nominal, listed
from ...data.streams.batches import Batches
from ...data.streams.survey import Reading
from ...errors import ColumnError, ParameterError


@dataclass(frozen=True)
class Layout:
    """The columns of a learning set.

    Attributes
    ----------
    features : tuple of str
        In the order of the data.
    readings : tuple of Reading
        How to read each of them.
    target : str
    weight : str or None
        Column of sample weights.
    task : {"classification", "regression"}
    power : float or None
        Of the deviance of counts (1) or amounts; None = classes or means.
    exposure : str or None
        Column of exposures of counts or amounts.
    """

    features: tuple[str, ...]
    readings: tuple[Reading, ...]
    target: str
    weight: str | None
    task: str
    power: float | None = None
    exposure: str | None = None

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        return [*self.features, self.target, *(name for name in (self.weight, self.exposure) if name)]


@dataclass(frozen=True)
class Roles:
    """The roles of the columns; every column without one is a feature.

    Attributes
    ----------
    target : str
    weight : str or None
    drop : tuple of str
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
    exposure : str or None
        Column of exposures of counts.
    power : float or None
        As in :class:`Layout`.
    declared_levels : bool
        Levels that are declared, but that no row has, are levels too.
    """

    target: str
    weight: str | None = None
    drop: tuple[str, ...] = ()
    categorical_features: str | Sequence | None = "from_dtype"
    exposure: str | None = None
    power: float | None = None
    declared_levels: bool = False

    def layout(self, batches: Batches, task: str) -> Layout:
        """The columns of some batches.

        Raises
        ------
        ColumnError
            A column is not there, or none is left as a feature.
        ParameterError
            ``categorical_features`` does not fit the data.
        """
        roles = (("target", self.target), ("sample_weight", self.weight), ("exposure", self.exposure))
        for what, name in (*roles, *(("drop", c) for c in self.drop)):
            if name is not None and name not in batches.names:
                hint = did_you_mean(name, batches.names)
                known = "" if hint != "." else f"; the columns are {listed(batches.names)}"
                raise ColumnError(Setting(what), ": there is no ", Column(name, "column"), known, hint)
        aside = {self.target, self.weight, self.exposure, *self.drop}
        for what, name in roles[1:]:
            if name == self.target:
                column = Column(self.target)
                raise ColumnError(Setting(what), " must be another column than the target; both are ", column, ".")
        if self.exposure is not None and self.power is None:
            raise ParameterError(
                Setting("exposure"), " is for counts and amounts; ",
                remedy("use it with ", Setting("criterion", "poisson"), ", 'gamma' or 'tweedie'."),
            )  # fmt: skip
        features = tuple(name for name in batches.names if name not in aside)
        if not features:
            raise ColumnError("no column is left as a feature; drop fewer columns.")
        given = self.categorical_features
        by_type = isinstance(given, str) and given == "from_dtype"
        chosen = frozenset() if by_type or given is None else declared_nominal(given, features, named=True)
        readings = tuple(Reading(j in chosen, by_type, self.declared_levels) for j in range(len(features)))
        return Layout(features, readings, self.target, self.weight, task, self.power, self.exposure)
