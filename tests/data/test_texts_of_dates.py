"""Texts of dates beside codes for missing values, and in new rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.errors import DataTypeError, KindWarning

TEXTS = ["14.03.2021", "31.12.9999", "1.2.2020"]
ISO = ["2021-03-14", "9999-12-31", "2020-02-01"]


@pytest.mark.filterwarnings("ignore::boxwood.errors.KindWarning")
@pytest.mark.parametrize("code", ["31.12.9999", "9999-12-31", "9999-12-31 00:00:00"])
@pytest.mark.parametrize("declared", [None, {"when": "%d.%m.%Y"}])
def test_a_code_is_written_as_in_the_table_or_in_iso_8601(code, declared):
    columns = learn_columns({"when": TEXTS}, missing_values={"when": [code]}, date_formats=declared)
    assert np.isnan(columns.values[0]).tolist() == [False, True, False]
    for new in (TEXTS, ISO, pd.Series(ISO, dtype="datetime64[s]")):
        found = read_columns({"when": new}, columns.schema)
        assert np.isnan(found.values[0]).tolist() == [False, True, False]


@pytest.mark.parametrize("code", ["unknown", "n.a.", "00.00.0000", "不明"])
def test_dates_beside_other_texts_stay_levels_and_the_note_gives_the_settings(code):
    with pytest.warns(KindWarning) as found:
        assert learn_columns({"when": [*TEXTS, code]}).schema[0].kind == "nominal"
    assert str(found[0].message).endswith(
        f"for example '1.2.2020', and the values '{code}', and is treated as nominal. If that is correct, list it in "
        f"categorical_features; to read the strings as dates, set missing_values=['{code}'] and "
        "date_formats={'when': '%d.%m.%Y'}."
    )


@pytest.mark.parametrize(
    ("texts", "forms"),
    [
        (["3/14/21", "12/1/20"], ["%m/%d/%y"]),
        (["14.03.21", "1.2.20"], ["%d.%m.%y"]),
        (["14-MAR-21", "01-FEB-99"], ["%d-%b-%y"]),
        (["1/2/21", "3/4/20"], ["%d/%m/%y", "%m/%d/%y"]),
        (["2021-03", "2020-12"], ["%Y-%m"]),
        (["2021年3月", "2020年12月"], ["%Y年%m月"]),
        (["Mar 2021", "Dec 2020"], ["%b %Y"]),
    ],
)
def test_short_dates_stay_levels_and_the_note_gives_the_format(texts, forms):
    with pytest.warns(KindWarning) as found:
        assert learn_columns({"when": texts}).schema[0].kind == "nominal"
    settings = " or ".join(f"date_formats={{'when': '{form}'}}" for form in forms)
    assert str(found[0].message).endswith(f"; to read the strings as dates, set {settings}.")
    assert learn_columns({"when": texts}, date_formats={"when": forms[0]}).schema[0].kind_name == "date"


def test_times_of_day_in_strings_get_a_note():
    with pytest.warns(KindWarning, match=r"look like times, for example '08:30'.*date_formats=\{'at': '%H:%M'\}\.$"):
        assert learn_columns({"at": ["08:30", "23:10"]}).schema[0].kind == "nominal"
    assert learn_columns({"at": ["08:30"]}, date_formats={"at": "%H:%M"}).schema[0].kind_name == "time"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("other", [["room 3", "room 4"], list("abcdef"), ["2019-20"]])
def test_other_texts_beside_a_date_give_no_note(other):
    assert learn_columns({"when": ["14.03.2021", *other]}).schema[0].kind == "nominal"


@pytest.mark.filterwarnings("ignore::boxwood.errors.KindWarning")
@pytest.mark.parametrize("texts", [TEXTS, ["1.234,50", "3,5", "7.000,25"]])
@pytest.mark.parametrize("ordered", [False, True])
def test_new_rows_may_be_categories_of_texts(texts, ordered):
    columns = learn_columns({"x": texts})
    new = pd.DataFrame({"x": pd.Categorical([*texts, None], ordered=ordered)})
    found = read_columns(new, columns.schema).values[0]
    np.testing.assert_array_equal(found, [*columns.values[0], np.nan])


@pytest.mark.filterwarnings("ignore::boxwood.errors.KindWarning")
@pytest.mark.parametrize(
    ("new", "remedy"),
    [
        (["14.03.2021", "03/14/2021", "01/02/2021"], "write it in this form, or as 2021-03-14 (ISO 8601)."),
        (["14.03.2021", "tomorrow", "always"], "write it in this form, or as 2021-03-14 (ISO 8601)."),
    ],
)
def test_text_of_another_form_is_refused_with_the_first_row(new, remedy):
    schema = learn_columns({"when": TEXTS}).schema
    with pytest.raises(DataTypeError) as refused:
        read_columns({"when": new}, schema)
    error = refused.value
    assert (error.column, error.row, error.value, error.remedy) == ("when", 1, new[1], remedy)
