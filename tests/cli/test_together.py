"""No option is ignored: what acts only beside another is refused without it, before any file is read."""

import click
import pytest

from boxwood.cli.commands import boxwood
from boxwood.cli.tables import OF_RESPONSES, OF_TABLES, READING
from boxwood.data import datasets

TITANIC, NEW, COMPUTERS = (str(datasets.path(name)) for name in ("titanic", "titanic_new", "computer_hardware"))


def _needed(command):
    """The words that a command cannot do without."""
    words = []
    for parameter in command.params:
        if parameter.required:
            name = [] if isinstance(parameter, click.Argument) else [parameter.opts[-1]]
            words += [*name, "1" if isinstance(parameter.type, click.types.IntParamType) else "a"]
    return words


def _given(command, words):
    """An option with a value, such as "--level" or "-o *.png"."""
    option, _, value = words.partition(" ")
    parameter = next(p for p in command.params if option in p.opts)
    if getattr(parameter, "is_flag", False):
        return [option]
    if isinstance(parameter.type, click.Choice):
        other = [choice for choice in parameter.type.choices if choice != parameter.default]
        return [option, value or other[0]]
    if isinstance(parameter.type, (click.types.IntParamType, click.types.FloatParamType)):
        return [option, "0.5" if getattr(parameter.type, "max", None) == 1 else "1"]
    return [option, value.replace("*", "a") or "a"]


ALONE = [(name, option) for name, command in boxwood.commands.items() for option in getattr(command, "goes_with", ())]
PAIRS = [
    (name, option, other)
    for name, command in boxwood.commands.items()
    for option, others in getattr(command, "not_with", {}).items()
    for other in others.split(" or ")
]


@pytest.mark.parametrize(("name", "option"), ALONE)
def test_an_option_without_what_it_goes_with_is_refused(run, name, option):
    command = boxwood.commands[name]
    code, out, err = run(name, *_needed(command), *_given(command, option))
    assert (code, out) == (2, "")
    assert f"{option} goes with {command.goes_with[option]}" in err


@pytest.mark.parametrize(("name", "option", "other"), PAIRS)
def test_options_that_exclude_each_other_are_refused(run, name, option, other):
    command = boxwood.commands[name]
    beside = command.goes_with.get(option)
    beside = _given(command, beside.split(" or ")[0]) if beside and beside.split()[0] != other.split()[0] else []
    code, out, err = run(name, *_needed(command), *_given(command, option), *beside, *_given(command, other))
    assert (code, out) == (2, "")
    assert f"{option} and {other} exclude each other" in err


def test_reading_options_need_the_data_that_some_commands_can_do_without():
    optional = {"explore": OF_RESPONSES, "prune": OF_RESPONSES, "plot": OF_RESPONSES, "export": OF_TABLES}
    for name, command in boxwood.commands.items():
        options = {option for p in command.params for option in p.opts}
        assert set(optional.get(name, ())) <= options
        assert {option for option in OF_RESPONSES if option in getattr(command, "goes_with", {})} == set(
            optional.get(name, ())
        )
    assert set(OF_RESPONSES) <= set(READING.values())


@pytest.fixture(scope="module")
def numbers(tmp_path_factory):
    """The path of a model of numbers."""
    from boxwood.cli import main

    file = str(tmp_path_factory.mktemp("model") / "numbers.box")
    assert main(["fit", COMPUTERS, "--target", "performance", "-o", file, "--max-depth", "2", "--quiet"]) == 0
    return file


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["predict", "--proba"], "--proba is for models of classes"),
        (["predict", "--reasons", "1", "--target-class", "a"], "give no --target-class"),
        (["evaluate", "--new-labels", "drop"], "--new-labels is for models of classes"),
        (["evaluate", "--exposure", "cache"], "--exposure is for models of rates"),
        (["evaluate", "--target-class", "a"], "--target-class is for models of classes"),
    ],
)
def test_options_of_classes_are_refused_by_a_model_of_numbers(run, numbers, words, sentence):
    command, *more = words
    code, out, err = run(command, numbers, COMPUTERS, *more)
    assert (code, out) == (2, "")
    assert sentence in err


def test_there_are_not_more_reasons_than_features(run, model):
    assert run("predict", model, NEW, "--reasons", "7")[0] == 0
    code, out, err = run("predict", model, NEW, "--reasons", "8")
    assert (code, out) == (2, "")
    assert "--reasons must be at most 7, the number of features of the model; got 8." in err


