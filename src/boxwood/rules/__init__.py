"""Rules out of a tree, in the manner of C4.5rules: paths, simplified, chosen and put in order."""

from .model import RuleModel
from .rule import Condition, Rule
from .ruleset import RuleSet, rule_set

__all__ = ["Condition", "Rule", "RuleModel", "RuleSet", "rule_set"]
