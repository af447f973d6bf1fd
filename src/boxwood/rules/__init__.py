"""Rules from a tree, as in C4.5rules: paths, simplified, selected and ordered."""

from .model import RuleModel
from .rule import Condition, Rule
from .ruleset import RuleSet, rule_set

__all__ = ["Condition", "Rule", "RuleModel", "RuleSet", "rule_set"]
