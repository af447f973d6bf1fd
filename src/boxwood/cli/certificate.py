"""The command certificate: a proof that predictions keep an order, or two rows that show that they do not."""

from __future__ import annotations

import click

from .command_help import ExampleCommand
from .options import FILE, common
from .output import print_json
from .paths import load_tree
from .status import working


@click.command(
    cls=ExampleCommand,
    short_help="Prove that predictions rise or fall along features.",
    examples=(
        "boxwood certificate titanic.box --monotonic-cst siblings_spouses=-1 --gaps all",
        "boxwood certificate titanic.box --monotonic-cst fare=-1,parents_children=1",
    ),
)
@click.argument("model", type=FILE)
@click.option(
    "--monotonic-cst", metavar="NAME=SIGN,...",
    help="The order, such as income=+1,age=-1, or as JSON. Default: that of the fit.",
)  # fmt: skip
@click.option(
    "--gaps", type=click.Choice(["training", "all", "none"]), default="training", show_default=True,
    help="Features whose values rows may lack: those that lacked values when the tree was fitted with an order, "
    "all, or none.",
)  # fmt: skip
@common
def certificate(model, monotonic_cst, gaps, **options) -> None:
    """Prove that the predictions of a tree keep an order for all rows that there can be.

    If they do not, two rows in the wrong order are printed, and the exit code is 1.
    """
    from ..algorithms.shared_parameters import MONOTONIC_CST
    from ..views.certificate import certificate as certified

    loaded = load_tree(model)
    order = None if monotonic_cst is None else MONOTONIC_CST.parse(monotonic_cst)
    with working("Comparing the leaves ..."):
        found = certified(loaded.tree, order, gaps, **loaded.policies)
    if options["as_json"]:
        print_json({"model": model} | found.to_dict())
    elif not options["quiet"]:
        click.echo(found.to_text())
    if not found.holds:
        click.get_current_context().exit(1)
