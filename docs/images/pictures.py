"""Draws the pictures of README.md and of the pages: `python docs/images/pictures.py` writes them beside itself."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import theory_pictures
from theory_pictures import Named

import boxwood
from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, datasets
from boxwood.cli import main as command


def table(name: str, target: str) -> tuple[dict, Named]:
    """A bundled table: features, and the response with its name."""
    X = datasets.load(name)
    return X, Named(target, np.asarray(X.pop(target)).tolist())


def titanic_by_commands() -> str:
    """The picture at the top of README.md, by the commands shown there."""
    with tempfile.TemporaryDirectory() as folder:
        model, picture = str(Path(folder) / "titanic.box"), Path(folder) / "titanic.svg"
        command(["fit", str(datasets.path("titanic")), "--target", "survived", "-o", model, "--quiet"])
        command(["plot", model, "-o", str(picture), "--quiet"])
        return picture.read_text(encoding="utf-8")


def pictures() -> dict[str, str]:
    """Name of a file -> its SVG."""
    titanic, survived = table("titanic", "survived")
    cart = CARTClassifier().fit(titanic, survived)
    full = CARTClassifier(pruning=None).fit(titanic, survived)
    iris, species = table("iris", "species")
    black_cherry, volume = table("trees", "volume")
    melons, ripe = table("watermelon_2", datasets.describe("watermelon_2").target)
    melons.pop("编号")  # the number of the melon
    return {
        "titanic.svg": titanic_by_commands(),
        "picture_histogram.svg": cart.to_svg(titanic, survived, content="histogram", max_depth=2),
        "picture_counts.svg": CARTClassifier().fit(iris, species).to_svg(content="counts", direction="right"),
        "picture_mean.svg": CARTRegressor(max_depth=2, pruning=None).fit(black_cherry, volume).to_svg(),
        "picture_chaid.svg": CHAIDClassifier().fit(titanic, survived).to_svg(theme="dark"),
        "picture_folded.svg": full.to_svg(max_leaves=7, title=f"{full.get_n_leaves()} leaves, folded"),
        "picture_regions.svg": CARTClassifier().fit(iris, species).plot_regions(iris, species).svg,
        "picture_slice.svg": CARTClassifier(max_leaf_nodes=6)
        .fit(titanic, survived)
        .plot_regions(
            titanic,
            survived,
            features=["age", "siblings_spouses"],
            fixed={"sex": "male", "class": "3rd"},
            target_class="yes",
        )
        .svg,
        "picture_melon.svg": C45Classifier(min_branch_weight=1).fit(melons, ripe).to_svg(title="西瓜数据集 2.0"),
    }


def charts() -> dict:
    """Name of a file -> axes of matplotlib."""
    titanic, survived = table("titanic", "survived")
    model = CARTClassifier().fit(titanic, survived)
    new, truth = table("titanic_new", "survived")
    return {
        "picture_importance.png": model.plot_importance(),
        "picture_pruning.png": model.plot_pruning(),
        "picture_gains.png": model.plot_gains(new, truth, "yes"),
    }


def main() -> None:
    """Write every file."""
    here = Path(__file__).parent
    for name, svg in (pictures() | theory_pictures.pictures()).items():
        (here / name).write_text(svg, encoding="utf-8")
    for name, ax in charts().items():
        ax.figure.set_size_inches(5.6, 3.4 if name != "picture_importance.png" else 2.2)
        ax.figure.savefig(here / name, dpi=100, metadata={"Software": None})


if __name__ == "__main__":
    print(f"boxwood {boxwood.__version__}")
    main()
