"""Dates, datetimes, times of day and durations from every container: the same whole numbers, never a guess."""

from __future__ import annotations

import datetime
import re
import warnings
import zoneinfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.temporal import Temporal
from boxwood.data.frames.frame import describe, learn_columns, read_columns
from boxwood.errors import DataTypeError, KindWarning, ParameterError, ParameterTypeError

DAYS = [datetime.date(2021, 3, 14), None, datetime.date(1969, 12, 31), datetime.date(9999, 12, 31)]
TIMES = [datetime.datetime(2021, 3, 14, 10, 30, 15, 250_000), None, datetime.datetime(1950, 1, 1)]
CLOCKS = [datetime.time(10, 30), None, datetime.time(23, 59, 59)]
SPANS = [datetime.timedelta(days=3, hours=4), None, datetime.timedelta(seconds=-1)]
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
ZONED = [datetime.datetime(2021, 3, 28, 3, 30, tzinfo=BERLIN), None, datetime.datetime(2021, 1, 1, tzinfo=BERLIN)]
VALUES = {"date": DAYS, "datetime": TIMES, "time": CLOCKS, "duration": SPANS, "zoned": ZONED}


def of_polars(values: list) -> pl.DataFrame:
    """A table whose column has the zone of the values; polars 1.0 turns datetimes of Python with a zone into UTC."""
    column = pl.Series("when", values)
    zone = getattr(values[0], "tzinfo", None)
    return pl.DataFrame([column.dt.convert_time_zone(str(zone)) if zone else column])


CONTAINERS = {
    "lists": lambda values: {"when": values},
    "objects": lambda values: {"when": np.array([*values, None], dtype=object)[:-1]},
    "pandas objects": lambda values: pd.DataFrame({"when": pd.Series(values, dtype=object)}),
    "polars": of_polars,
    "pyarrow": lambda values: pa.table({"when": values}),
    "pandas arrow": lambda values: pd.DataFrame({"when": pd.Series(pd.arrays.ArrowExtensionArray(pa.array(values)))}),
}


def words(columns: Columns) -> list[str | None]:
    """The values of the one column as they are shown."""
    temporal, low = columns.schema[0].temporal, columns.low[0]
    rest = np.zeros(columns.n) if low is None else low
    return [None if np.isnan(v) else temporal.words(v, r) for v, r in zip(columns.values[0], rest, strict=True)]


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_gives_the_same_times(kind, container):
    columns = learn_columns(CONTAINERS[container](VALUES[kind]))
    expected = learn_columns({"when": VALUES[kind]})
    assert words(columns) == words(expected)
    found, wanted = columns.schema[0].temporal, expected.schema[0].temporal
    assert (found.kind, found.resolution, found.zone) == (wanted.kind, wanted.resolution, wanted.zone)
    again = read_columns(CONTAINERS[container](VALUES[kind]), expected.schema)
    assert np.array_equal(again.values[0], expected.values[0], equal_nan=True)


def test_values_are_shown_as_people_write_them():
    shown = {kind: words(learn_columns({"when": values})) for kind, values in VALUES.items()}
    assert shown == {
        "date": ["2021-03-14", None, "1969-12-31", "9999-12-31"],
        "datetime": ["2021-03-14 10:30:15.25", None, "1950-01-01 00:00"],
        "time": ["10:30", None, "23:59:59"],
        "duration": ["3 days 04:00:00", None, "-00:00:01"],
        "zoned": ["2021-03-28 03:30+02:00", None, "2021-01-01 00:00+01:00"],
    }


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns"])
def test_units_of_numpy(unit):
    columns = learn_columns(
        {"when": np.array(["2021-03-01", "NaT", "2022-01-01"], dtype="M8[D]").astype(f"M8[{unit}]")}
    )
    first = {"Y": "2021-01-01", "M": "2021-03-01", "W": "2021-02-25"}.get(unit, "2021-03-01")
    assert words(columns) == [first, None, {"W": "2021-12-30"}.get(unit, "2022-01-01")]
    assert describe(columns.schema, columns)[0]["kind"] == ("date" if unit in "YMWD" else "datetime")


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_units_of_pandas(unit):
    frame = pd.DataFrame({"when": pd.to_datetime(["2021-03-14 10:30", None]).astype(f"datetime64[{unit}]")})
    columns = learn_columns(frame)
    assert words(columns) == ["2021-03-14 10:30", None]
    assert columns.schema[0].temporal == Temporal("datetime", unit, "m")
    zoned = learn_columns(pd.DataFrame({"when": frame["when"].dt.tz_localize("Asia/Seoul")}))
    assert words(zoned) == ["2021-03-14 10:30+09:00", None]


