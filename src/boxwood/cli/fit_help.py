"""The help of `boxwood fit`: the options that everybody needs, or all those of one algorithm, in groups."""

from __future__ import annotations

import click

from .command_help import write_group

#: The options that everybody needs, by group; those of algorithms are those of CART.
BASIC = {
    "Data": ("target", "target_class", "task", "drop", "categorical", "missing_values", "sample_weight"),
    "Tree": ("algorithm", "criterion", "max_depth", "min_samples_leaf", "class_weight", "missing", "pruning"),
    "Result": ("output", "evaluate", "force", "as_json", "quiet"),
    "Running": ("random_state", "n_jobs", "help"),
}
#: The groups of all options of one algorithm; what is named nowhere is in the group "Tree" or "Model".
GROUPS = {
    "Data": (
        "target", "target_class", "task", "drop", "categorical", "numeric", "dates", "missing_values", "missing_target",
        "sample_weight", "exposure", "identifiers", "encoding", "sheet", "skip_rows",
        "header_rows",
    ),
    "Missing and new values": ("missing", "unseen", "max_surrogates", "surrogate_style"),
    "Pruning": (
        "pruning", "ccp_alpha", "ccp_risk", "confidence", "raising", "backward", "max_kept", "cv_folds", "penalty",
        "theory_weight",
    ),
    "Result": ("output", "evaluate", "force", "as_json", "quiet", "debug"),
    "Running": ("random_state", "n_jobs", "verbose", "memory", "engine", "help"),
}  # fmt: skip


def examples_of(requested: str) -> tuple[str, ...]:
    """The examples of an algorithm, by any of its names.

    Examples
    --------
    >>> from boxwood.cli.fit_help import examples_of
    >>> examples_of("C4.5")[0]
    'boxwood fit titanic.csv --target survived --algorithm c45 --min-branch-weight 10 -o c45.box'
    """
    from ..algorithms.named import algorithm_named

    return tuple(f"boxwood fit titanic.csv {words}" for words in algorithm_named(requested).examples)


def algorithm_given(words: list[str]) -> str | None:
    """The value of --algorithm among the words of a command line, wherever it is.

    Examples
    --------
    >>> from boxwood.cli.fit_help import algorithm_given
    >>> algorithm_given(["--help", "--algorithm", "chaid"]), algorithm_given(["--algorithm=c45"]), algorithm_given([])
    ('chaid', 'c45', None)
    """
    for word, following in zip(words, [*words, None][1:], strict=True):
        if word == "--algorithm":
            return following
        if word.startswith("--algorithm="):
            return word.partition("=")[2]
    return None


def write_fit_help(command, ctx: click.Context, formatter: click.HelpFormatter, requested: str | None) -> None:
    """Write the options of fit, in groups.

    Parameters
    ----------
    command : FitCommand
    ctx : click.Context
    formatter : click.HelpFormatter
    requested : str or None
        The algorithm whose options are all shown; None shows the basic ones.
    """
    from ..algorithms import REGISTRY
    from ..algorithms.named import algorithm_named

    algorithm = algorithm_named(requested or "cart")
    options = {option.name: option for option in command.own_options(ctx)}
    options |= {option.name: option for option in command.options_for(algorithm)}
    named = {name.removeprefix("setting_"): option for name, option in options.items()}
    named["help"] = named.pop(next(name for name, option in named.items() if "--help" in option.opts))
    for title, names in (BASIC if requested is None else _all_groups(algorithm.name, named)).items():
        write_group(title, [named[name] for name in names if name in named], ctx, formatter)
    others = ", ".join(REGISTRY)
    formatter.write_paragraph()
    formatter.write_text(
        f"To list all options of an algorithm: boxwood fit --algorithm NAME --help. NAME is one of {others}."
        if requested is None
        else """Write lists and dicts as JSON in single quotes: '["sex", "class"]', '{"yes": 2}'."""
    )


def _all_groups(name: str, named: dict) -> dict[str, tuple[str, ...]]:
    """The groups with the parameters of one algorithm, the tree's own after the data."""
    listed = {option for names in GROUPS.values() for option in names}
    title = "Model" if name == "mars" else "Tree"
    rest = ("algorithm", *(option for option in named if option not in listed and option != "algorithm"))
    data, *others = GROUPS.items()
    return dict([data, (title, rest), *others])
