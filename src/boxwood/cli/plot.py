"""The command plot: draws a tree, its regions, importances, pruning and gains."""

from __future__ import annotations

from pathlib import Path

import click

from .command_help import ExampleCommand
from .options import FILE, LABEL, common
from .output import collected_notes, print_json
from .paths import check_new_file, load_tree
from .status import status
from .tables import OF_RESPONSES, reads_responses

#: What can be drawn, and whether it needs rows.
WHAT = ("tree", "regions", "importance", "pruning", "gains", "lift")
#: Pictures of rows.
_OF_ROWS = ("regions", "gains", "lift")
#: Options that only some of them take.
_ONLY = {
    "tree": (
        "max_depth", "max_leaves", "min_share", "content", "direction", "node_size", "align_leaves", "fit",
        "target_class", "theme", "title", "node_numbers",
    ),
    "importance": ("kind", "top"),
    "gains": ("target_class", "sample_weight"),
    "regions": ("target_class", "features", "fixed"),
}  # fmt: skip
_ONLY |= {"lift": _ONLY["gains"], "pruning": ()}


class LeavesOrAll(click.ParamType):
    """A whole number of at least 1, or the word all."""

    name = "N|all"

    def convert(self, value, param, ctx):
        """The number; "all" stays."""
        return value if value == "all" else click.IntRange(min=1).convert(value, param, ctx)


