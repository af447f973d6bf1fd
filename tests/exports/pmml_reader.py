"""A small reader of PMML, made after the standard alone: predictions of a document, and whether it is in order."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

SPACE = "{http://www.dmg.org/PMML-4_4}"

#: Elements that may be inside an element, in the standard's order; the last of some may be repeated.
ORDER = {
    "PMML": ["Header", "DataDictionary", "TreeModel", "RegressionModel"],
    "Header": ["Application"],
    "DataDictionary": ["DataField"],
    "DataField": ["Value"],
    "TreeModel": ["MiningSchema", "Output", "Node", "ModelVerification"],
    "RegressionModel": ["MiningSchema", "Output", "LocalTransformations", "RegressionTable", "ModelVerification"],
    "MiningSchema": ["MiningField"],
    "ModelVerification": ["VerificationFields", "InlineTable"],
    "VerificationFields": ["VerificationField"],
    "InlineTable": ["row"],
    "Output": ["OutputField"],
    "Node": ["PREDICATE", "ScoreDistribution", "Node"],
    "LocalTransformations": ["DerivedField"],
    "RegressionTable": ["NumericPredictor"],
}
#: Attributes that an element must have.
NEEDED = {
    "PMML": {"version"},
    "DataField": {"name", "optype", "dataType"},
    "Value": {"value"},
    "TreeModel": {"functionName"},
    "RegressionModel": {"functionName"},
    "MiningField": {"name"},
    "ModelVerification": {"recordCount", "fieldCount"},
    "VerificationField": {"field", "column"},
    "OutputField": {"name", "optype", "dataType", "feature"},
    "SimplePredicate": {"field", "operator"},
    "SimpleSetPredicate": {"field", "booleanOperator"},
    "CompoundPredicate": {"booleanOperator"},
    "Array": {"type"},
    "ScoreDistribution": {"value", "recordCount"},
    "DerivedField": {"name", "optype", "dataType"},
    "Apply": {"function"},
    "NumericPredictor": {"name", "coefficient"},
    "RegressionTable": {"intercept"},
}
PREDICATES = {"SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False"}


def name_of(element) -> str:
    return element.tag.removeprefix(SPACE)


def check_order(root) -> None:
    """Every element has its attributes, and its children are in the standard's order."""
    for element in root.iter():
        name = name_of(element)
        assert NEEDED.get(name, set()) <= set(element.attrib), (name, element.attrib)
        if name in ORDER:
            kinds = ["PREDICATE" if name_of(child) in PREDICATES else name_of(child) for child in element]
            places = [ORDER[name].index(kind) for kind in kinds]
            assert places == sorted(places), (name, kinds)
        if name == "CompoundPredicate":
            assert len(element) >= 2, "a compound has two parts or more"


class Reader:
    """A document, ready to predict rows."""

    def __init__(self, content: bytes):
        self.root = ET.fromstring(content)
        self.model = next(m for m in self.root if name_of(m) in ("TreeModel", "RegressionModel"))
        fields = self.root.iter(f"{SPACE}DataField")
        self.fields = {field.get("name"): field for field in fields}
        self.mined = {m.get("name"): m for m in self.model.find(f"{SPACE}MiningSchema")}

    def predict(self, row: dict) -> dict:
        """The outputs; an empty dictionary for a row that the document calls invalid."""
        values = {}
        for name, mined in self.mined.items():
            if mined.get("usageType") == "target":
                continue
            value = row.get(name)
            field = self.fields[name]
            codes = [v.get("value") for v in field if v.get("property") == "missing"]
            if value is not None and field.get("dataType") in ("double", "integer"):
                value = None if float(value) in map(float, codes) else value
            elif value in codes:
                value = None
            levels = [v.get("value") for v in field if v.get("property", "valid") == "valid"]
            if value is not None and levels and _spelled(value) not in levels:
                treatment = mined.get("invalidValueTreatment", "returnInvalid")
                if treatment == "returnInvalid":
                    return {}
                value = None if treatment == "asMissing" else value
            if value is None and mined.get("missingValueTreatment") == "returnInvalid":
                return {}
            values[name] = value
        return self._tree(values) if name_of(self.model) == "TreeModel" else self._regression(values)

    def _tree(self, values: dict) -> dict:
        node = self.model.find(f"{SPACE}Node")
        strategy = self.model.get("missingValueStrategy")
        assert self.model.get("noTrueChildStrategy") == "returnLastPrediction"
        while True:
            children = node.findall(f"{SPACE}Node")
            following = None
            for child in children:
                truth = holds(next(p for p in child if name_of(p) in PREDICATES), values)
                if truth:
                    following = child
                    break
                if truth is None and strategy == "lastPrediction":
                    break
                if truth is None:
                    assert strategy == "defaultChild"
                    following = next(c for c in children if c.get("id") == node.get("defaultChild"))
                    break
            if following is None:
                return self._outputs(node)
            node = following

    def _outputs(self, node) -> dict:
        found = {}
        shares = {d.get("value"): float(d.get("probability")) for d in node.findall(f"{SPACE}ScoreDistribution")}
        for output in self.model.find(f"{SPACE}Output"):
            feature = output.get("feature")
            if feature == "probability":
                found[output.get("name")] = shares[output.get("value")]
            else:
                text = node.get("score") if feature == "predictedValue" else node.get("id")
                is_number = output.get("dataType") == "double"
                found[output.get("name")] = float(text) if is_number else text
        return found

    def _regression(self, values: dict) -> dict:
        known = dict(values)
        for derived in self.model.find(f"{SPACE}LocalTransformations"):
            known[derived.get("name")] = value_of(derived[0], known)
        scores = {}
        for table in self.model.findall(f"{SPACE}RegressionTable"):
            terms = [float(p.get("coefficient")) * known[p.get("name")] for p in table]
            scores[table.get("targetCategory")] = float(table.get("intercept")) + math.fsum(terms)
        best = max(scores, key=lambda label: scores[label])
        found = {}
        for output in self.model.find(f"{SPACE}Output"):
            if output.get("feature") == "predictedValue":
                is_class = self.model.get("functionName") == "classification"
                found[output.get("name")] = best if is_class else scores[None]
            else:
                found[output.get("name")] = value_of(output[0], known)
        return found


