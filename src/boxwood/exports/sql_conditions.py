"""How a database reads the columns that a tree tests, and the conditions on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from .._messages import Column, remedy
from ..data.columns.raw import EXACT
from ..data.columns.schema import Feature
from ..data.columns.temporal import DATE
from ..errors import ParameterError
from ..views.words import plain
from .column_words import codes_words, described
from .conditions import AllOf, Between, Condition, IsMissing, OneOf
from .kinds import EXPORTED
from .model_plan import ModelPlan
from .moments import next_moment
from .sql_dates import moment_words, read_moment
from .sql_reading import read_number, read_text, type_read
from .sql_text import Sql
from .sql_written_numbers import HOLDS_TEXT


@dataclass(frozen=True)
class SqlConditions:
    """The columns of a plan in a dialect.

    Attributes
    ----------
    plan : ModelPlan
    sql : Sql
    names : dict of int to str
        Feature -> its name in the query.
    """

    plan: ModelPlan
    sql: Sql
    names: dict[int, str]

    @cached_property
    def whole(self) -> set[int]:
        """Numeric features whose cuts only whole numbers express exactly; their columns must hold whole numbers."""
        exact = {j for j in self.plan.features if any(isinstance(cut, int) for cut in self.plan.cuts(j))}
        return {j for j in exact if not self.is_moment(j)}

    def check(self) -> None:
        """Raise ParameterError when a feature cannot be a column."""
        for j in self.plan.features:
            feature = self.plan.schema[j]
            if self.is_moment(j):
                self.sql.check_moments(feature)
            texts = {isinstance(v, str) for v in feature.levels}
            kinds = {type(v) for v in feature.levels}
            if len(texts) > 1 or (bool in kinds and len(kinds) > 1):
                self._refuse(feature, "mixes texts, numbers or truth values, and a column has one type")
            if any(abs(v) >= EXACT for v in _numbers(feature)) and float in kinds:
                self._refuse(feature, "mixes decimals with whole numbers beyond 2**53, and a column has one type")
            if feature.written is not None and self.is_exact(j):
                self._refuse(feature, "holds texts of whole numbers beyond 2**53, which a double does not")
            if j in self.whole and not feature.integer:
                self._refuse(feature, "mixes decimals with whole numbers beyond 2**53, and a column has one type")

    def _refuse(self, feature: Feature, why: str) -> None:
        raise ParameterError(
            "SQL cannot say the feature ", Column(feature.name), f": it {why}; ",
            remedy("export to python instead"), ".",
        )  # fmt: skip

    def is_exact(self, j: int) -> bool:
        """Whether a column is compared as it is, because a double would not keep its whole numbers apart."""
        return j in self.whole or any(abs(v) >= EXACT for v in _numbers(self.plan.schema[j]))

    def is_moment(self, j: int) -> bool:
        """Whether a feature is compared with dates or times; durations are numbers of their resolution."""
        feature = self.plan.schema[j]
        return EXPORTED.of(feature).is_moment(feature)

    def read(self, j: int, table: str) -> str:
        """The value of a feature in a column of a table: doubles, and NULL for what is missing."""
        feature = self.plan.schema[j]
        column = f"{table}.{self.sql.name(feature.name)}"
        if feature.levels and isinstance(feature.levels[0], str):
            return read_text(self.sql, feature, column)
        if self.is_moment(j):
            return read_moment(self.sql, feature, column)
        return read_number(self.sql, feature, column, self.is_plain(j))

    def is_plain(self, j: int) -> bool:
        """Whether a column is compared as it is: whole numbers that doubles do not hold, and truth values."""
        levels = self.plan.schema[j].levels
        return self.is_exact(j) or bool(levels and isinstance(levels[0], bool))

    def words(self, j: int) -> str:
        """What a column must hold, for the head of the query."""
        feature, name = self.plan.schema[j], plain(self.plan.schema[j].name)
        if self.is_moment(j):
            return f"{name}: {moment_words(self.sql, feature)}"
        if counts := EXPORTED.of(feature).counts(feature):
            return f"{name}: {counts}: {described(feature, '', False)}"
        if feature.written is not None and self.sql.dialect not in HOLDS_TEXT:
            return f"{name}: texts {EXPORTED.of(feature).texts(feature)}{codes_words(feature)}"
        return f"{name}: {described(feature, type_read(self.sql, feature, self.is_exact(j)))}"

    def refused(self) -> list[str]:
        """Conditions under which the policies refuse a row."""
        tests = []
        for j in self.plan.features:
            feature, name = self.plan.schema[j], self.sql.name(self.names[j])
            if self.plan.refuse_missing:
                tests.append(f"{name} IS NULL")
            if self.plan.refused_levels(j):
                tests.append(self.sql.one_of(name, list(feature.levels), none=True))
            if self.plan.refuse_infinite and self.sql.infinities and EXPORTED.of(feature).may_be_infinite(feature):
                tests.append(f"{name} IN ({', '.join(self.sql.infinities)})")
        return tests

    def any_of(self, conditions: tuple[Condition, ...]) -> str:
        """Conditions of which one is enough."""
        if len(conditions) == 1:
            return self._condition(conditions[0])
        tests = [self._condition(c) for c in conditions]
        return " OR ".join(f"({test})" if " AND " in test else test for test in tests)

    def _condition(self, c: Condition) -> str:
        if isinstance(c, AllOf):
            return " AND ".join(map(self._condition, c.parts))
        name, feature = self.sql.name(self.names[c.feature]), self.plan.schema[c.feature]
        if isinstance(c, IsMissing):
            return f"{name} IS NULL"
        if isinstance(c, Between):
            return self._between_moments(name, c, feature) if self.is_moment(c.feature) else self._between(name, c)
        if not c.levels:
            return f"{name} IS NOT NULL"
        return self.sql.one_of(name, [feature.levels[v] for v in c.levels], none=not isinstance(c, OneOf))

    def _between(self, name: str, c: Between) -> str:
        above, upto = c.above, c.upto
        if not self.sql.infinities:
            # Such a column holds no infinities: nothing is up to the lowest or above the highest of them.
            if upto == -math.inf or above == math.inf:
                return "1 = 0"
            above, upto = None if above == -math.inf else above, None if upto == math.inf else upto
        if isinstance(above, float) and math.nextafter(above, math.inf) == upto:
            return f"{name} = {self._cut(upto)}"
        ends = ((">", above), ("<=", upto))
        tests = [f"{name} {sign} {self._cut(cut)}" for sign, cut in ends if cut is not None]
        return " AND ".join(tests) or f"{name} IS NOT NULL"

    def _between_moments(self, name: str, c: Between, feature: Feature) -> str:
        zoned = feature.temporal.zone is not None
        if feature.temporal.kind == DATE and c.above is not None and c.upto == c.above + 1:
            return f"{name} = {self.sql.moment(next_moment(feature, c.above), zoned)}"
        ends = ((">=", c.above), ("<", c.upto))
        tests = [
            f"{name} {sign} {self.sql.moment(next_moment(feature, cut), zoned)}"
            for sign, cut in ends
            if cut is not None
        ]
        return " AND ".join(tests) or f"{name} IS NOT NULL"

    def _cut(self, value: float | int) -> str:
        return self.sql.whole(value) if isinstance(value, int) else self.sql.number(value)


def _numbers(feature: Feature) -> list[int | float]:
    """Levels of a feature that are numbers."""
    return [v for v in feature.levels if not isinstance(v, (str, bool))]
