"""A model whose rows end in nodes as one query: stages of a few levels each, so that no expression is too deep."""

from __future__ import annotations

from ..errors import ParameterError
from ..tree.tree import SHARED, STAYS
from .model_plan import NodePlan, PlanStep
from .sql_query import Query, column, indented, listed
from .sql_text import free_name
from .wording import decision_costs

#: Levels of nested CASE in one stage; SQL Server allows ten, of which a stage and a choice among surrogates take two.
LEVELS = 8
#: The parts of a row add up to 1; above this, rows had the same key.
_TWO_ROWS = 1.5


class NodeQuery(Query):
    """Writes the query of one plan in one dialect.

    Attributes
    ----------
    node : str
        Name of the column of nodes; it is not there when parts of rows are added up.
    """

    def __init__(self, plan: NodePlan, options: dict):
        super().__init__(plan, options)
        if plan.shares and not self.keys:
            raise ParameterError(
                "this tree shares rows with missing values out over branches, and SQL adds the parts of a row up by a "
                "key; give key=, the name of a column that is different in every row."
            )
        self.node, self.share = free_name("node", self.taken), free_name("share", self.taken)
        self.has_nodes = not plan.shares

    @property
    def branches(self) -> str:
        """Name of the table of shares."""
        return f"branches{self.mark}"

    def before(self) -> list[str]:
        """The table of shares."""
        return self.stage(self.branches, self._branches()) if self.plan.shares else []

    def settings(self) -> list[str]:
        """Those of the database, and of joins."""
        return [*super().settings(), *([self.sql.of_joins] if self.plan.shares and self.sql.of_joins else [])]

    def stages(self) -> list[list[str]]:
        """The steps, and the sums of parts of rows."""
        return [*self._steps(), *([self._sums()] if self.plan.shares else [])]

    def _steps(self) -> list[list[str]]:
        """The stages that send rows on, each from the nodes where the one before left them."""
        plan, node = self.plan, self.sql.name(self.node)
        if not plan.steps:
            return [["SELECT", *listed([*self.carried, f"{plan.root} AS {node}"]), "FROM"]]
        roots = set(plan.roots_of_parts(LEVELS))
        rank: dict[int, int] = {}
        for t in plan.steps:
            rank[t] = rank.get(plan.parent(t), -1) + (t in roots)
        stages = []
        for level in range(max(rank.values()) + 1):
            here = [t for t in sorted(roots) if rank[t] == level]
            expression = self._start(roots) if level == 0 else self._go_on(here, roots)
            share = [self.sql.name(self.share)] if level else [f"{self.sql.number(1.0)} AS {self.sql.name(self.share)}"]
            columns = [*self.carried, *(share if plan.shares else []), *column(expression, node)]
            stages.append(["SELECT", *listed(columns), "FROM"])
            if any(t in plan.shares for t in here):
                stages.append(self._spread())
        return stages

    def _start(self, roots: set[int]) -> list[str]:
        lines = self._step(self.plan.steps[self.plan.root], roots)
        refused = self.conditions.refused()
        if not refused:
            return lines
        return ["CASE", f"  WHEN {' OR '.join(refused)} THEN NULL", *indented(["ELSE", *indented(lines)]), "END"]

    def _go_on(self, here: list[int], roots: set[int]) -> list[str]:
        node = self.sql.name(self.node)
        lines = [f"CASE {node}"]
        for t in here:
            lines += [f"  WHEN {t} THEN", *indented(indented(self._step(self.plan.steps[t], roots)))]
        return [*lines, f"  ELSE {node}", "END"]

    def _step(self, step: PlanStep, roots: set[int]) -> list[str]:
        """The node that a row goes to from a node, as deep as the stage goes."""
        targets = step.targets
        after = [self._target(step.node, to, roots) for to in targets]
        if len(targets) == 1:
            return after[0]
        if step.is_plain:
            lines, tests = ["CASE"], [self.conditions.any_of(conditions) for conditions, _ in step.routes]
        else:
            place = {to: number for number, to in enumerate(targets)}
            lines = ["CASE CASE"]
            lines += [f"    WHEN {self.conditions.any_of(c)} THEN {place[to]}" for c, to in step.routes]
            lines.append(f"    ELSE {place[step.otherwise]} END")
            tests = [str(number) for number in range(len(targets) - 1)]
        for test, then in zip([f"WHEN {test} THEN" for test in tests] + ["ELSE"], after, strict=True):
            lines += [f"  {test} {then[0]}"] if len(then) == 1 else [f"  {test}", *indented(indented(then))]
        return [*lines, "END"]

    def _target(self, here: int, to: int, roots: set[int]) -> list[str]:
        if to == STAYS:
            return [str(here)]
        if to == SHARED:
            return [str(-here - 1)]
        if to in roots or to not in self.plan.steps:
            return [str(to)]
        return self._step(self.plan.steps[to], roots)

    def _spread(self) -> list[str]:
        """Rows that a node shares out become one row per branch, with its share; others stay as they are."""
        node, share = self.sql.name(self.node), self.sql.name(self.share)
        columns = [f"s.{name}" for name in self.carried]
        columns += [f"s.{share} * COALESCE(b.part, {self.sql.number(1.0)}) AS {share}"]
        columns += [f"COALESCE(b.child, s.{node}) AS {node}"]
        return ["SELECT", *listed(columns), "FROM", f"s LEFT JOIN {self.branches} b ON b.parent = s.{node}"]

    def _branches(self) -> list[str]:
        """The branches of the nodes that share rows out: the mark of the node, the child, and its share."""
        rows = [(-t - 1, child, part) for t, parts in self.plan.shares.items() for child, part in parts]
        written = [(str(parent), str(child), self.sql.number(part)) for parent, child, part in rows]
        return self.sql.rows(("parent", "child", "part"), written)

    def _sums(self) -> list[str]:
        """The predictions of the parts of a row, added up; NULL where rows have the same key."""
        share = self.sql.name(self.share)
        keys = [self.sql.name(key) for key in self.keys]
        sums = []
        for words, name in self._prediction_columns():
            lines = [f"CASE WHEN SUM({share}) < {self.sql.number(_TWO_ROWS)} THEN SUM({share} *"]
            sums += ["\n  ".join([*lines, *indented(words), f") END AS {self.sql.name(name)}"])]
        return ["SELECT", *listed([*keys, *sums]), "FROM", f"GROUP BY {', '.join(keys)}"]

    def _prediction_columns(self) -> list[tuple[list[str], str]]:
        """The numbers that nodes predict, and the names of their columns."""
        plan = self.plan
        if plan.parts:
            tables = [part.probability[:, k] for part in plan.parts.values() for k in range(len(part.labels))]
            each = [{t: self.sql.number(float(table[t])) for t in plan.ends} for table in tables]
            return list(zip(map(self._of_node, each), self.probabilities, strict=True))
        if not plan.has_classes:
            fields = [{t: plan.prediction(t) for t in plan.ends}]
            fields += [{t: plan.further_of(t)[f] for t in plan.ends} for f in range(len(plan.further))]
            written = [self._of_node({t: self.sql.number(v) for t, v in each.items()}) for each in fields]
            return list(zip(written, [self.predicted[0], *self.further], strict=True))
        return [
            (self._of_node({t: self.sql.number(float(plan.probability[t, k])) for t in plan.ends}), name)
            for k, name in enumerate(self.probabilities)
        ]

    def _of_node(self, prediction: dict[int, str]) -> list[str]:
        """The prediction of a row's node as an expression; nodes of equal predictions share a line."""
        node, groups = self.sql.name(self.node), {}
        for t, words in prediction.items():
            groups.setdefault(words, []).append(str(t))
        tests = [f"IN ({', '.join(nodes)})" if len(nodes) > 1 else f"= {nodes[0]}" for nodes in groups.values()]
        cases = [f"  WHEN {node} {test} THEN {words}" for words, test in zip(groups, tests, strict=True)]
        return ["CASE", *cases, "END"]

    def answer(self) -> list[str]:
        """The columns of the result."""
        plan, prediction = self.plan, self.sql.name(self.predicted[0])
        if plan.shares:
            columns = [self.sql.name(key) for key in self.keys]
            columns += [f"{self._decision()} AS {prediction}"] if plan.has_classes else [prediction]
            return ["SELECT", *listed([*columns, *map(self.sql.name, [*self.probabilities, *self.further])])]
        columns = self.carried[: len(self.keys)] or self.carried
        columns = [*columns, self.sql.name(self.node)]
        for part, name in zip(plan.parts.values() or [plan], self.predicted, strict=True):
            if part.has_classes or plan.parts:
                write = self.sql.value if part.has_classes else self.sql.number
                columns += column(self._of_node({t: write(part.prediction(t)) for t in plan.ends}), self.sql.name(name))
        for words, name in self._prediction_columns():
            columns += column(words, self.sql.name(name))
        return ["SELECT", *listed(columns)]

    def _decision(self) -> str:
        """The label of a mixture: the most probable, or the cheapest; the first of those equal within rounding."""
        costs, gap = decision_costs(self.plan)
        value = [self.sql.name(name) for name in self.probabilities]
        sign, by = (">=", "-") if costs is None else ("<=", "+")
        if costs is not None:
            terms = [[f"{p} * {self.sql.number(costs[i][k])}" for i, p in enumerate(value)] for k in range(len(value))]
            value = [f"({' + '.join(each)})" for each in terms]
        cases = []
        for k, label in enumerate(self.plan.labels):
            tests = [f"{value[k]} {sign} {v} {by} {self.sql.number(gap)}" for i, v in enumerate(value) if i != k]
            cases.append(f"WHEN {' AND '.join(tests or [value[k] + ' IS NOT NULL'])} THEN {self.sql.value(label)}")
        return f"CASE {' '.join(cases)} END"
