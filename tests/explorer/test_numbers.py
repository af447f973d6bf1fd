"""Numbers typed into the page: plain ones, and those that the column of training writes."""

import json
import shutil
import subprocess

import pytest

from boxwood import CARTClassifier
from boxwood.data.columns.schema import NUMBERS_IN_TEXT, NUMERIC, Feature
from boxwood.data.columns.written_numbers import WrittenNumbers
from boxwood.errors import KindWarning
from boxwood.model.explorer.kinds import PAGE, NumberPage
from boxwood.model.explorer.page import COMPUTES, joined

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed (apt install nodejs)")
@pytest.mark.parametrize(
    ("form", "texts"),
    [
        (
            "1.234,5 €",
            {"1.234,50 €": 1234.5, "1.234.567": 1234567, "-2,5€": -2.5, "(3 €)": -3, "1.5": 1.5, " 7\u00a0€ ": 7},
        ),
        ("$1,234.5", {"$1,234.50": 1234.5, "($2)": -2, "1e3": 1000, "1’000": None, "5 €": None, "(5": None, "": None}),
        ("1'234.5岁", {"1’234.5": 1234.5, "12岁": 12, "1,5": None, "岁": None}),
    ],
)
def test_what_is_typed_is_read_as_predict_reads_it(form, texts):
    about = PAGE.numeric.described(Feature("x", NUMERIC, why=NUMBERS_IN_TEXT, written=WrittenNumbers(form)))
    script = joined((*NumberPage.written_scripts, *COMPUTES))
    call = f"console.log(JSON.stringify({json.dumps(list(texts))}.map((text) => readValue({json.dumps(about)}, text))))"
    done = subprocess.run([NODE, "-e", f"{script}\n{call}"], capture_output=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout) == list(texts.values())
    assert [WrittenNumbers(form).read(text) for text in texts] == list(texts.values())


def test_only_pages_with_such_a_column_hold_the_script():
    y = ["no", "yes"] * 10
    with pytest.warns(KindWarning):
        page = CARTClassifier(pruning=None).fit({"金额": ["1,5 €", "2 €"] * 10}, y).explore().html
    assert "readWritten(form" in page
    assert '"decimal":","' in page
    assert "readWritten(form" not in CARTClassifier(pruning=None).fit({"x": [1.5, 2] * 10}, y).explore().html