@given(st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=20))
def test_nanoseconds_are_exact(counts):
    columns = learn_columns({"when": np.array(counts, dtype="M8[ns]")})
    low = np.zeros(len(counts)) if columns.low[0] is None else columns.low[0]
    assert [int(v) + int(r) for v, r in zip(columns.values[0].tolist(), low.tolist(), strict=True)] == counts


@given(
    st.lists(st.datetimes(datetime.datetime(1700, 1, 1), datetime.datetime(2200, 1, 1)), min_size=1, max_size=8),
    st.sampled_from(["s", "ms", "us", "ns"]),
)
def test_other_units_count_as_the_unit_that_they_have_begun(times, unit):
    schema = learn_columns({"when": np.array(["2021-03-14T10:30:15", "2020-01-01"], dtype="M8[s]")}).schema
    given = np.array(times, dtype="M8[us]").astype(f"M8[{unit}]")
    expected = np.array(times, dtype="M8[us]").astype("M8[s]").astype(np.int64)
    assert read_columns({"when": given}, schema).values[0].tolist() == expected.tolist()


def test_a_day_is_all_its_hours():
    schema = learn_columns({"when": DAYS}).schema
    read = read_columns({"when": [datetime.datetime(2021, 3, 14, 23, 59), datetime.date(2021, 3, 14)]}, schema)
    assert words(read) == ["2021-03-14", "2021-03-14"]
    midnights = learn_columns({"when": np.array(["2021-03-14", "2021-03-15"], dtype="M8[us]")}).schema
    assert words(read_columns({"when": ["2021-03-14 23:59:59.5", None]}, midnights)) == ["2021-03-14", None]


def test_values_out_of_reach_keep_their_side():
    schema = learn_columns({"when": np.array(["2021-03-14", "2021-03-15"], dtype="M8[ns]")}).schema
    values = read_columns({"when": [datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)]}, schema).values[0]
    assert values[0] < -9e18 < 9e18 < values[1]


NAIVE, AWARE = {"when": TIMES}, {"when": ZONED}


@pytest.mark.parametrize(
    ("training", "new", "text"),
    [
        (NAIVE, AWARE, "time zone is never guessed"),
        (AWARE, NAIVE, "time zone is never guessed"),
        (AWARE, {"when": DAYS}, "time zone is never guessed"),
        (NAIVE, {"when": [1.5, None]}, r"number 1\.5 in row 0"),
        (NAIVE, {"when": SPANS}, "durations"),
        ({"when": CLOCKS}, {"when": SPANS}, "durations"),
        (NAIVE, {"when": ["2021-03-14", "tomorrow"]}, "row 1 .*'tomorrow'"),
        (NAIVE, {"when": ["14.03.2021"]}, "write it in this form"),
        ({"when": [1, 2]}, NAIVE, "dates or times"),
    ],
)
def test_other_kinds_are_refused_at_prediction(training, new, text):
    schema = learn_columns(training).schema
    with pytest.raises(DataTypeError, match=text):
        read_columns(new, schema)


PLAIN_TABLES = {
    "pandas": lambda values: pd.DataFrame({"when": values}),
    "polars": lambda values: pl.DataFrame({"when": values}),
    "pyarrow": lambda values: pa.table({"when": values}),
    "numpy": lambda values: np.array(values, dtype=float)[:, None],
}


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("container", PLAIN_TABLES)
def test_tables_of_numbers_are_not_read_in_place_as_times(container):
    table = PLAIN_TABLES[container]
    schema = learn_columns({"when": DAYS}).schema
    with pytest.raises(DataTypeError, match=r"number 18700(\.0)? in row 0"):
        read_columns(table([18700, 18701]), schema)
    by_form = learn_columns({"when": [20210314, 19211231]}, date_formats={"when": "%Y%m%d"}).schema
    assert words(read_columns(table([20210314, 20210315]), by_form)) == ["2021-03-14", "2021-03-15"]


