"""Files of SPSS, Stata and SAS: labels become levels, user-missing codes missing, measurement levels kinds."""

import datetime

import pyarrow as pa
import pytest

from boxwood import CARTClassifier, CHAIDClassifier, FileError, ParameterError
from boxwood.data.files.file_kinds import kind_of
from boxwood.data.files.files import read_table
from boxwood.data.files.opened import Form
from boxwood.errors import FormatWarning

pyreadstat = pytest.importorskip("pyreadstat")
pd = pytest.importorskip("pandas")

LABELS = {
    "q1": {1: "low", 2: "mid", 3: "high", 9: "refused"},
    "区": {1: "男", 2: "女", 8: "拒绝"},
    "income": {99: "99 and more"},
}
MEASURES = {"q1": "ordinal", "区": "nominal", "income": "scale", "code": "nominal"}
MISSING = {"q1": [9], "区": [{"lo": 7, "hi": 8}]}


def people(**changed):
    columns = {
        "q1": [3.0, 9.0, 1.0, 2.0, 5.0, None],
        "区": [1.0, 2.0, 8.0, 1.0, 2.0, 2.0],
        "income": [10.0, 20.0, 99.0, 12.0, None, 11.0],
        "code": [10.0, 2.0, 10.0, 2.0, 1.0, 1.0],
        "name": ["a", "", "北京", "a", "b", "b"],
        "born": [datetime.date(1990, 1, i + 1) for i in range(6)],
        "rate": [0.5, 1.0, 2.0, 3.0, 4.0, 5.0],
    }
    return pd.DataFrame(columns | changed)


def write_sav(path, frame=None, **more):
    options = {"variable_value_labels": LABELS, "variable_measure": MEASURES, "missing_ranges": MISSING} | more
    pyreadstat.write_sav(people() if frame is None else frame, path, **options)
    return path


def test_the_note_on_codes_of_items_in_order_names_no_setting_that_changes_nothing(tmp_path):
    path = write_sav(tmp_path / "a.sav", people()[["q1", "income"]], missing_ranges={"q1": [9], "income": [99]})
    with pytest.warns(FormatWarning, match="codes in 'q1', 'income' are read as missing[.]$"):
        read_table(path)


@pytest.mark.parametrize("compress", [False, True])
def test_spss(tmp_path, compress):
    path = write_sav(tmp_path / "data", compress=compress)
    words = "in 'q1', '区' are read as missing; user_missing='levels' makes those in '区' levels"
    with pytest.warns(FormatWarning, match=words):
        table = read_table(path)
    assert table["q1"].to_pylist() == ["high", None, "low", "mid", "5", None]
    assert table["q1"].type == pa.dictionary(pa.int32(), pa.string(), ordered=True)
    assert table["q1"].chunk(0).dictionary.to_pylist() == ["low", "mid", "high", "5"]
    assert table["区"].to_pylist() == ["男", "女", None, "男", "女", "女"]
    assert table["区"].type == pa.dictionary(pa.int32(), pa.string())
    assert table["code"].to_pylist() == ["10", "2", "10", "2", "1", "1"]
    assert table["code"].chunk(0).dictionary.to_pylist() == ["1", "2", "10"]
    assert (table["income"].type, table["income"].to_pylist()) == (pa.int64(), [10, 20, 99, 12, None, 11])
    assert table["name"].to_pylist() == ["a", None, "北京", "a", "b", "b"]
    assert table["born"].type == pa.date32()
    assert table["rate"].type == pa.float64()


def test_user_missing_codes_as_levels_of_nominal_columns_alone(tmp_path):
    table = read_table(write_sav(tmp_path / "a.sav"), form=Form(user_missing="levels"))
    assert table["区"].to_pylist()[2] == "拒绝"
    assert table["q1"].to_pylist()[1] is None
    assert read_table(tmp_path / "a.sav", form=Form(user_missing="missing"))["区"].to_pylist()[2] is None
    with pytest.raises(ParameterError, match="user_missing must be 'missing', 'levels' or None"):
        Form(user_missing="level")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ParameterError, match=r"is for files of SPSS, Stata and SAS, but .*a\.csv is not one"):
        read_table(tmp_path / "a.csv", form=Form(user_missing="levels"))


def test_labels_that_two_codes_have_keep_the_codes_apart(tmp_path):
    pyreadstat.write_sav(
        pd.DataFrame({"q": [1.0, 2.0, 3.0]}),
        tmp_path / "a.sav",
        variable_value_labels={"q": {1: "other", 2: "other", 3: " "}},
    )
    assert read_table(tmp_path / "a.sav")["q"].to_pylist() == ["other (1)", "other (2)", "3"]


def test_without_a_measurement_level_a_column_is_nominal_if_all_its_values_have_labels(tmp_path):
    frame = pd.DataFrame({"all": [1.0, 2.0, 1.0], "some": [1.0, 2.0, -1.0]})
    labels = {"all": {1: "yes", 2: "no"}, "some": {-1: "refused"}}
    pyreadstat.write_dta(frame, tmp_path / "a.dta", variable_value_labels=labels)
    table = read_table(tmp_path / "a.dta")
    assert table["all"].to_pylist() == ["yes", "no", "yes"]
    assert table["some"].to_pylist() == [1, 2, -1]


