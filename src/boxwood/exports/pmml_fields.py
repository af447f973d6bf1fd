"""The columns of a PMML document: names, types and levels, and the treatment of missing and unseen values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..data.columns.schema import NOMINAL, NUMERIC, ORDINAL
from .column_words import described
from .moments import counted
from .plan import ExportPlan
from .pmml_elements import Element, sound
from .typed_rows import number_codes, text_codes
from .values import BOOLEAN, DOUBLE, INTEGER, STRING, type_of_values

#: What a reader does with a level that the dictionary does not list.
_INVALID = {"missing": "asMissing", "majority": "asIs", "stay": "asIs", "error": "returnInvalid"}

#: Readers hold integers in 32 bits.
_INTEGERS = 2**31


@dataclass(frozen=True)
class Field:
    """A column as the document has it: its name, the type of its values, and how its levels are written."""

    name: str
    type: str
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Fields:
    """The columns that a plan tests, and its target."""

    plan: ExportPlan

    @cached_property
    def of_feature(self) -> dict[int, Field]:
        """Every feature that is tested."""
        schema = self.plan.tree.schema
        return {j: _field(schema[j].name, schema[j].levels) for j in self.plan.features}

    @cached_property
    def target(self) -> Field:
        """The response, by a name that no column has."""
        response = self.plan.tree.response
        return _field(self.free(response.name or "y"), response.labels)

    @cached_property
    def predicted(self) -> str:
        """Name of the output that holds the prediction."""
        return self.free(f"predicted_{self.target.name}")

    @cached_property
    def node(self) -> str:
        """Name of the output that holds the node."""
        return self.free("node")

    def probability(self, label: str) -> str:
        """Name of the output that holds the probability of a class."""
        return self.free(f"probability({label})")

    def codes(self, j: int) -> tuple[str, ...]:
        """The codes for missing values of a feature, as far as the type of its field holds them."""
        feature, field = self.plan.tree.schema[j], self.of_feature[j]
        if field.type == STRING:
            what = f"a code for missing values of column {field.name!r}"
            return tuple(sound(text, what) for text in text_codes(feature))
        if field.type == DOUBLE:
            return tuple(repr(code) for code in number_codes(feature))
        whole = [code for code in number_codes(feature) if code.is_integer() and abs(code) < _INTEGERS]
        return tuple(str(int(code)) for code in whole) if field.type == INTEGER else ()

    def free(self, name: str) -> str:
        """The name, with underscores when a column has it already."""
        while name in self.plan.tree.schema.names:
            name += "_"
        return name

    @property
    def arrive_as_they_are(self) -> bool:
        """Whether a level that training never had stays what it is; else it becomes missing, or refuses the row."""
        return self._of_new_levels == "asIs"

    @property
    def _of_new_levels(self) -> str:
        """The treatment of an unseen level; where a missing value is an error, it must not become one."""
        treatment = _INVALID[self.plan.unseen]
        return "asIs" if treatment == "asMissing" and self.plan.refuse_missing else treatment

    def dictionary(self) -> Element:
        schema = self.plan.tree.schema
        optypes = {NUMERIC: "continuous", ORDINAL: "ordinal", NOMINAL: "categorical"}
        fields = []
        for j, field in self.of_feature.items():
            # Some readers take a level outside the list as missing whatever the document declares.
            levels = () if self.arrive_as_they_are else field.levels
            held = described(schema[j], counted(schema[j].temporal), text=False) if schema[j].temporal else None
            fields.append(_data_field(field, optypes[schema[j].kind], levels, self.codes(j), held))
        optype = "categorical" if self.plan.has_classes else "continuous"
        fields.append(_data_field(self.target, optype, self.target.levels))
        return Element("DataDictionary", {"numberOfFields": str(len(fields))}, tuple(fields))

    def mining_schema(self) -> Element:
        return Element("MiningSchema", {}, tuple(self._mined()))

    def _mined(self) -> Iterator[Element]:
        for j, field in self.of_feature.items():
            attributes = {"name": field.name, "usageType": "active"}
            if self.plan.refuse_missing:
                attributes["missingValueTreatment"] = "returnInvalid"
            if self.plan.tree.schema[j].kind != NUMERIC:
                attributes["invalidValueTreatment"] = self._of_new_levels
            yield Element("MiningField", attributes)
        yield Element("MiningField", {"name": self.target.name, "usageType": "target"})


def _field(name: str, values: tuple) -> Field:
    """A column; its type is one that holds all values exactly."""
    name = sound(name, "the column")
    if not values:
        return Field(name, DOUBLE)
    kind = type_of_values(values, name, "PMML")
    if kind == BOOLEAN:
        return Field(name, kind, tuple(str(v).lower() for v in values))
    if kind == STRING:
        return Field(name, kind, tuple(sound(v, f"a level of column {name!r}") for v in values))
    if kind == INTEGER and all(abs(v) < _INTEGERS for v in values):
        return Field(name, kind, tuple(str(v) for v in values))
    return Field(name, DOUBLE, tuple(repr(float(v) + 0.0) for v in values))


def _data_field(
    field: Field, optype: str, levels: tuple[str, ...], codes: tuple[str, ...] = (), held: str | None = None
) -> Element:
    values = [Element("Value", {"value": level}) for level in levels]
    values += [Element("Value", {"value": code, "property": "missing"}) for code in codes]
    attributes = {"name": field.name, **({} if held is None else {"displayName": held})}
    return Element("DataField", {**attributes, "optype": optype, "dataType": field.type}, tuple(values))