def test_instants_of_other_zones_are_the_same_instants():
    schema = learn_columns(AWARE).schema
    moved = [None if v is None else v.astimezone(datetime.UTC) for v in ZONED]
    assert words(read_columns({"when": moved}, schema)) == words(learn_columns(AWARE))
    several = learn_columns({"when": [ZONED[0], moved[2]]})
    assert several.schema[0].temporal.zone == "UTC"
    assert words(several) == ["2021-03-28 01:30+00:00", "2020-12-31 23:00+00:00"]


FORMS = {
    "%d.%m.%Y": "14.3.2021", "%m/%d/%Y": "3/14/2021", "%d/%m/%Y %H:%M": "14/03/2021 00:00", "%Y%m%d": "20210314",
    "%Y年%m月%d日": "2021年3月14日", "%Y년 %m월 %d일": "2021년 3월 14일", "%d-%b-%Y": "14-Mar-2021",
    "iso": "2021-03-14T00:00",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_text(form):
    texts = [FORMS[form], None, FORMS[form].replace("2021", "1921")]
    columns = learn_columns({"when": texts}, date_formats={"when": form})
    assert words(columns) == ["2021-03-14", None, "1921-03-14"]
    assert words(read_columns({"when": texts[:1]}, columns.schema)) == ["2021-03-14"]
    assert words(read_columns({"when": DAYS[:1]}, columns.schema)) == ["2021-03-14"]


def test_whole_numbers_by_a_form():
    for values in ([20210314, None, 19211231], np.array([20210314, np.nan, 19211231])):
        columns = learn_columns({"when": values}, date_formats={"when": "%Y%m%d"})
        assert words(columns) == ["2021-03-14", None, "1921-12-31"]
        assert words(read_columns({"when": values}, columns.schema)) == ["2021-03-14", None, "1921-12-31"]


@pytest.mark.parametrize(
    ("forms", "error", "text"),
    [
        ({"when": "%d.%m"}, ParameterError, "date_formats.*'%d.%m'"),
        ({"when": "day"}, ParameterError, "'day'"),
        ("%d.%m.%Y", ParameterTypeError, "dict of column"),
        ({"when": "%m/%d/%Y"}, DataTypeError, r"row 0 .*'14\.03\.2021'"),
    ],
)
def test_forms_that_do_not_fit_are_refused(forms, error, text):
    with pytest.raises(error, match=text):
        learn_columns({"when": ["14.03.2021"]}, date_formats=forms)


def test_what_holds_no_text_of_dates_is_refused():
    with pytest.raises(DataTypeError, match=r"row 1 .*number 2\.5"):
        learn_columns({"when": [20210314, 2.5]}, date_formats={"when": "%Y%m%d"})
    with pytest.raises(DataTypeError, match="leave it out of numeric_features"):
        learn_columns({"when": DAYS}, numeric_features=["when"])
    assert words(learn_columns({"when": DAYS}, date_formats={"when": "iso"})) == words(learn_columns({"when": DAYS}))


@pytest.mark.parametrize("other", [{"categorical_features": ["when"]}, {"numeric_features": ["when"]}])
def test_a_column_is_read_by_one_format(other):
    with pytest.raises(ParameterError, match="name it in one of them"):
        learn_columns({"when": ["14.03.2021"]}, date_formats={"when": "%d.%m.%Y"}, **other)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["01/02/2023", "03/04/2023"], ["{'when': '%d/%m/%Y'}", "{'when': '%m/%d/%Y'}"]),
        (["14.03.2021", "?", "1.2.2020"], ["and the values '?',", "missing_values=['?']", "{'when': '%d.%m.%Y'}"]),
    ],
)
def test_strings_that_may_be_dates_stay_strings_with_a_warning(texts, message):
    with pytest.warns(KindWarning) as found:
        columns = learn_columns({"when": texts})
    assert columns.schema[0].kind == "nominal"
    assert all(text in str(found[0].message) for text in message)