def test_spreadsheet_safety_is_for_csv(run, model, tmp_path):
    code, _, err = run("predict", model, NEW, "--spreadsheet-safe", "--json")
    assert (code, "--spreadsheet-safe is for CSV" in err) == (2, True)
    assert run("predict", model, NEW, "--spreadsheet-safe", "--json", "-o", tmp_path / "p.csv")[0] == 0


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_chart_is_of_the_kind_of_its_ending(run, model, tmp_path, ending):
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    for i, words in enumerate(
        (
            ["evaluate", model, NEW, "--by", "sex"],
            ["evaluate", model, NEW, "--target-class", "yes", "--thresholds", "--costs", "5,1"],
            ["compare", TITANIC, "--target", "survived", "--models", "cart/none,cart/1se", "--folds", "2"],
        )
    ):
        chart = tmp_path / f"图{i}.{ending}"
        assert run(*words, "--chart", chart, "--quiet") == (0, "", "")
        assert chart.read_bytes().startswith(starts[ending])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["evaluate", "MODEL", NEW, "--by", "sex", "--chart", "a.gif"], "--chart must end in .svg, .png or .pdf"),
        (["compare", TITANIC, "--target", "survived", "--chart", "a.html"], "--chart must end in .svg, .png or .pdf"),
        (["plot", "MODEL", "-o", "a.jpg"], "-o must end in .svg, .png or .pdf"),
        (["check", TITANIC, "--target", "survived", "-o", "a.pdf"], "-o is an HTML page"),
        (["explore", "MODEL", "-o", "a.pdf"], "-o is an HTML page"),
        (["bins", TITANIC, "--target", "survived", "-o", "a.png"], "-o must end in .txt, .csv, .sql, .svg"),
        (["bins", TITANIC, "--target", "survived", "-o", "a.csv", "--format", "sql"], "is not a name for --format sql"),
        (["bins", TITANIC, "--target", "survived", "-o", "a.png", "--format", "svg"], "is not a name for --format svg"),
        (["predict", "MODEL", NEW, "-o", "a.xlsx"], "-o must end in .csv"),
    ],
)
def test_a_file_whose_ending_is_of_another_kind_is_refused_and_not_written(
    run, model, tmp_path, monkeypatch, words, sentence
):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*[model if word == "MODEL" else word for word in words])
    assert (code, out) == (2, "")
    assert sentence in err
    assert list(tmp_path.iterdir()) == []


def test_bins_are_written_in_the_format_of_the_ending_also_beside_json(run, tmp_path):
    words = ["bins", TITANIC, "--target", "survived"]
    for ending, start in (("csv", "feature,bin"), ("sql", "--"), ("svg", "<svg"), ("txt", "Bins for survived")):
        code, out, _ = run(*words, "-o", tmp_path / f"b.{ending}", "--json")
        assert (code, out[0]) == (0, "{")
        assert (tmp_path / f"b.{ending}").read_text().startswith(start), ending
    assert run(*words, "-o", tmp_path / "b.dat", "--format", "csv", "--quiet")[0] == 0
    assert (tmp_path / "b.dat").read_text() == (tmp_path / "b.csv").read_text()


def test_rules_give_the_number_of_the_rule_and_refuse_what_needs_nodes(run, tmp_path):
    rules, terms = tmp_path / "rules.box", tmp_path / "terms.box"
    fit = ["fit", TITANIC, "--target", "survived", "--evaluate", "none", "--quiet"]
    assert run(*fit, "--algorithm", "c45-rules", "-o", rules)[0] == 0
    assert run(*fit, "--algorithm", "mars", "--missing", "indicator", "-o", terms)[0] == 0
    code, out, _ = run("predict", rules, NEW, "--node")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "survived,rule"
    assert {line.split(",")[1] for line in lines[1:]} >= {"-1", "1"}
    for file, kind, options in (
        (rules, "set of rules", ("--interval", "--missing-route")),
        (terms, "MARS model", ("--node", "--interval", "--missing-route")),
    ):
        for option in options:
            code, _, err = run("predict", file, NEW, option)
            assert (code, f"{option} needs a tree, and this is a {kind}" in err) == (2, True)
