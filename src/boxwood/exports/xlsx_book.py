"""The sheets of an exported workbook: input, rules and nodes."""

from __future__ import annotations

import math

from .._messages import Phrase, remedy
from ..data.columns.schema import Feature
from ..errors import ParameterError
from ..tree.tree import SHARED, STAYS
from ..views.boxes import all_ranges
from ..views.words import plain
from .conditions import Between, Condition, IsMissing, OneOf
from .model_plan import PlanStep
from .plan import ExportPlan
from .wording import decision_costs
from .workbook import Formula, WorkbookSheet, column_name, workbook
from .xlsx_cells import CELLS, is_missing

#: Spreadsheets nest at most 64 functions.
_NESTED = 60
#: What spreadsheets hold as numbers.
_SMALLEST, _LARGEST = 2.3e-308, 9.9e307
#: Numbers that mean "stays at this node" and "is shared out" among the numbers of nodes.
_TARGETS = {STAYS: -2, SHARED: -1}


class Book:
    """The sheets of a plan; case i is row i + 2 of the sheet "predict" and one column of the sheet "nodes"."""

    def __init__(self, plan: ExportPlan, cases: int):
        self.plan, self.cases = plan, cases
        self.labels = plan.tree.response.labels
        self._check()
        conditions = [c for step in plan.steps.values() for tests, _ in step.routes for c in tests]
        between = [c for c in conditions if isinstance(c, Between)]
        cuts = {cut for c in between for cut in (c.above, c.upto) if cut is not None and not math.isinf(cut)}
        self.cut_row = {cut: i + 2 for i, cut in enumerate(sorted(cuts))}
        level_features = [j for j in plan.features if plan.tree.schema[j].levels]
        self.level_column = {j: column_name(2 + i) for i, j in enumerate(level_features)}
        # The sheet "nodes": a header, the features, what refuses them, their sum, two rows an inner node, the ends.
        count = len(plan.features)
        self.value_row = {j: 2 + i for i, j in enumerate(plan.features)}
        self.refused_row = 2 + 2 * count
        self.goes_row = {t: self.refused_row + 1 + 2 * i for i, t in enumerate(plan.steps)}
        self.first_end = self.refused_row + 1 + 2 * len(plan.steps)
        self.last_end = self.first_end + len(plan.ends) - 1

    def _check(self) -> None:
        """Refuse what a spreadsheet cannot express."""
        for step in self.plan.steps.values():
            if len(step.routes) > _NESTED:
                self._refuse(f"node {step.node} needs a formula that is nested too deeply")
            for c in (c for tests, _ in step.routes for c in tests if isinstance(c, Between)):
                for cut in (c.above, c.upto):
                    wide = isinstance(cut, int) or (cut and math.isfinite(cut) and not _SMALLEST < abs(cut) < _LARGEST)
                    if wide:
                        self._refuse(f"it does not hold numbers such as {cut!r}")
        for feature in (self.plan.tree.schema[j] for j in self.plan.features):
            if problem := CELLS.of(feature).problem(feature):
                self._refuse(*problem)
        if self.plan.shares and (len(self.labels) > _NESTED or self.plan.tree.response.costs is not None):
            self._refuse("classes of shared rows are chosen by costs, or are too many")

    @staticmethod
    def _refuse(*why: Phrase) -> None:
        rest = remedy("export to python, sql or c instead")
        raise ParameterError("a spreadsheet cannot express this tree: ", *why, "; ", rest, ".")

    def content(self, rows: list[list]) -> bytes:
        """The bytes, with rows typed in (values of the features that the tree tests)."""
        return workbook([self._predict(rows), self._rules(), self._nodes(), self._tables()])

    @property
    def results(self) -> list[str]:
        """Headers of the columns that are computed."""
        node = [] if self.plan.shares else ["node"]
        return [
            *node,
            f"predicted {self.plan.tree.response.name}",
            *(f"probability of {label}" for label in self.labels),
        ]

    def _predict(self, rows: list[list]) -> WorkbookSheet:
        schema = self.plan.tree.schema
        names = [schema[j].name for j in self.plan.features]
        lines: list[list] = [[*names, *self.results]]
        for case in range(self.cases):
            typed = rows[case] if case < len(rows) else [None] * len(names)
            lines.append([*typed, *self._answers(case)])
        return WorkbookSheet("predict", lines, tuple(max(12, min(len(name) + 2, 40)) for name in lines[0]))

    def _answers(self, case: int) -> list[Formula]:
        """The formulas of one case's results."""
        column, row = self._column(case), case + 2
        ends = f"nodes!{column}${self.first_end}:{column}${self.last_end}"
        static = lambda letter: f"nodes!${letter}${self.first_end}:${letter}${self.last_end}"  # noqa: E731
        formulas = [f"SUMPRODUCT({ends},{static(column_name(4 + k))})" for k in range(len(self.labels))]
        if not self.plan.shares:
            at = f"MATCH(1,{ends},0)"
            formulas = [f"INDEX({static('B')},{at})", f"INDEX({static('C')},{at})", *formulas]
        elif not self.labels:
            formulas = [f"SUMPRODUCT({ends},{static('C')})"]
        else:
            formulas = [self._decision(row), *formulas]
        return [Formula(f'IF(nodes!{column}${self.refused_row}>0,"refused",{each})') for each in formulas]

    def _decision(self, row: int) -> str:
        """The most probable label, the first of those that are equal within rounding."""
        first = len(self.plan.features) + 1
        columns = [column_name(first + k) for k in range(len(self.labels))]
        _, gap = decision_costs(self.plan)
        most = f"MAX({columns[0]}{row}:{columns[-1]}{row})-{gap!r}".replace("e-", "E-")
        text = f"tables!$A${1 + len(self.labels)}"
        for k in range(len(columns) - 2, -1, -1):
            text = f"IF({columns[k]}{row}>={most},tables!$A${k + 2},{text})"
        return text

    def _rules(self) -> WorkbookSheet:
        """One row an end: what the path to it requires of each feature, and the prediction."""
        tree = self.plan.tree
        of_class = [f"rows of {label}" for label in self.labels if tree.response.is_altered]
        lines: list[list] = [["node", "rule", "rows", *self.results[-1 - len(self.labels) :], *of_class]]
        ranges = all_ranges(tree)
        for t in self.plan.ends:
            steps = [part.words(tree.schema) for part in ranges[t]]
            stays = [] if tree.is_leaf[t] else [f"no branch for this value of {plain(self._tested(t))}"]
            words = " and ".join([*steps, *stays]) or "all rows"
            probability = tree.probability[t].tolist() if self.labels else []
            counts = tree.counts[t].tolist() if of_class else []
            lines.append([t, words, int(tree.rows[t]), self.plan.prediction(t), *probability, *counts])
        return WorkbookSheet("rules", [*lines, [], [None, self.plan.heading()]], (8, 80, 8, 20))

    def _tested(self, t: int) -> str:
        return self.plan.tree.schema[int(self.plan.tree.splits.feature[t])].name

    def _column(self, case: int) -> str:
        """The column of a case in the sheet "nodes"."""
        return column_name(4 + len(self.labels) + case)

    def _nodes(self) -> WorkbookSheet:
        """Values of the cases, where each inner node sends them, and the share that comes to each end."""
        plan, blank = self.plan, [None] * len(self.labels)
        head = ["what", "node", "prediction", "part", *self.results[len(self.results) - len(self.labels) :]]
        lines: list[list] = [[*head, *(f"case {i + 1}" for i in range(self.cases))]]
        schema = plan.tree.schema
        every = range(self.cases)
        for i, j in enumerate(plan.features):
            cells = [Formula(self._value(schema[j], j, f"predict!${column_name(i)}${case + 2}")) for case in every]
            lines.append([f"value of {schema[j].name}", None, None, None, *blank, *cells])
        for i, j in enumerate(plan.features):
            cells = [Formula(self._refusal(j, f"predict!${column_name(i)}${c + 2}", self._column(c))) for c in every]
            lines.append([f"refused for {schema[j].name}", None, None, None, *blank, *cells])
        first = 2 + len(plan.features)
        total = [f"SUM({self._column(c)}{first}:{self._column(c)}{self.refused_row - 1})" for c in every]
        none = [Formula(each) if plan.features else 0 for each in total]
        lines.append(["refused", None, None, None, *blank, *none])
        part = {child: size for parts in plan.shares.values() for child, size in parts}
        for t, step in plan.steps.items():
            goes = [Formula(self._goes(step, self._column(case))) for case in every]
            lines.append(["goes from node to", t, None, None, *blank, *goes])
            shares = [Formula(self._share(t, self._column(case), self.goes_row[t] + 1)) for case in every]
            lines.append(["share at node", t, None, part.get(t), *blank, *shares])
        for i, t in enumerate(plan.ends):
            ends = [Formula(self._end(t, self._column(case), self.first_end + i)) for case in every]
            probability = plan.tree.probability[t].tolist() if self.labels else []
            lines.append(["ends in node", t, plan.prediction(t), part.get(t), *probability, *ends])
        return WorkbookSheet("nodes", lines, (24, 8, 16))

    def _value(self, feature: Feature, j: int, cell: str) -> str:
        """A typed value as the nodes read it."""
        letter = self.level_column.get(j, "")
        return CELLS.of(feature).read(feature, cell, f"tables!${letter}$2:${letter}${len(feature.levels) + 1}")

    def _refusal(self, j: int, cell: str, column: str) -> str:
        """1 when a typed value is refused: a text where a number belongs, or what the policies refuse."""
        feature = self.plan.tree.schema[j]
        tests = [is_missing(feature, cell)] * self.plan.refuse_missing
        tests += CELLS.of(feature).refused(feature, cell, f"{column}{self.value_row[j]}", self.plan.refuse_unseen)
        return f"IF(OR({','.join(tests)}),1,0)" if tests else "0"

    def _goes(self, step: PlanStep, column: str) -> str:
        """The number of the node that a case goes to."""
        text = str(_TARGETS.get(step.otherwise, step.otherwise))
        for conditions, to in reversed(step.routes):
            # A sum is a number; Excel holds that a truth value by itself is greater than any number.
            tests = "+".join(["0", *(self._condition(c, column) for c in conditions)])
            text = f"IF({tests}>0,{_TARGETS.get(to, to)},{text})"
        return text

    def _condition(self, c: Condition, column: str) -> str:
        """1 when a condition holds, else 0."""
        value = f"{column}${self.value_row[c.feature]}"
        if isinstance(c, Between):
            return f"IF(ISNUMBER({value}),{self._between(c, value)},0)"
        if isinstance(c, IsMissing):
            return CELLS.of(self.plan.tree.schema[c.feature]).missing.format(value)
        places = [v + 1 for v in c.levels]
        if isinstance(c, OneOf):
            return "(" + "+".join(f"({value}={v})" for v in places) + ")"
        return "(" + "*".join([f"({value}>=0)", *(f"({value}<>{v})" for v in places)]) + ")"

    def _between(self, c: Between, value: str) -> str:
        # GESTEP compares all bits; <= takes numbers for equal that agree in 15 digits.
        if c.upto == -math.inf or c.above == math.inf:
            return "0"
        tests = [] if c.above in (None, -math.inf) else [f"(1-GESTEP(tables!$B${self.cut_row[c.above]},{value}))"]
        tests += [] if c.upto in (None, math.inf) else [f"GESTEP(tables!$B${self.cut_row[c.upto]},{value})"]
        return "*".join(tests) or "1"

    def _share(self, t: int, column: str, row: int) -> str:
        """The share of a case that comes to a node; its own part is beside it."""
        parent = int(self.plan.tree.parent[t])
        if parent < 0:
            return "1"
        goes = f"{column}{self.goes_row[parent]}"
        other = f"IF({goes}=-1,$D{row},0)" if parent in self.plan.shares and self._has_part(parent, t) else "0"
        return f"{column}{self.goes_row[parent] + 1}*IF({goes}={t},1,{other})"

    def _has_part(self, parent: int, t: int) -> bool:
        return any(child == t for child, _ in self.plan.shares[parent])

    def _end(self, t: int, column: str, row: int) -> str:
        if t not in self.plan.steps:
            return self._share(t, column, row)
        goes = self.goes_row[t]
        return f"{column}{goes + 1}*IF({column}{goes}=-2,1,0)"

    def _tables(self) -> WorkbookSheet:
        """Labels, cuts and levels, one column each: cells keep all digits, numbers in formulas only 15."""
        schema = self.plan.tree.schema
        columns: list[list] = [["labels", *self.labels], ["cuts", *self.cut_row]]
        columns += [[schema[j].name, *schema[j].levels] for j in self.level_column]
        height = max(map(len, columns))
        return WorkbookSheet("tables", [[c[i] if i < len(c) else None for c in columns] for i in range(height)])
