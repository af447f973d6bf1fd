"""What the help shows: what everybody needs, the options of one algorithm, examples that run, where to begin."""

import os
import re
import shlex
import shutil
import subprocess
import sys

import click
import pytest

from boxwood import datasets
from boxwood.algorithms import REGISTRY
from boxwood.cli import main
from boxwood.cli.commands import boxwood
from boxwood.cli.fit_help import BASIC, GROUPS, examples_of

COMMANDS = boxwood.commands


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the bundled tables, a model and its dossier, as the examples expect them."""
    place = tmp_path_factory.mktemp("examples")
    for name in ("titanic", "titanic_new"):
        shutil.copy(datasets.path(name), place)
    here = os.getcwd()
    os.chdir(place)
    try:
        for name in ("fit", "dossier"):
            assert main(shlex.split(COMMANDS[name].examples[0])[1:]) == 0
        several = "fit titanic.csv --target parents_children,siblings_spouses -o family.box --quiet"
        assert main(several.split()) == 0
        yield place
    finally:
        os.chdir(here)


def help_of(capsys, *words: str) -> str:
    assert main([*words, "--help"]) == 0
    return capsys.readouterr().out


def listed(text: str) -> list[str]:
    """The long options that a help lists."""
    return re.findall(r"^  (?:-\w, )?--([\w-]+)", text, re.MULTILINE)


def test_fit_shows_the_options_that_everybody_needs(capsys):
    text = help_of(capsys, "fit")
    assert len(listed(text)) == 22 == sum(map(len, BASIC.values()))
    assert [line[:-1] for line in text.splitlines() if re.fullmatch(r"[A-Z]\w+:", line)] == [*BASIC, "Examples"]
    assert "boxwood fit --algorithm NAME --help. NAME" in text


@pytest.mark.parametrize("name", REGISTRY)
def test_the_help_of_an_algorithm_shows_its_options_and_no_others(name, capsys):
    assert main(["fit", "--help", "--algorithm", name]) == 0
    text = capsys.readouterr().out
    shown = listed(text)
    own = {p.name.replace("_", "-") for task in REGISTRY[name].tasks for p in REGISTRY[name].parameters[task] if p.cli}
    every = {p.name.replace("_", "-") for a in REGISTRY.values() for t in a.tasks for p in a.parameters[t] if p.cli}
    assert own <= set(shown)
    assert not (every - own) & set(shown)
    assert len(shown) == len(set(shown))
    assert "target" in shown
    assert "help" in shown


@pytest.mark.parametrize("name", REGISTRY)
def test_a_default_is_a_value_that_the_option_takes(name):
    for option in COMMANDS["fit"].options_for(REGISTRY[name]):
        default = re.search(r"\[default: (.*)\]$", option.help)[1]
        key = option.name.removeprefix("setting_")
        declared = [p for task in REGISTRY[name].tasks for p in REGISTRY[name].parameters[task] if p.name == key]
        for parameter, text in zip(declared, default.split("; for regression "), strict=False):
            assert parameter.parse(text) == parameter.default


def test_every_group_names_options_that_there_are():
    options = {
        option.name.removeprefix("setting_") for option in COMMANDS["fit"].get_params(click.Context(COMMANDS["fit"]))
    } | {"help"}
    for names in (*BASIC.values(), *GROUPS.values()):
        assert set(names) <= options


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_ends_with_two_examples(name, capsys):
    text = help_of(capsys, name)
    examples = COMMANDS[name].examples
    assert len(examples) == 2
    assert text.endswith("\nExamples:\n" + "".join(f"  {line}\n" for line in examples))
    assert all(line.startswith(f"boxwood {name} ") for line in examples)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_run(name, folder, capsys):
    for line in COMMANDS[name].examples:
        words = shlex.split(line)[1:]
        extra = ["--force"] if name == "explore" and "-o" not in words else []
        assert main([*words, *extra]) == 0, capsys.readouterr().err
        assert capsys.readouterr().out


def test_every_algorithm_has_examples_of_its_own():
    assert len({line for name in REGISTRY for line in examples_of(name)}) == 2 * len(REGISTRY)


@pytest.mark.parametrize("name", REGISTRY)
def test_the_help_of_an_algorithm_ends_with_its_examples(name, capsys):
    text = help_of(capsys, "fit", "--algorithm", name)
    assert text.endswith("\nExamples:\n" + "".join(f"  {line}\n" for line in examples_of(name)))
    assert all(f" --algorithm {name} " in line for line in examples_of(name))


@pytest.mark.parametrize("name", REGISTRY)
def test_the_examples_of_an_algorithm_run(name, folder, capsys):
    for line in examples_of(name):
        assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err
        shown = capsys.readouterr().out
        assert f"Wrote {shlex.split(line)[-1]} " in shown
        assert "Note" not in shown


def test_boxwood_alone_shows_where_to_begin(folder, capsys):
    assert main([]) == 0
    text = capsys.readouterr().out
    assert "boxwood fit data.csv --target COLUMN" in text
    copied = [line for line in text.splitlines() if line.startswith("  cp ")]
    assert all(os.path.exists(path) for path in shlex.split(copied[0])[1:3])
    fit = next(line for line in text.splitlines() if "titanic.csv --target" in line)
    assert main(shlex.split(fit)[1:]) == 0


def completions(words: str, **more) -> list[str]:
    """The words that a shell offers after some words."""
    last = str(len(words.split(" ")) - 1)
    shell = {"_BOXWOOD_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": last}
    done = subprocess.run(
        [sys.executable, "-m", "boxwood"], env=os.environ | shell | more, capture_output=True, text=True, check=True
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_shells_complete_commands_options_and_choices():
    assert completions("boxwood exp") == ["explain", "explain-split", "explore", "export"]
    assert "--max-depth" in completions("boxwood fit --max")
    assert completions("boxwood plot m.box --what g") == ["gains"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_takes_the_script(tmp_path):
    command = tmp_path / "boxwood"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m boxwood "$@"\n')
    command.chmod(0o755)
    script = (
        'eval "$(_BOXWOOD_COMPLETE=bash_source boxwood)"; COMP_WORDS=(boxwood exp); COMP_CWORD=1; '
        '_boxwood_completion boxwood; echo "${COMPREPLY[@]}"'
    )
    path = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], env=os.environ | path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["explain", "explain-split", "explore", "export"]