def test_missing_letters_of_stata(tmp_path):
    frame = pd.DataFrame({"q": pd.Series([1.0, 2.0, "a", "b"], dtype=object), "n": [1.5, None, 2, 3]})
    pyreadstat.write_dta(
        frame,
        tmp_path / "a.dta",
        variable_value_labels={"q": {1: "yes", 2: "no", "a": "refused"}},
        missing_user_values={"q": ["a", "b"]},
    )
    with pytest.warns(FormatWarning, match="codes in 'q' are read as missing"):
        assert read_table(tmp_path / "a.dta")["q"].to_pylist() == ["yes", "no", None, None]
    kept = read_table(tmp_path / "a.dta", form=Form(user_missing="levels"))
    assert kept["q"].to_pylist() == ["yes", "no", "refused", "b"]
    assert kept["n"].to_pylist() == [1.5, None, 2, 3]


@pytest.mark.parametrize("version", [8, 10, 12, 13, 15])
def test_stata_of_all_versions(tmp_path, version):
    frame = pd.DataFrame({"age": [30.0, 40.5], "born": [datetime.date(2020, 1, 2), None]})
    pyreadstat.write_dta(frame, tmp_path / "a", version=version)
    table = read_table(tmp_path / "a")
    assert table.to_pydict() == {"age": [30, 40.5], "born": [datetime.date(2020, 1, 2), None]}


def test_encoding_of_an_old_file(tmp_path):
    pyreadstat.write_dta(pd.DataFrame({"city": ["北京", "Wien"]}), tmp_path / "a.dta", version=13)
    assert read_table(tmp_path / "a.dta", form=Form("utf-8"))["city"].to_pylist() == ["北京", "Wien"]


def test_sas_transport_and_portable_files(tmp_path):
    frame = pd.DataFrame({"AGE": [30.0, None, 41.5], "SEX": ["m", "f", ""]})
    pyreadstat.write_xport(frame, tmp_path / "a.xpt")
    pyreadstat.write_por(frame, tmp_path / "a.por")
    for name in ("a.xpt", "a.por"):
        assert read_table(tmp_path / name).to_pydict() == {"AGE": [30, None, 41.5], "SEX": ["m", "f", None]}


def test_the_first_bytes_tell_the_kind():
    # SAS data sets cannot be written here; their first bytes are documented.
    assert kind_of(b"\0" * 12 + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00", "a") == "a SAS data set"
    assert kind_of(b"$FL3@(#) SPSS", "a.csv") == "an SPSS file"
    assert kind_of(b"<stata_dta><header>", "a") == "a Stata file"


@pytest.mark.parametrize("writer", ["write_sav", "write_dta", "write_xport"])
def test_files_cut_short(tmp_path, writer):
    getattr(pyreadstat, writer)(pd.DataFrame({"age": range(1000)}), tmp_path / "a")
    data = (tmp_path / "a").read_bytes()
    sizes = (100, 400) if writer == "write_xport" else (100, 400, len(data) // 2)  # it does not hold its length
    for size in sizes:
        (tmp_path / "cut").write_bytes(data[:size])
        with pytest.raises(FileError, match=r"starts like .* but cannot be read as one"):
            read_table(tmp_path / "cut")


def sales(tmp_path, n=300):
    frame = pd.DataFrame(
        {"q1": [[1.0, 2, 3, 9][i % 4] for i in range(n)], "区": [[1.0, 2, 8][i % 3] for i in range(n)]}
    )
    frame["buy"] = [float(1 + (a == 3 or b == 8)) for a, b in zip(frame["q1"], frame["区"], strict=True)]
    labels = {"q1": LABELS["q1"], "区": LABELS["区"], "buy": {1: "no", 2: "yes"}}
    return write_sav(tmp_path / "sales.sav", frame, variable_value_labels=labels, variable_measure=MEASURES)


@pytest.mark.parametrize("estimator", [CARTClassifier, CHAIDClassifier])
@pytest.mark.parametrize("user_missing", ["missing", "levels"])
def test_in_parts_as_in_memory(tmp_path, estimator, user_missing):
    path = sales(tmp_path)
    table = read_table(path, form=Form(user_missing=user_missing))
    whole = estimator().fit(table.drop_columns(["buy"]), table["buy"])
    parts = estimator().fit_stream(path, "buy", user_missing=user_missing)
    assert parts.tree_.to_text() == whole.tree_.to_text().replace("for y:", "for buy:")
    assert parts.model_.schema == whole.model_.schema
    assert ("拒绝" in str(parts.tree_)) == (user_missing == "levels")


def test_a_folder_of_files_in_parts(tmp_path):
    sales(tmp_path)
    (tmp_path / "more.sav").write_bytes((tmp_path / "sales.sav").read_bytes())
    with pytest.warns(FormatWarning):
        assert CARTClassifier().fit_stream(tmp_path, "buy").tree_.moments[0].sum() == 600
