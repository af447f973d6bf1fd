"""Models of several responses on the command line: a model file of one of them."""

from __future__ import annotations

from pathlib import Path

import click

from .command_help import ExampleCommand
from .options import FILE, common
from .output import print_json
from .paths import check_new_file, load_tree

#: Options of an evaluation that read one response.
_OF_ONE = ("target_class", "threshold", "thresholds", "exposure", "by", "chart", "amount", "figure")


def check_of_one(model, options: dict) -> None:
    """Raise click.UsageError for options of an evaluation that read one response, if the model has several."""
    given = [name for name in _OF_ONE if options.get(name)]
    if model.responses and given:
        raise click.UsageError(
            f"--{given[0].replace('_', '-')} reads one response, and the model predicts {len(model.responses)}; "
            "write a model of one of them with `boxwood response`"
        )


@click.command(
    cls=ExampleCommand,
    short_help="Write a model of one of several responses.",
    examples=(
        "boxwood response family.box parents_children -o parents.box",
        "boxwood response family.box siblings_spouses -o siblings.box --json",
    ),
)
@click.argument("model", type=FILE)
@click.argument("response")
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE", help="The model file of the response.")
@common
def response(model, response, output, **options) -> None:
    """Write a model that predicts one RESPONSE of those in a MODEL file, by the same tree.

    A tree that was fitted to several targets (--target a,b) has one split for all. The commands that read one target,
    such as export, explain and rules, take the model of one of them.
    """
    from ..model.one_response import model_of_response

    check_new_file(output, model)
    found = model_of_response(load_tree(model), response)
    found.save(output)
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json({"model": model, "response": response, "written": output})
        return
    click.echo(f"Wrote {output} ({Path(output).stat().st_size / 1000:.1f} kB): {found.response_name} alone.")
