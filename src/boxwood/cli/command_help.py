"""The class of commands; their help: groups of options, and examples at the end that a reader can run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click

from ..errors import BoxwoodError, FileError, ParameterError, ParameterTypeError
from .together import check_together

#: Settings of the library under another name than the option: long option -> (setting, its words).
_OTHER_NAMES = {"--output": ("path", "-o"), "--chart": ("path", "--chart"), "--pruner": ("pruning", "--pruner")}

EPILOG = "Exit codes: 0 success, 1 a problem with data, model or file, 2 wrong usage, 130 interrupted."

#: What `boxwood` alone prints.
START = """boxwood fits decision trees to tables, and prints, draws, evaluates and exports them.

Start with your own table and the name of the column to predict:

  boxwood fit data.csv --target COLUMN -o model.box     fit a tree
  boxwood show model.box                                print it
  boxwood evaluate model.box test.csv                   evaluate it on other rows
  boxwood explore model.box test.csv                    write a page to explore it

Or use a bundled table. The examples in the help use it, too:

  cp "{titanic}" "{titanic_new}" .
  boxwood fit titanic.csv --target survived -o titanic.box

All commands:     boxwood --help
One command:      boxwood fit --help
Tab completion:   docs/command_line.md"""


class ExampleCommand(click.Command):
    """A command whose help ends with examples.

    Parameters
    ----------
    examples : tuple of str
        Command lines for the bundled tables; a test runs them.
    goes_with, not_with : mapping of str to str, optional
        Options that need others, and options that exclude others, as in :func:`check_together`.
    """

    def __init__(
        self, *arguments, examples: tuple[str, ...] = (), goes_with: Mapping[str, str] | None = None,
        not_with: Mapping[str, str] | None = None, **more,
    ) -> None:  # fmt: skip
        super().__init__(*arguments, **more)
        self.examples = examples
        self.goes_with, self.not_with = dict(goes_with or {}), dict(not_with or {})

    def shown_examples(self, _ctx: click.Context) -> tuple[str, ...]:
        """The examples for this call of the help."""
        return self.examples

    def invoke(self, ctx: click.Context):
        """Run the command; an error names options in the place of arguments."""
        check_together(ctx, self.goes_with, self.not_with)
        try:
            return super().invoke(ctx)
        except BoxwoodError as error:
            from .wording import in_options

            of_data = not isinstance(error, (FileError, ParameterError, ParameterTypeError))
            raise type(error)(in_options(error.message, self.settings_of(ctx), from_one=of_data)) from error

    def settings_of(self, ctx: click.Context) -> dict[str, str]:
        """The option of each setting."""
        options = [option for option in self.get_params(ctx) if isinstance(option, click.Option)]
        names = [max(option.opts, key=len) for option in options]
        other = dict(_OTHER_NAMES[name] for name in names if name in _OTHER_NAMES)
        return other | {name.removeprefix("--").replace("-", "_"): name for name in names}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, one line each."""
        if examples := self.shown_examples(ctx):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write("Examples:\n" + "".join(f"  {line}\n" for line in examples))


def where_to_begin() -> str:
    """What `boxwood` alone prints, with the places of the bundled tables."""
    from ..data.datasets import path

    return START.format(titanic=path("titanic"), titanic_new=path("titanic_new"))


def write_group(title: str, options: Iterable[click.Parameter], ctx: click.Context, formatter) -> None:
    """Write some options under a title; nothing when there are none."""
    records = [record for option in options if (record := option.get_help_record(ctx)) is not None]
    if records:
        with formatter.section(title):
            formatter.write_dl(records)
