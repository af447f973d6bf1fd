"""The budgets of `make size`, a ratchet: they fall with their figures, and rise only for a capability that is named."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FILE = Path(__file__).with_suffix(".toml")
_HEAD = """\
# What `make size` counts: budget and goal of each figure. `make size` lowers a budget when its figure has fallen.
# A budget rises only by `python -m tools.size --raise FIGURE TO CAPABILITY`, which records the capability here.
"""


@dataclass
class Budgets:
    """Budgets and goals by figure, and the rises with what they were for."""

    budget: dict[str, int]
    goal: dict[str, int]
    raised: list[dict] = field(default_factory=list)

    @classmethod
    def parse(cls, text: str) -> Budgets:
        """From the text of the file."""
        found = tomllib.loads(text)
        raised = found.pop("raised", [])
        return cls({k: v["budget"] for k, v in found.items()}, {k: v["goal"] for k, v in found.items()}, raised)

    @classmethod
    def read(cls) -> Budgets:
        """From the file."""
        return cls.parse(FILE.read_text(encoding="utf-8"))

    def text(self) -> str:
        """As the file holds them."""
        parts = [f'["{name}"]\nbudget = {self.budget[name]}\ngoal = {self.goal[name]}\n' for name in self.budget]
        for rise in self.raised:
            values = (f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in rise.items())
            parts.append(f"[[raised]]\n{''.join(values)}")
        return "\n".join([_HEAD, *parts])

    def lowered(self, today: dict[str, int]) -> Budgets:
        """With every budget at its figure where that is lower, but no lower than its goal."""
        found = {name: min(b, max(today[name], self.goal[name])) for name, b in self.budget.items()}
        return Budgets(found, self.goal, self.raised)

    def raised_to(self, figure: str, to: int, capability: str) -> Budgets:
        """With one budget raised for a capability."""
        entry = {"figure": figure, "before": self.budget[figure], "to": to, "capability": capability}
        return Budgets(self.budget | {figure: to}, self.goal, [*self.raised, entry])


def unnamed_rises(before: Budgets, after: Budgets) -> list[str]:
    """The figures whose budgets are higher than before without a new entry that names the capability."""
    new = after.raised[len(before.raised) :]
    named = {entry["figure"]: entry["to"] for entry in new if entry["capability"].strip()}
    rises = (name for name, budget in after.budget.items() if budget > before.budget.get(name, budget))
    return [name for name in rises if after.budget[name] > named.get(name, -1)]
