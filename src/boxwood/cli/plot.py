"""The command plot: draws a tree, importances, pruning and gains."""

from __future__ import annotations

from pathlib import Path

import click

from .options import FILE, common
from .output import collected_notes, print_json
from .paths import check_new_file, load_tree
from .tables import reads_responses

#: What can be drawn, and whether it needs rows.
WHAT = ("tree", "importance", "pruning", "gains", "lift")
#: Options that only some of them take.
_ONLY = {
    "tree": (
        "max_depth", "max_leaves", "min_share", "content", "direction", "node_size", "align_leaves", "fit",
        "target_class", "theme", "title", "node_numbers", "digits",
    ),
    "importance": ("kind", "top"),
    "gains": ("target_class", "weight"),
}  # fmt: skip
_ONLY |= {"lift": _ONLY["gains"], "pruning": ()}


class LeavesOrAll(click.ParamType):
    """A whole number of at least 1, or the word all."""

    name = "N|all"

    def convert(self, value, param, ctx):
        """The number; "all" stays."""
        return value if value == "all" else click.IntRange(min=1).convert(value, param, ctx)


@click.command(short_help="Draw a tree, importance, pruning or gains.")
@click.argument("model", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE", help="The picture: .svg, .png or .pdf.")
@click.option("--what", type=click.Choice(WHAT), default="tree", show_default=True, help="What to draw.")
@click.option("--data", type=FILE, metavar="DATA", help="Rows for --content histogram, gains and lift.")
@click.option("--max-depth", type=click.IntRange(min=0), metavar="N", help="Draw down to depth N.")
@click.option("--max-leaves", type=LeavesOrAll(), metavar="N|all", help="Draw at most N leaves. Default: 30.")
@click.option("--min-share", type=click.FloatRange(0, 1), metavar="X", help="Fold nodes with a smaller share of rows.")
@click.option("--content", type=click.Choice(["bars", "counts", "histogram", "text"]), help="What to show in a node.")
@click.option("--direction", type=click.Choice(["down", "right"]), help="Where the leaves lie. Default: down.")
@click.option("--node-size", type=click.Choice(["normal", "small"]), help="Size of nodes. Default: normal.")
@click.option("--align-leaves", is_flag=True, default=None, help="Draw all leaves in one row.")
@click.option("--fit", type=click.Choice(["page"]), help="Fit the tree to an A4 page.")
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), help="Colours. Default: as the viewer's system.")
@click.option("--title", metavar="TEXT", help="The title.")
@click.option("--node-numbers", is_flag=True, default=None, help="Write the number of each node.")
@click.option("--digits", type=click.IntRange(min=1), metavar="N", help="Digits of thresholds without neighbours.")
@click.option("--dpi", type=click.FloatRange(1, 2400), default=144, show_default=True, metavar="X", help="For PNG.")
@click.option("--kind", type=click.Choice(["mdi", "mdi+surrogates"]), help="Of importance. Default: mdi.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Draw at most N bars of importance. Default: 20.")
@click.option("--target-class", metavar="LABEL", help="Colour a tree by its probability; of gains, lift.")
@click.option("--weight", metavar="COLUMN", help="Column of weights of the rows, for gains and lift.")
@click.option("--open", "show", is_flag=True, help="Show the picture when it is written.")
@reads_responses
@common
def plot(model, output, what, **options) -> None:
    """Draw the tree of a MODEL file, its importances, pruning or gains, as SVG, PNG or PDF."""
    from ..pictures.files import kind_of

    if output == "-":
        raise click.UsageError("-o must be a file: its ending says which kind of picture is written")
    some = {name for names in _ONLY.values() for name in names}
    given = {name: value for name, value in options.items() if name in some and value is not None}
    for name in given:
        if name not in _ONLY[what]:
            raise click.UsageError(f"--{name.replace('_', '-')} is no option of --what {what}")
    data = options["data"]
    if (data is not None) != (what in ("gains", "lift") or given.get("content") == "histogram"):
        needs = "is for --content histogram, gains and lift" if data else f"is needed by --what {what}"
        raise click.UsageError(f"--data {needs if data or what != 'tree' else 'is needed by --content histogram'}")
    kind_of(output)
    check_new_file(output, model, *([data] if data else []))
    loaded = load_tree(model)
    with collected_notes() as notes:
        facts = _draw(loaded, what, given, (output, data, options["dpi"]))
    facts = {"model": model, "what": what, **facts, "notes": list(dict.fromkeys(notes)), "written": output}
    _say(facts, options)


