"""Options of the commands: the shared ones, and one for each parameter that an algorithm declares."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property

import click

from .command_help import ExampleCommand
from .fit_help import algorithm_given, examples_of, write_fit_help
from .tables import READING
from .wording import quoted_list

#: What the names of options that set a parameter begin with, inside the program.
SETTING = "setting_"
#: Where the words of a command line are kept.
_WORDS = "boxwood.cli.words"
#: The placeholder of a value in the help, for each kind of parameter but choices.
_VALUES = {"integer": "N", "count": "N|SHARE", "real": "X", "flag": "true|false", "free": "VALUE", "label": "LABEL"}
#: Options of columns, under the names that they have as arguments.
_COLUMN_OPTIONS = READING | {
    "sample_weight": "--sample-weight",
    "exposure": "--exposure",
    "categorical_features": "--categorical-features",
}

#: What an algorithm cannot do, and what to do then.
_OTHER_TASK = {
    "regression": "predicts classes only, but the response is numeric; use --algorithm cart, chaid or mars, "
    "or --task classification if its numbers are names of classes",
    "classification": "predicts numbers only, but the response holds classes; use another --algorithm",
}


class FileName(click.Path):
    """A file, or - for a standard stream; an empty name (an unset variable of a script) or a NUL in it is refused."""

    def convert(self, value, param: click.Parameter | None, ctx: click.Context | None):
        """The name as given; click.BadParameter if it is not one."""
        if not value:
            self.fail("the file name is empty; give a name", param, ctx)
        if "\0" in os.fspath(value):
            self.fail(f"the file name {value!r} holds a NUL character; give another name", param, ctx)
        return super().convert(value, param, ctx)


FILE = FileName(allow_dash=True)


class ClassLabel(click.ParamType):
    """A class of the model, as it is written."""

    name = "label"

    def convert(self, value, param: click.Parameter | None, ctx: click.Context | None):
        """The text, which means the label that is written like it."""
        from ..data.frames.class_labels import AsWritten

        return AsWritten(value)


LABEL = ClassLabel()

FORCE = click.option("--force", is_flag=True, help="Without -o: overwrite an existing file.")


def common(command: Callable) -> Callable:
    """Add the options that every command has."""
    for option in (
        click.option("--debug", is_flag=True, help="Show the traceback of an error."),
        click.option("--quiet", is_flag=True, help="Print errors only."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text."),
    ):
        command = option(command)
    return command


def split_names(values: tuple[str, ...]) -> list[str]:
    """Names from a repeatable option whose values may also be lists with commas.

    Examples
    --------
    >>> from boxwood.cli.options import split_names
    >>> split_names(("a,b", "c"))
    ['a', 'b', 'c']
    >>> split_names(('"a,b",c',))
    ['a,b', 'c']
    """
    return [name.strip() for value in values for name in quoted_list(value) if name.strip()]


class FitCommand(ExampleCommand):
    """A command that also has an option for every declared parameter; they are looked up when first needed."""

    @cached_property
    def declared(self) -> dict[str, list]:
        """Parameter name -> the parameters of that name, of all algorithms and tasks."""
        from ..algorithms import REGISTRY

        found: dict[str, list] = {}
        for algorithm in REGISTRY.values():
            for name, same in _declared_by(algorithm).items():
                found.setdefault(name, []).extend(same)
        return found

    @cached_property
    def parameter_options(self) -> list[click.Option]:
        """One option a parameter name; its text is parsed when algorithm and task are known."""
        return [_parameter_option(name, same) for name, same in self.declared.items()]

    def options_for(self, algorithm) -> list[click.Option]:
        """The options of one algorithm, with its choices and defaults, for the help."""
        return [_parameter_option(name, same) for name, same in _declared_by(algorithm).items()]

    def own_options(self, ctx: click.Context) -> list[click.Parameter]:
        """The options of the command itself."""
        return [option for option in super().get_params(ctx) if isinstance(option, click.Option)]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All parameters of the command, those of the algorithms included."""
        *own, help_option = super().get_params(ctx)
        return [*own, *self.parameter_options, help_option]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember the words, so that the help shows the algorithm that they name."""
        ctx.meta[_WORDS] = list(args)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that everybody needs, or all those of the algorithm that is named."""
        write_fit_help(self, ctx, formatter, algorithm_given(ctx.meta.get(_WORDS, [])))

    def shown_examples(self, ctx: click.Context) -> tuple[str, ...]:
        """The examples of the algorithm that is named, or those of plain fit."""
        requested = algorithm_given(ctx.meta.get(_WORDS, []))
        return self.examples if requested is None else examples_of(requested)


def _declared_by(algorithm) -> dict[str, list]:
    """Parameter name -> the parameters of that name, one for each task of an algorithm."""
    found: dict[str, list] = {}
    for task in algorithm.tasks:
        for parameter in algorithm.parameters[task]:
            if parameter.cli:
                found.setdefault(parameter.name, []).append(parameter)
    return found


def _parameter_option(name: str, same: list) -> click.Option:
    help_text = f"{_sentence(same[0].help)} [default: {_default(same)}]"
    return click.Option([_option(name), f"{SETTING}{name}"], metavar=_metavar(same), help=help_text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _metavar(same: list) -> str:
    """The placeholder of the value in the help: the choices, or the kind of number."""
    words = [choice for parameter in same for choice in parameter.choices]
    words += [_VALUES[parameter.kind] for parameter in same if parameter.kind in _VALUES]
    return "|".join(dict.fromkeys(words))


def _default(same: list) -> str:
    """The default as it is written on the command line, and that for regression if it differs."""
    first, *others = dict.fromkeys(str(parameter.default).lower() for parameter in same)
    return f"{first}; for regression {others[0]}" if others else first


def _option(setting: str) -> str:
    return f"--{setting.replace('_', '-')}"


def options_of(algorithm) -> dict[str, str]:
    """Setting -> the option that sets it."""
    declared = (parameter for task in algorithm.tasks for parameter in algorithm.parameters[task])
    return {parameter.name: _option(parameter.name) for parameter in declared if parameter.cli} | _COLUMN_OPTIONS


def read_settings(given: dict, algorithm, task: str) -> dict:
    """Settings of one algorithm from the texts of its options.

    Parameters
    ----------
    given : dict
        Options of the command; those of parameters are ``setting_<parameter name>`` -> text, None when not given.
    algorithm : Algorithm
    task : {"classification", "regression"}

    Raises
    ------
    click.UsageError
        The algorithm does not do this task, or has no such parameter for it.
    ParameterError, ParameterTypeError
        A value cannot be read or is outside its range.
    """
    if task not in algorithm.tasks:
        raise click.UsageError(f"{algorithm.name} {_OTHER_TASK[task]}")
    known = {parameter.name: parameter for parameter in algorithm.parameters[task] if parameter.cli}
    settings = {}
    for key, text in given.items():
        if text is None or not key.startswith(SETTING):
            continue
        name = key.removeprefix(SETTING)
        if name not in known:
            raise click.UsageError(f"{_option(name)} is not an option of {algorithm.name} for {task}")
        settings[name] = known[name].parse(text)
    return settings
