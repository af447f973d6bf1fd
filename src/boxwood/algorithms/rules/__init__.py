"""Rules from a tree, as in C4.5rules: paths, simplified, selected and ordered."""

from .model import RuleModel
from .rule import OrderedRule, RuleCondition
from .ruleset import RuleSet, rule_set

__all__ = ["OrderedRule", "RuleCondition", "RuleModel", "RuleSet", "rule_set"]