def holds(predicate, values: dict) -> bool | None:
    """True, false, or None for unknown."""
    name = name_of(predicate)
    if name in ("True", "False"):
        return name == "True"
    if name == "CompoundPredicate":
        return _compound(predicate, values)
    value, operator = values[predicate.get("field")], predicate.get("operator")
    if operator in ("isMissing", "isNotMissing"):
        return (value is None) == (operator == "isMissing")
    if value is None:
        return None
    if name == "SimpleSetPredicate":
        among = _spelled(value) in _listed(predicate[0])
        return among == (predicate.get("booleanOperator") == "isIn")
    return _compare(operator, value, predicate.get("value"))


def _compound(predicate, values: dict) -> bool | None:
    operator = predicate.get("booleanOperator")
    parts = [holds(part, values) for part in predicate]
    if operator == "surrogate":
        return next((truth for truth in parts if truth is not None), None)
    decisive = operator == "or"
    assert operator in ("or", "and")
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _compare(operator: str, value, text: str) -> bool:
    if operator in ("equal", "notEqual"):
        return (_spelled(value) == text) == (operator == "equal")
    cut = float(text)
    return {
        "lessThan": value < cut,
        "lessOrEqual": value <= cut,
        "greaterThan": value > cut,
        "greaterOrEqual": value >= cut,
    }[operator]


def _spelled(value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else repr(value + 0 if isinstance(value, int) else value + 0.0)


def _listed(array) -> list[str]:
    """The values of an array; texts are in quotation marks."""
    text = array.text
    found = text[1:-1].split('" "') if array.get("type") == "string" else text.split()
    assert len(found) == int(array.get("n"))
    return found


def value_of(element, known: dict):
    """The value of an expression; None is missing."""
    name = name_of(element)
    if name == "FieldRef":
        return known[element.get("field")]
    if name == "Constant":
        return float(element.text)
    if name == "NormDiscrete":
        value = known[element.get("field")]
        if value is None:
            return float(element.get("mapMissingTo"))
        return float(_spelled(value) == element.get("value"))
    return _applied(element, known)


def _applied(element, known: dict):
    function = element.get("function")
    if function == "if":
        return value_of(element[1 if value_of(element[0], known) else 2], known)
    parts = [value_of(part, known) for part in element]
    if function in ("isMissing", "isNotMissing"):
        return (parts[0] is None) == (function == "isMissing")
    if None in parts:
        assert element.get("mapMissingTo") == "false", "nothing else may meet a missing value"
        return False
    simple = {"and": all, "or": any, "max": max, "min": min}
    if function in simple:
        return simple[function](parts)
    a, b = parts
    pairs = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "equal": lambda: a == b}
    return pairs[function]() if function in pairs else _compare(function, a, repr(b))
