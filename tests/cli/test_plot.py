"""The command plot."""

import json
import re

import pytest

from boxwood import load
from boxwood.cli import main
from boxwood.data import datasets

TITANIC, NEW = str(datasets.path("titanic")), str(datasets.path("titanic_new"))


@pytest.fixture
def run(capsys, model, tmp_path):
    def runner(output, *words):
        capsys.readouterr()
        code = main(["plot", model, "-o", str(tmp_path / output), *map(str, words)])
        out, err = capsys.readouterr()
        file = tmp_path / output
        return code, out, err, file.read_bytes() if file.exists() else b""

    return runner


def test_a_tree_as_svg(run, model):
    code, out, err, data = run("tree.svg")
    assert (code, err) == (0, "")
    assert "tree.svg: tree." in out
    assert data.decode() == load(model).to_svg()


def test_every_option_of_a_picture(run, model):
    words = (
        "--max-depth 2 --max-leaves 5 --min-share 0.1 --content histogram --direction right --theme dark --title T "
        f"--node-numbers --data {TITANIC}"
    )
    code, _, err, data = run("tree.svg", *words.split())
    assert (code, err) == (0, "")
    X = datasets.load("titanic")
    y = X.pop("survived")
    wanted = load(model).to_svg(
        X, y, max_depth=2, max_leaves=5, min_share=0.1, content="histogram", direction="right", theme="dark", title="T",
        node_numbers=True,
    )  # fmt: skip
    assert data.decode() == wanted


def test_options_for_large_trees(run, model):
    words = "--max-leaves all --fit page --node-size small --align-leaves --target-class yes --theme light"
    code, _, err, data = run("tree.svg", *words.split())
    assert (code, err) == (0, "")
    wanted = load(model).to_svg(
        max_leaves=None, fit="page", node_size="small", align_leaves=True, target_class="yes", theme="light"
    )
    assert data.decode() == wanted


def test_what_is_folded_is_reported_and_can_be_shown(run):
    _, out, _, _ = run("tree.svg", "--max-leaves", 3)
    assert "8 nodes are folded away, --max-leaves all shows them" in out
    _, out, _, _ = run("tree.svg", "--max-leaves", "all", "--json")
    facts = json.loads(out)
    assert facts["nodes"] == facts["shown"] == 13
    assert run("tree.svg", "--quiet")[1] == ""


def test_a_page_whose_words_are_too_small_is_refused_with_the_leaves_that_fit(capsys, tmp_path):
    """The full tree of the Titanic: refused, then drawn with the number of leaves that the error names."""
    model, page = str(tmp_path / "full.box"), tmp_path / "page.svg"
    assert main(["fit", TITANIC, "--target", "survived", "--pruning", "none", "-o", model, "--quiet"]) == 0
    assert main(["plot", model, "-o", str(page), "--fit", "page", "--max-leaves", "all"]) == 2
    found = re.search(r"below 5 they cannot be read; set --max-leaves (\d+) or fewer", capsys.readouterr().err)
    assert not page.exists()
    assert main(["plot", model, "-o", str(page), "--fit", "page", "--max-leaves", found.group(1)]) == 0
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)', page.read_text(encoding="utf-8"))]
    assert len(sizes) > 2 * int(found.group(1))
    assert min(sizes) >= 5.0


@pytest.mark.parametrize(
    "words",
    [
        (), ("--what", "importance", "--kind", "mdi+surrogates", "--top", 3), ("--what", "pruning"),
        ("--what", "gains", "--data", NEW),
        ("--what", "lift", "--data", NEW, "--target-class", "no", "--sample-weight", "parents_children"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("ending", "first"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_every_picture(run, words, ending, first):
    pytest.importorskip("matplotlib")
    code, _, err, data = run(f"picture.{ending}", *words, "--dpi", 40)
    assert (code, err) == (0, "")
    assert data.startswith(first)


@pytest.mark.parametrize(
    ("output", "words", "message"),
    [
        ("tree.gif", (), "-o must end in .svg, .png or .pdf"),
        ("tree.svg", ("--what", "gains"), "--data is needed by --what gains"),
        ("tree.svg", ("--content", "histogram"), "--data is needed by --content histogram"),
        ("tree.svg", ("--data", NEW), "--data is for --content histogram, regions, gains and lift"),
        ("tree.svg", ("--top", "3"), "--top is not an option of --what tree"),
        ("tree.svg", ("--what", "pruning", "--max-depth", "3"), "--max-depth is not an option of --what pruning"),
        ("tree.svg", ("--target-class", "maybe"), "--target-class must be one of 'no', 'yes'; got 'maybe'"),
        ("tree.svg", ("--node-size", "small", "--content", "counts"), "has room for content 'bars' or 'text' only"),
        ("tree.svg", ("--what", "gains", "--fit", "page"), "--fit is not an option of --what gains"),
        ("tree.svg", ("--max-leaves", "none"), "'none' is not a valid integer"),
        ("tree.svg", ("--what", "lift", "--data", NEW, "--target-class", "maybe"), "must be one of 'no', 'yes'"),
    ],
)
def test_what_does_not_go_together_is_refused(run, output, words, message):
    code, _, err, data = run(output, *words)
    assert code in (1, 2)
    assert message in err
    assert data == b""


def test_nothing_that_is_read_is_overwritten(capsys, model):
    assert main(["plot", model, "-o", model]) in (1, 2)
    assert main(["plot", model, "-o", "-"]) == 2
    assert "-o must be a file" in capsys.readouterr().err


def test_a_model_without_a_tree_is_refused(capsys, tmp_path):
    file = str(tmp_path / "mars.box")
    assert (
        main(["fit", str(datasets.path("trees")), "--target", "volume", "--algorithm", "mars", "-o", file, "--quiet"])
        == 0
    )
    capsys.readouterr()
    assert main(["plot", file, "-o", str(tmp_path / "x.svg")]) == 1
    assert "holds a MARS model" in capsys.readouterr().err


def test_regions_are_those_of_the_method(run, model):
    words = ["--what", "regions", "--data", TITANIC, "--features", "age,fare", "--fixed", "sex=male"]
    words += ["--fixed", "class=1st", "--fixed", "siblings_spouses=0", "--target-class", "yes"]
    code, out, err, data = run("regions.svg", *words)
    assert (code, err) == (0, "")
    assert "regions.svg: regions." in out
    X = datasets.load("titanic")
    y = X.pop("survived")
    fixed = {"sex": "male", "class": "1st", "siblings_spouses": 0}
    picture = load(model).plot_regions(X, y, features=["age", "fare"], fixed=fixed, target_class="yes")
    assert data.decode() == picture.svg
    assert run("regions.png", *words)[3].startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--what", "regions"), "--data is needed by --what regions"),
        (("--what", "regions", "--data", TITANIC, "--fixed", "sexx=male"), "--fixed sexx=male: give COLUMN=VALUE"),
        (("--what", "regions", "--data", TITANIC, "--fixed", "age=old"), "age is numeric, and 'old' is not a number"),
        (("--fixed", "sex=male"), "--fixed is not an option of --what tree"),
        (
            ("--what", "regions", "--data", TITANIC, "--sample-weight", "fare"),
            "--sample-weight is not an option of --what regions",
        ),
    ],
)
def test_options_of_regions(run, words, message):
    code, _, err, data = run("regions.svg", *words)
    assert code == 2
    assert message in err
    assert data == b""


def test_regions_of_a_tree_of_many_features_name_the_remedy(run):
    code, _, err, data = run("regions.svg", "--what", "regions", "--data", TITANIC)
    assert code == 2
    assert "give the others a value, as in --fixed " in err
    assert data == b""