def _draw(loaded, what: str, given: dict, files: tuple) -> dict:
    """Write the picture; what there is to say of it."""
    output, data, dpi = files
    if what == "tree":
        return _draw_tree(loaded, given, files)
    from ..pictures.axes import figure_bytes
    from ..pictures.files import kind_of
    from ..tree.atomic import write_atomically

    if what == "importance":
        ax = loaded.tree.plot_importance(**given)
    elif what == "pruning":
        from ..model.pruning_path import pruning_sequence

        ax = pruning_sequence(loaded).plot()
    else:
        ax = _draw_gains(loaded, what, given, data)
    write_atomically(output, figure_bytes(ax.figure, kind_of(output), dpi))
    return {}


def _draw_tree(loaded, given: dict, files: tuple) -> dict:
    from ..model.plotting_mixin import save_tree
    from ..pictures.folding import shown_nodes
    from ..pictures.options import picture_options

    output, data, dpi = files
    options = dict(given)
    if options.get("max_leaves") == "all":
        options["max_leaves"] = None
    if "target_class" in options:
        options["target_class"] = _label(loaded, options["target_class"])
    X = y = None
    if data is not None:
        X, table, name = _rows(loaded, data)
        if loaded.tree.response.kind != "rate":
            y = _response(loaded, table, name)
    save_tree(loaded.tree, output, X, y, dpi, loaded.settings.get("unseen", "missing"), **options)
    shown = len(shown_nodes(loaded.tree, picture_options(options)).nodes)
    return {"nodes": loaded.tree.n_nodes, "shown": shown}


def _rows(loaded, data: str) -> tuple:
    """Columns as the model reads them, the table they are from, and its name."""
    from .inputs import about, read_new_data, shown_name

    with about(shown_name(data)):
        table, columns = read_new_data(data, loaded, with_response=True)
    return columns, table, shown_name(data)


def _response(loaded, table, name: str):
    from .inputs import check_column, response

    check_column(table, loaded.response_name, name)
    return response(table, loaded.response_name, name)


def _label(loaded, text: str | None):
    """The class label that is written like this; what is none stays, for the message."""
    return {str(label): label for label in loaded.labels}.get(text, text)


def _draw_gains(loaded, what: str, given: dict, data: str):
    from ..data.weights import relative_weights
    from ..pictures.gains_chart import gains_of, plot_gains, target_code
    from .inputs import about, numbers_of

    columns, table, name = _rows(loaded, data)
    target = target_code(loaded.tree, _label(loaded, given.get("target_class")))
    y = _response(loaded, table, name)
    with about(name):
        weight = numbers_of(table, given.get("weight"), "weight", name)
        weight = None if weight is None else relative_weights(weight.to_numpy(), columns.n)
        curve = gains_of(loaded.tree, loaded.route(columns), y, target, weight)
    return plot_gains(loaded.tree, curve, target, what)


def _say(facts: dict, options: dict) -> None:
    """Tell what was written, and show it if asked."""
    if options["show"]:
        import webbrowser

        webbrowser.open(Path(facts["written"]).resolve().as_uri())
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json(facts)
        return
    for note in facts["notes"]:
        click.echo(f"Note: {note}", err=True)
    folded = facts.get("nodes", 0) - facts.get("shown", 0)
    more = f"; {folded} nodes are folded away, --max-leaves all shows them" if folded else ""
    click.echo(f"Wrote {facts['written']}: {facts['what']}{more}.")
