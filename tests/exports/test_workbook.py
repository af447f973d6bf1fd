"""The workbook: its parts are sound XML, its formulas are there, and LibreOffice works out the tree's predictions."""

from __future__ import annotations

import io
import shutil
import warnings
import zipfile
from xml.etree import ElementTree

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor, ParameterError
from boxwood.exports.raw_rows import raw_rows
from boxwood.exports.typed_rows import typed_column
from boxwood.exports.workbook import Formula, WorkbookSheet, workbook
from boxwood.exports.xlsx_book import Book
from boxwood.model.readable import readable
from exports.hard_trees import plan_of
from exports.problems import case
from tree.random_trees import chain

_CELL = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def opened(content: bytes) -> dict[str, ElementTree.Element]:
    """The parts of a workbook."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist()}


def cells(sheet: ElementTree.Element) -> dict[str, str]:
    """Place -> text, number or formula of each cell."""
    found = {}
    for cell in sheet.iter(f"{_CELL}c"):
        text = "".join(part.text or "" for part in cell.iter() if part.tag != f"{_CELL}c")
        found[cell.get("r")] = ("=" if cell.find(f"{_CELL}f") is not None else "") + text
    return found


def test_parts_and_cells():
    sheet = WorkbookSheet(
        "a & b", [["head"], ["<x>", None, True, 2, 0.1, Formula('IF(A1="<",1,2)')], [" two\nlines _x0041_"]]
    )
    content = workbook([sheet])
    parts = opened(content)
    assert parts["xl/workbook.xml"].find(f".//{_CELL}sheet").get("name") == "a & b"
    found = cells(parts["xl/worksheets/sheet1.xml"])
    assert found == {
        "A1": "head", "A2": "<x>", "C2": "1", "D2": "2", "E2": "0.1", "F2": '=IF(A1="<",1,2)',
        "A3": " two\nlines _x005F_x0041_",
    }  # fmt: skip
    assert content == workbook([sheet])


def test_what_a_workbook_cannot_hold_is_refused():
    with pytest.raises(ParameterError, match="control character"):
        workbook([WorkbookSheet("s", [["a\x07b"]])])
    with pytest.raises(ParameterError, match="8192 signs"):
        workbook([WorkbookSheet("s", [[Formula("1+" * 5000 + "1")]])])
    whole = {"id": np.array([2**60 + i for i in range(8)])}
    model = CARTClassifier(pruning=None).fit(whole, list("aaaabbbb"))
    with pytest.raises(ParameterError, match="does not hold numbers such as 115292150460684"):
        model.export("xlsx")
    tiny = CARTRegressor(pruning=None).fit({"x": [0.0, 1e-310, 2e-310]}, [1, 2, 5])
    with pytest.raises(ParameterError, match="does not hold numbers such as"):
        tiny.export("xlsx")


def test_sheets():
    model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50], "城市": ["a", "b", "a"]}, ["no", "no", "yes"])
    parts = opened(model.export("xlsx", cases=3))
    predict, rules = (cells(parts[f"xl/worksheets/sheet{i}.xml"]) for i in (1, 2))
    assert [predict[f"{c}1"] for c in "ABCDE"] == [
        "age",
        "node",
        "predicted y",
        "probability of no",
        "probability of yes",
    ]
    assert {place for place in predict if place.startswith("C")} == {"C1", "C2", "C3", "C4"}
    assert [rules[f"B{i}"] for i in (2, 3)] == ["age <= 40", "age > 40"]
    assert [rules[f"D{i}"] for i in (2, 3)] == ["no", "yes"]
    with pytest.raises(ParameterError, match="cases must be from 1 to 1000; got 0"):
        model.export("xlsx", cases=0)


@pytest.mark.skipif(shutil.which("soffice") is None, reason="there is no LibreOffice (apt: libreoffice-calc-nogui)")
@pytest.mark.parametrize("kind", ["surrogates", "c45 deep", "refuses gaps", "means", "branch", "id3", "chaid missing"])
def test_libreoffice_predicts_what_the_tree_predicts(kind):
    problem = case(kind)
    chosen = np.random.default_rng(0).choice(problem.columns.n, 80, replace=False)
    verdict = problem.model.verify_export("xlsx", problem.columns.take(chosen))
    assert verdict, str(verdict)
    assert verdict.rows > 40


def test_the_rules_of_a_deep_tree_grow_with_the_number_of_leaves():
    def rules(depth: int) -> list[str]:
        parts = opened(readable(chain(depth)).export("xlsx"))
        found = cells(parts["xl/worksheets/sheet2.xml"])
        return [text for place, text in found.items() if place.startswith("B")]

    few, many = rules(200), rules(400)
    assert max(map(len, many)) <= max(map(len, few)) + 4  # a spreadsheet cell holds 32,767 characters
    assert sum(map(len, many)) < 2.2 * sum(map(len, few))


INCOME = [10.0, 12.0, 14.0, 40.0, 42.0, 44.0, 46.0, 48.0, -999.0, -999.0]
TOWN = ["a", "b", "NA", "a", "c", "c", '?"', "c", "9", "a"]


def coded_model():
    """A model with codes for missing values, and rows with some: texts among numbers, blanks around, quotes."""
    codes = {"income": [-999, "?"], "town": ['?"', "NA", 9]}
    model = CARTClassifier(missing_values=codes, pruning=None, missing="own_branch")
    model.fit({"income": INCOME * 10, "town": TOWN * 10}, list("uvwuvvwwwv") * 10)
    rows = {
        "income": ["12.0", "-999", "?", " ?", None, "13.5", "48"],
        "town": ["a", ' ?" ', "NA", "9", "new", None, "c"],
    }
    return model, rows


def test_cells_with_codes_are_empty():
    model, _ = coded_model()
    nodes = cells(opened(model.export("xlsx", cases=1))["xl/worksheets/sheet3.xml"])
    income, town = nodes["H2"], nodes["H3"]
    assert income.startswith("=IF(OR(ISBLANK(predict!$A$2),IF(ISNUMBER(predict!$A$2),OR(predict!$A$2=-999.0),OR(EXACT(")
    assert 'EXACT(TRIM(predict!$A$2),"?")' in income
    assert 'EXACT(TRIM(predict!$B$2),"?""")' in town
    assert "predict!$B$2=9.0" in town
    assert "ISNUMBER(predict!$A$2)" in nodes["H4"]
    assert 'TRIM(predict!$A$2),"?"' in nodes["H4"]