TEXTS = {
    "iso": ["2021-03-14", "2020-02-01"], "%d.%m.%Y": ["14.03.2021", "1.2.2020"], "%m/%d/%Y": ["03/14/2021", "2/1/2020"],
    "%Y年%m月%d日": ["2021年3月14日", "2020年02月01日"], "%d-%b-%Y": ["14-Mar-2021", "01-Feb-2020"],
}  # fmt: skip
TABLES_OF = {
    "dict": lambda texts: {"when": texts}, "pandas": lambda texts: pd.DataFrame({"when": texts}),
    "polars": lambda texts: pl.DataFrame({"when": texts}), "arrow": lambda texts: pa.table({"when": texts}),
    "rows": lambda texts: [{"when": text} for text in texts],
}  # fmt: skip


@pytest.mark.parametrize("container", TABLES_OF)
@pytest.mark.parametrize("form", TEXTS)
def test_strings_of_one_format_are_dates_with_a_note(form, container):
    table = TABLES_OF[container]([*TEXTS[form], None])
    shown = "ISO 8601" if form == "iso" else f"the format {form}"
    with pytest.warns(KindWarning) as found:
        columns = learn_columns(table)
    message = (
        f"Column 'when' contains dates in {shown} and is read as dates. To change the format, set date_formats; to "
        "keep the strings as levels, list the column in categorical_features."
    )
    assert [str(warning.message) for warning in found] == [message]
    unit = {"iso": "us"}.get(form, "D")
    days = np.array(["2021-03-14", "2020-02-01"], f"M8[{unit}]").astype(np.int64)
    assert columns.schema[0].type.form == form
    np.testing.assert_array_equal(columns.values[0], [*days, np.nan])
    np.testing.assert_array_equal(read_columns(table, columns.schema).values[0], columns.values[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert learn_columns(table, categorical_features=["when"]).schema[0].kind == "nominal"


def test_codes_are_no_dates():
    with pytest.warns(KindWarning, match=r"dates in the format %d\.%m\.%Y and is read as dates"):
        columns = learn_columns({"when": ["14.03.2021", "?", "1.2.2020"]}, missing_values=["?"])
    assert np.isnan(columns.values[0]).tolist() == [False, True, False]


@pytest.mark.parametrize("integers", [True, False])
@pytest.mark.parametrize("beside", [{}, {"town": ["Ulm", "Bonn", "Ulm"]}])
def test_whole_numbers_that_look_like_dates_stay_numbers_with_a_note(integers, beside):
    days = np.array([20210314, 19991231, 20200229])
    frame = pd.DataFrame({"at": days if integers else np.array([np.nan, *days[1:]]), **beside})
    shown = 20210314 if integers else 19991231
    message = (
        f"numbers that look like dates, such as {shown}. To read them as dates, set date_formats={{'at': '%Y%m%d'}}."
    )
    with pytest.warns(KindWarning, match=re.escape(message)):
        assert learn_columns(frame).schema[0].temporal is None
    frame["at"] = np.array([20210314, 19991231, 20201301])  # month 13
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learn_columns(frame)


def test_declared_nominal_dates_are_texts():
    columns = learn_columns({"when": [*DAYS, DAYS[0]]}, categorical_features=["when"])
    assert columns.schema[0].levels == ("1969-12-31", "2021-03-14", "9999-12-31")
    assert columns.values[0].tolist() == [1, -1, 0, 2, 1]
    same = np.array(DAYS[:1], dtype="M8[ns]")
    assert read_columns({"when": same}, columns.schema).values[0].tolist() == [1]


def test_codes_for_missing_dates():
    columns = learn_columns({"when": DAYS}, missing_values=["9999-12-31", -1])
    assert words(columns) == ["2021-03-14", None, "1969-12-31", None]
    assert words(read_columns({"when": DAYS[2:]}, columns.schema)) == ["1969-12-31", None]


def test_one_date_after_the_other_is_no_name():
    days = np.arange("2020-01-01", "2021-01-01", dtype="M8[D]")
    from boxwood.data.columns.identifiers import are_identifiers

    assert are_identifiers(learn_columns({"when": days, "id": np.arange(len(days))})) == [False, True]
