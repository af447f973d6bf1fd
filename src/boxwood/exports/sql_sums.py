"""A sum of terms as one query in the SQL of a database."""

from __future__ import annotations

from .answers import Answers
from .raw_rows import RawRows
from .sql_counts import counted
from .sql_query import Query, column, indented, listed
from .sql_text import column_names, free_name
from .sums import Arithmetic, SumPlan, signed

#: Terms added in one stage; SQLite and DuckDB take expressions of a depth of 1,000.
_MOST_TERMS = 200
#: Log odds beyond which a probability is 0 or 1; some databases report underflow of EXP as an error.
_FAR = 700.0


def write(plan: SumPlan, options: dict) -> str:
    """A SELECT that predicts every row of a table."""
    return SumQuery(plan, options).text()


def run(content: str, plan: SumPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of a database for rows."""
    from .sql_engines import run_query

    return run_query(content, SumQuery(plan, options), rows)


class SumQuery(Query):
    """Stages: inputs, sums, and for classes the link and the shares; a value that is refused gives NULL."""

    def __init__(self, plan: SumPlan, options: dict):
        super().__init__(plan, options)
        self.inputs = [free_name(f"c{i}", self.taken) for i in range(len(plan.inputs))]
        labels = plan.labels[-1:] if plan.n_sums == 1 else plan.labels
        names = [self.sql.nearest_name(*pair) for pair in column_names("log_odds" if plan.logistic else "sum", labels)]
        self.sums = [free_name(name, self.taken) for name in names] or self.predicted
        self.links = [free_name(f"each_{k}", self.taken) for k in range(plan.n_sums)]

    def stages(self) -> list[list[str]]:
        """The inputs, the sums; of classes the links and the probabilities."""
        plan, name, arithmetic = self.plan, self.sql.name, self._arithmetic()
        inputs = [f"{arithmetic.input(plan, i)} AS {name(c)}" for i, c in enumerate(self.inputs)]
        found = [self._stage([*self.carried, *inputs])] if inputs else []
        found += self._added([arithmetic.sum(plan, k) for k in range(plan.n_sums)])
        if not plan.labels:
            return found
        links = [f"{self._link(name(z))} AS {name(each)}" for z, each in zip(self.sums, self.links, strict=True)]
        shares = [f"{p} AS {name(each)}" for p, each in zip(self._shares(), self.probabilities, strict=True)]
        return [*found, self._stage([*self.carried, *links]), self._stage([*self.carried, *shares])]

    def answer(self) -> list[str]:
        """The keys, or the features; the prediction; the probabilities."""
        name = self.sql.name
        predicted = list(map(name, self.predicted))
        if self.plan.labels:
            predicted = [f"{self._best()} AS {predicted[0]}"]
        carried = self.carried[: len(self.keys)] or self.carried
        return ["SELECT", *listed([*carried, *predicted, *map(name, self.probabilities)])]

    @staticmethod
    def _stage(columns: list[str]) -> list[str]:
        return ["SELECT", *listed(columns), "FROM"]

    def _arithmetic(self) -> Arithmetic:
        return Arithmetic(
            lambda v: signed(self.sql.number(v)), self._value, self.conditions.any_of, _choice, self._hinge,
            lambda i: self.sql.name(self.inputs[i]),
        )  # fmt: skip

    def _value(self, j: int) -> str:
        name, feature = self.sql.name(self.names[j]), self.plan.schema[j]
        return counted(self.sql, feature, name) if self.conditions.is_moment(j) else name

    def _hinge(self, a: str, b: str) -> str:
        return f"CASE WHEN {a} > {b} THEN {a} - {b} ELSE {self.sql.number(0.0)} END"

    def _added(self, sums: list[list[str]]) -> list[list[str]]:
        """The stages that add up the terms of each sum; NULL for rows that are refused."""
        stages, count, inputs = [], len(sums[0]), list(map(self.sql.name, self.inputs))
        for start in range(0, count, _MOST_TERMS):
            further = inputs if start + _MOST_TERMS < count else []
            columns = []
            for terms, name in zip(sums, map(self.sql.name, self.sums), strict=True):
                part = terms[start : start + _MOST_TERMS]
                columns += column(self._taken(part) if start == 0 else [name, *indented(part)], name)
            stages.append(self._stage([*self.carried, *further, *columns]))
        return stages

    def _taken(self, terms: list[str]) -> list[str]:
        refused = self.conditions.refused()
        first, *others = terms
        if not refused:
            return [first, *indented(others)]
        lines = [f"CASE WHEN {' OR '.join(refused)} THEN NULL ELSE {first}", *indented(others)]
        return [*lines[:-1], f"{lines[-1]} END"]

    def _link(self, z: str) -> str:
        one, zero, far = self.sql.number(1.0), self.sql.number(0.0), self.sql.number(_FAR)
        if not self.plan.logistic:
            return f"CASE WHEN {z} < {zero} THEN {zero} WHEN {z} > {one} THEN {one} ELSE {z} END"
        ends = f"WHEN {z} > {far} THEN {one} WHEN {z} < -{far} THEN {zero}"
        return f"CASE {ends} WHEN {z} >= {zero} THEN {one} / ({one} + EXP(-{z})) ELSE EXP({z}) / ({one} + EXP({z})) END"

    def _shares(self) -> list[str]:
        """The probabilities of the classes; NULL where the links are."""
        each, one = list(map(self.sql.name, self.links)), self.sql.number(1.0)
        count = len(self.plan.labels)
        if count == 1:
            return [f"CASE WHEN {each[0]} IS NOT NULL THEN {one} END"]
        if len(each) == 1:
            return [f"{one} - {each[0]}", each[0]]
        total, even = f"({' + '.join(each)})", self.sql.number(1 / count)
        zero = self.sql.number(0.0)
        return [f"CASE WHEN {total} > {zero} THEN {p} / {total} WHEN {total} = {zero} THEN {even} END" for p in each]

    def _best(self) -> str:
        """The label of the greatest probability, the first of equals."""
        names, cases = list(map(self.sql.name, self.probabilities)), []
        for k, (p, label) in enumerate(zip(names, self.plan.labels, strict=True)):
            tests = [f"{p} >= {other}" for other in names[k + 1 :]] or [f"{p} IS NOT NULL"]
            cases.append(f"WHEN {' AND '.join(tests)} THEN {self.sql.value(label)}")
        return f"CASE {' '.join(cases)} END"


def _choice(cases: list[tuple[str, str]], last: str) -> str:
    """The value of the first test that holds."""
    return f"CASE {' '.join(f'WHEN {test} THEN {value}' for test, value in cases)} ELSE {last} END"
