"""Options that act only beside others, and options that exclude each other: one that would do nothing is refused."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatch

import click
from click.core import ParameterSource


def check_together(ctx: click.Context, goes_with: Mapping[str, str], not_with: Mapping[str, str]) -> None:
    """Refuse an option that the user gave and that would do nothing.

    Parameters
    ----------
    ctx : click.Context
    goes_with : mapping of str to str
        Option -> the options, or arguments in capitals, of which one must be given: "--interval", "--format sql",
        "-o *.png", "--validation or --learning".
    not_with : mapping of str to str
        Option -> the options of which none may be given.

    Raises
    ------
    click.UsageError
        The message names both options.
    """
    for option, others in goes_with.items():
        if _is_given(ctx, option) and not any(_holds(ctx, other) for other in others.split(" or ")):
            raise click.UsageError(f"{option} goes with {others}", ctx)
    for option, others in not_with.items():
        for other in others.split(" or "):
            if _is_given(ctx, option) and _holds(ctx, other):
                raise click.UsageError(f"{option} and {other} exclude each other; leave one out", ctx)


def _is_given(ctx: click.Context, option: str) -> bool:
    return ctx.get_parameter_source(_parameter(ctx, option).name) is ParameterSource.COMMANDLINE


def _holds(ctx: click.Context, words: str) -> bool:
    """Whether an option has the value after its name, which may be a pattern, or one that is not its default."""
    option, _, value = words.partition(" ")
    parameter = _parameter(ctx, option)
    given = ctx.params[parameter.name]
    if value:
        return fnmatch(str(given).lower(), value)
    return bool(given) and given != parameter.get_default(ctx)


def _parameter(ctx: click.Context, word: str) -> click.Parameter:
    """The parameter of an option such as --level, or of an argument such as DATA."""
    return next(p for p in ctx.command.params if word in p.opts or (p.name == word.lower() and word.isupper()))