def test_a_condition_is_a_number():
    """Excel holds that FALSE is greater than 0."""
    model = CARTClassifier(pruning=None).fit({"town": ["a", "b"]}, ["n", "y"])
    nodes = cells(opened(model.export("xlsx", cases=1))["xl/worksheets/sheet3.xml"])
    tests = [text for text in nodes.values() if text.startswith("=IF(0+((G$2=1))")]
    assert len(tests) == 1, nodes


def test_another_program_predicts_what_the_tree_predicts(tmp_path):
    warnings.simplefilter("ignore")  # it warns that workbooks without styles are unusual
    formulas = pytest.importorskip("formulas", reason="formulas is not installed")
    model, given = coded_model()
    plan = plan_of(model.model_)
    rows = raw_rows(given, plan.tree.schema, plan.features)
    typed = [typed_column(rows, j, texts_too=True) for j in plan.features]
    typed[0] = ["?" if value == "-999" else value for value in typed[0]]  # which this program takes for a number
    (tmp_path / "t.xlsx").write_bytes(Book(plan, rows.n).content([list(row) for row in zip(*typed, strict=True)]))
    found = formulas.ExcelModel().loads(str(tmp_path / "t.xlsx")).finish().calculate()
    cells = {place.split("!")[1]: cell.value[0, 0] for place, cell in found.items() if "PREDICT'!" in place.upper()}
    assert [cells[f"D{i + 2}"] for i in range(rows.n)] == model.predict(given).tolist()


@pytest.mark.skipif(shutil.which("soffice") is None, reason="there is no LibreOffice (apt: libreoffice-calc-nogui)")
def test_libreoffice_knows_the_codes():
    model, rows = coded_model()
    verdict = model.verify_export("xlsx", rows)
    assert verdict, str(verdict)
    assert verdict.rows == 7