@click.command(
    cls=ExampleCommand,
    short_help="Draw a tree, regions, importance, pruning or gains.",
    examples=(
        "boxwood plot titanic.box -o titanic.svg",
        "boxwood plot titanic.box -o gains.svg --what gains --data titanic_new.csv --target-class yes",
    ),
    goes_with={"--dpi": "-o *.png or -o *.pdf"} | dict.fromkeys(OF_RESPONSES, "--data"),
)
@click.argument("model", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE", help="The image file: .svg, .png or .pdf.")
@click.option("--what", type=click.Choice(WHAT), default="tree", show_default=True, help="What to draw.")
@click.option("--data", type=FILE, metavar="DATA", help="Rows for regions, gains, lift and --content histogram.")
@click.option("--max-depth", type=click.IntRange(min=0), metavar="N", help="Draw nodes down to depth N.")
@click.option("--max-leaves", type=LeavesOrAll(), metavar="N|all", help="Draw at most N leaves. Default: 30.")
@click.option(
    "--min-share", type=click.FloatRange(0, 1), metavar="X", help="Fold nodes with a smaller proportion of the rows."
)
@click.option("--content", type=click.Choice(["bars", "counts", "histogram", "text"]), help="Content of the nodes.")
@click.option(
    "--direction", type=click.Choice(["down", "right"]), help="Direction from the root to the leaves. Default: down."
)
@click.option("--node-size", type=click.Choice(["normal", "small"]), help="Size of the nodes. Default: normal.")
@click.option("--align-leaves", is_flag=True, default=None, help="Draw all leaves in one row.")
@click.option("--fit", type=click.Choice(["page"]), help="Choose a layout that fits on an A4 page.")
@click.option(
    "--theme", type=click.Choice(["auto", "light", "dark"]), help="Colour theme. Default: that of the viewer's system."
)
@click.option("--title", metavar="TEXT", help="Title of the picture.")
@click.option("--node-numbers", is_flag=True, default=None, help="Show node numbers.")
@click.option(
    "--dpi",
    type=click.FloatRange(1, 2400),
    default=144,
    show_default=True,
    metavar="X",
    help="Resolution of PNG files.",
)
@click.option("--kind", type=click.Choice(["mdi", "mdi+surrogates"]), help="Kind of importance. Default: mdi.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Maximum number of importance bars. Default: 20.")
@click.option(
    "--target-class",
    type=LABEL,
    metavar="LABEL",
    help="Colour the tree or the regions by the probability of this class; the class of gains and lift.",
)
@click.option("--sample-weight", metavar="COLUMN", help="Column of sample weights, for gains and lift.")
@click.option("--features", metavar="A,B", help="One or two features for the axes, for regions.")
@click.option(
    "--fixed", multiple=True, metavar="COLUMN=VALUE", help="Value at which another feature is held, for regions."
)
@click.option("--open", "show", is_flag=True, help="Open the picture after writing it.")
@reads_responses
@common
def plot(model, output, what, **options) -> None:
    """Draw a tree, its regions, importance, pruning or gains as SVG, PNG or PDF."""
    from ..pictures.files import kind_of

    if output == "-":
        raise click.UsageError("-o must be a file: its ending determines the kind of picture")
    some = {name for names in _ONLY.values() for name in names}
    given = {name: value for name, value in options.items() if name in some and value not in (None, ())}
    for name in given:
        if name not in _ONLY[what]:
            raise click.UsageError(f"--{name.replace('_', '-')} is not an option of --what {what}")
    data = options["data"]
    if (data is not None) != (what in _OF_ROWS or given.get("content") == "histogram"):
        needs = "is for --content histogram, regions, gains and lift" if data else f"is needed by --what {what}"
        raise click.UsageError(f"--data {needs if data or what != 'tree' else 'is needed by --content histogram'}")
    kind_of(output)
    check_new_file(output, model, *([data] if data else []))
    loaded = load_tree(model)
    with collected_notes() as notes, status(not options["quiet"]) as line:
        line.show(f"Drawing {output} ...")
        facts = _draw(loaded, what, given, (output, data, options["dpi"]))
    facts = {"model": model, "what": what, **facts, "notes": list(dict.fromkeys(notes)), "written": output}
    _print(facts, options)


def _draw(loaded, what: str, given: dict, files: tuple) -> dict:
    """Write the picture; the facts about it."""
    output, data, dpi = files
    if what == "tree":
        return _draw_tree(loaded, given, files)
    if what == "regions":
        return _draw_regions(loaded, given, files)
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
    from ..pictures.draw import tree_scene
    from ..pictures.files import save_scene
    from ..pictures.folding import shown_nodes
    from ..pictures.options import PictureOptions
    from ..pictures.rows import read_rows

    output, data, dpi = files
    options = PictureOptions(**given)
    X = y = None
    if data is not None:
        X, table, name = _rows(loaded, data)
        if loaded.tree.response.kind != "rate":
            y = _response(loaded, table, name)
    rows = None if X is None else read_rows(loaded.tree, X, y, loaded.settings.get("unseen", "missing"))
    save_scene(tree_scene(loaded.tree, options, rows), output, options.theme, dpi)
    shown = len(shown_nodes(loaded.tree, options).nodes)
    return {"nodes": loaded.tree.n_nodes, "shown": shown}


def _draw_regions(loaded, given: dict, files: tuple) -> dict:
    from .inputs import about

    output, data, dpi = files
    columns, table, name = _rows(loaded, data)
    y = None if loaded.tree.response.kind == "rate" else _response(loaded, table, name)
    features = [one.strip() for one in given["features"].split(",")] if "features" in given else None
    fixed = dict(_fixed(loaded, text) for text in given.get("fixed", ()))
    with about(name):
        picture = loaded.plot_regions(
            columns, y, features=features, fixed=fixed or None, target_class=given.get("target_class")
        )
    picture.save(output, dpi)
    return {}


def _fixed(loaded, text: str) -> tuple:
    """A column and its value from COLUMN=VALUE."""
    from ..data.columns.kinds.kind import ByKind

    names = [name for name in loaded.schema.names if text.startswith(f"{name}=")]
    if not names:
        raise click.UsageError(f"--fixed {text}: give COLUMN=VALUE, with the name of a column of the model")
    name = max(names, key=len)
    word, feature = text[len(name) + 1 :], loaded.schema[loaded.schema.names.index(name)]

    def number() -> float:
        try:
            return float(word)
        except ValueError:
            raise click.UsageError(f"--fixed {text}: {name} is numeric, and {word!r} is not a number") from None

    def level() -> object:
        return {str(level): level for level in feature.levels}.get(word, word)

    return name, ByKind(numeric=number, ordinal=level, nominal=level, temporal=lambda: word).of(feature)()


def _rows(loaded, data: str) -> tuple:
    """Columns as the model reads them, the table they are from, and its name."""
    from .inputs import about, read_new_data, shown_name

    with about(shown_name(data)):
        table, columns = read_new_data(data, loaded, with_response=True)
    return columns, table, shown_name(data)


def _response(loaded, table, name: str):
    from .responses import response_of

    return response_of(table, loaded, name)


def _draw_gains(loaded, what: str, given: dict, data: str):
    from ..data.frames.weights import relative_weights
    from ..pictures.gains_chart import gains_of, plot_gains
    from ..views.target import target_of
    from .inputs import about, numbers_of

    columns, table, name = _rows(loaded, data)
    target = target_of(loaded.tree.response).code(loaded.tree, given.get("target_class"))
    y = _response(loaded, table, name)
    with about(name):
        weight = numbers_of(table, given.get("sample_weight"), "weight", name)
        weight = None if weight is None else relative_weights(weight.to_numpy(), columns.n)
        curve = gains_of(loaded.tree, loaded.route(columns), y, target, weight)
    return plot_gains(loaded.tree, curve, target, what)


def _print(facts: dict, options: dict) -> None:
    """Print what was written, and show it if requested."""
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
