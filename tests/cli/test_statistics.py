"""Commands on files of statistics programs, and columns that are declared ordinal."""

import pytest

pd = pytest.importorskip("pandas")
pyreadstat = pytest.importorskip("pyreadstat")

WHOLE_OR_PARTS = pytest.mark.parametrize("memory", [(), ("--memory", "64MB")], ids=["whole", "parts"])


def survey():
    rows = range(120)
    frame = pd.DataFrame({"q1": [[1.0, 2, 3, 9][i % 4] for i in rows], "区": [[1.0, 2, 8][i % 3] for i in rows]})
    return frame.assign(buy=[1.0 + ((a == 3) or (b == 8)) for a, b in zip(frame["q1"], frame["区"], strict=True)])


@WHOLE_OR_PARTS
def test_spss(run, tmp_path, memory):
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(
        survey(), path,
        variable_value_labels={"q1": {1: "low", 2: "mid", 3: "high"}, "区": {8: "拒绝"}, "buy": {1: "no", 2: "yes"}},
        variable_measure={"q1": "ordinal", "区": "nominal"}, missing_ranges={"q1": [9], "区": [8]},
    )  # fmt: skip
    fit = ("fit", path, "--target", "buy", "--quiet", "--force", "-o", tmp_path / "a.box", *memory)
    code, out, _ = run(*(word for word in fit if word != "--quiet"))
    assert (code, "in 'q1', '区' are read as missing; --user-missing levels makes" in " ".join(out.split())) == (
        0,
        True,
    )
    assert run(*fit, "--user-missing", "levels")[0] == 0
    assert "区 = 拒绝" in run("show", tmp_path / "a.box")[1]
    code, out, _ = run("predict", tmp_path / "a.box", path, "--user-missing", "levels")
    assert (code, out.split().count("yes")) == (0, 60)
    assert run("evaluate", tmp_path / "a.box", path, "--user-missing", "levels")[0] == 0


@WHOLE_OR_PARTS
def test_declared_orders(run, tmp_path, memory):
    names = {1: "low", 2: "mid", 3: "高", 9: ""}
    path = tmp_path / "a.csv"
    survey().assign(q1=lambda t: t["q1"].map(names)).rename(columns={"区": "a=b"}).to_csv(path, index=False)
    fit = ("fit", path, "--target", "buy", "--task", "classification", "--quiet", "-o", tmp_path / "a.box", *memory)
    order = ("--ordinal-features", "q1=low<mid<高", "--ordinal-features", "a=b=2<1<8")
    assert run(*fit, *order)[0] == 0
    assert "q1 > mid" in run("show", tmp_path / "a.box")[1]
    assert run("predict", tmp_path / "a.box", path)[0] == 0
    code, _, err = run(*fit, "--ordinal-features", "q1=low<mid", "--force")
    assert code != 0
    assert "Column 'q1', row 3 holds the level '高'" in err
    assert "add it in --ordinal-features" in err
    assert "give COLUMN=LOW<HIGH" in run(*fit, "--ordinal-features", "zz=low<mid")[2]
