"""matplotlib: real boxes of words do not touch, at any size of axes; files are the same each time; fonts are found."""

from __future__ import annotations

import builtins
import io
import logging
import subprocess
import sys
import threading

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor, datasets
from boxwood.errors import BoxwoodWarning, FileError, FontWarning, NotAvailableError, ParameterError, ParameterTypeError
from boxwood.model.readable import readable
from boxwood.pictures import axes as painting
from boxwood.pictures import fonts
from pictures.boxes import touching
from tree.random_trees import random_tree

pytest.importorskip("matplotlib")
# Machines without a font for Chinese draw boxes and report it.
pytestmark = [
    pytest.mark.filterwarnings("ignore:no installed font"),
    pytest.mark.filterwarnings("ignore:Glyph .* missing from"),
]


@pytest.fixture(scope="module")
def titanic():
    X = datasets.load("titanic")
    y = X.pop("survived")
    return CARTClassifier().fit(X, y)


def real_boxes(ax) -> list[tuple]:
    """Boxes around the words in pixels, as they are painted."""
    ax.figure.canvas.draw()
    boxes = []
    for text in ax.texts:
        box = text.get_window_extent()
        # Ascent and descent of a line: the box around a font's line is higher than any of its signs.
        boxes.append((box.x0, box.y0, box.x1, box.y1, text.get_text()))
    return boxes


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ["classes", "mean", "rate"])
@pytest.mark.parametrize("content", ["bars", "counts", "text"])
def test_words_do_not_touch(kind, content):
    ax = readable(random_tree(5, kind, 41)).plot(content=content, title="标题")
    boxes = real_boxes(ax)
    assert len(boxes) > 60
    assert touching(boxes, slack=0.6) == []
    width, height = ax.figure.bbox.size
    assert all(b[0] >= 0 and b[1] >= 0 and b[2] <= width and b[3] <= height for b in boxes)


@pytest.mark.parametrize("size", [(2.6, 2.0), (4.0, 9.0), (20.0, 15.0)])
def test_texts_shrink_and_grow_with_the_axes(titanic, size):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    ax = FigureCanvasAgg(Figure(figsize=size)).figure.subplots()
    assert titanic.plot(ax=ax) is ax
    boxes = real_boxes(ax)
    assert touching(boxes, slack=0.6) == []
    frame = ax.get_window_extent()
    assert all(b[0] >= frame.x0 - 1 and b[2] <= frame.x1 + 1 for b in boxes)


def test_texts_follow_a_zoom(titanic):
    ax = titanic.plot()
    before = real_boxes(ax)
    ax.set_xlim(0, ax.get_xlim()[1] / 2)
    ax.set_ylim(ax.get_ylim()[0] / 2, 0)
    after = real_boxes(ax)
    assert after[0][2] - after[0][0] == pytest.approx(2 * (before[0][2] - before[0][0]), rel=0.05)


def test_signs_of_formulas_are_signs():
    ax = CARTRegressor(pruning=None).fit({"$x_1^2$": [1, 2, 3]}, [0, 1, 5]).plot()
    texts = {text.get_text(): text for text in ax.texts}
    assert "$x_1^2$" in texts
    assert not texts["$x_1^2$"].get_parse_math()


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_the_same_picture_gives_the_same_file(titanic, kind, tmp_path):
    files = [tmp_path / f"{name}.{kind}" for name in "ab"]
    for file in files:
        titanic.plot(file, content="counts", theme="dark", dpi=50)
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert first.startswith({"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<svg"}[kind])


def test_resolution_and_size_of_a_png(titanic, tmp_path):
    sizes = []
    for dpi in (36, 72):
        titanic.plot(tmp_path / "tree.PNG", dpi=dpi)
        data = (tmp_path / "tree.PNG").read_bytes()
        sizes.append((int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")))
    width, height = (float(part) for part in titanic.to_svg().split('viewBox="0 0 ')[1].split('"')[0].split())
    assert abs(sizes[1][0] - width) <= 1
    assert abs(sizes[1][1] - height) <= 1
    assert abs(2 * sizes[0][0] - sizes[1][0]) <= 2


def test_what_cannot_be_written_is_refused(titanic, tmp_path):
    with pytest.raises(ParameterError, match=r"path must end in \.svg, \.png or \.pdf.*got 'tree.gif'"):
        titanic.plot("tree.gif")
    with pytest.raises(ParameterTypeError, match="path must be a file name; got 3"):
        titanic.plot(3)
    with pytest.raises(ParameterError, match="dpi must be a number from 1 to 2400; got 0"):
        titanic.plot(tmp_path / "tree.png", dpi=0)
    with pytest.raises(ParameterTypeError, match="dpi must be a number of pixels"):
        titanic.plot(tmp_path / "tree.png", dpi="high")
    with pytest.raises(FileError, match="cannot write"):
        titanic.plot(tmp_path / "nowhere" / "tree.svg")
    figure = painting.new_axes("plot", (72.0 * 100, 72.0)).figure
    with pytest.raises(ParameterError, match=r"a PNG of 120000 pixels.*max_leaves"):
        painting.figure_bytes(figure, "png", 1200)


def test_svg_needs_no_matplotlib_and_the_rest_reports_what_it_needs(titanic, monkeypatch, tmp_path):
    real = builtins.__import__

    def absent(name, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    titanic.plot(tmp_path / "tree.svg")
    for draw in (titanic.plot, titanic.plot_importance, titanic.plot_pruning):
        with pytest.raises(NotAvailableError, match="needs matplotlib; install it with: pip install matplotlib"):
            draw()
    with pytest.raises(NotAvailableError, match="plot needs matplotlib"):
        titanic.plot(tmp_path / "tree.png")


def test_pyplot_stays_unloaded():
    code = (
        "import sys; from boxwood import CARTClassifier\n"
        "m = CARTClassifier(pruning=None).fit([[1], [2]], [0, 1]); m.to_svg()\n"
        "assert 'matplotlib' not in sys.modules\n"
        "m.plot(); m.plot_importance(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_the_usual_font_comes_first_and_alone_where_it_is_enough():
    assert fonts.families(["age ≤ 9.5", "été", "возраст"]) == ["DejaVu Sans"]


def test_an_installed_font_is_taken_for_what_the_usual_one_lacks(monkeypatch):
    signs = {
        "DejaVu Sans": frozenset("abc"),
        "Pictures": frozenset("z"),
        "Wide": frozenset("年龄z"),
        "Noto Sans CJK JP": frozenset("年"),
    }
    monkeypatch.setattr(fonts, "_signs_of", signs.__getitem__)
    monkeypatch.setattr(fonts, "_installed", lambda: ["Noto Sans CJK JP", "Pictures", "Wide"])
    assert fonts.families(["a 年龄"]) == ["DejaVu Sans", "Noto Sans CJK JP", "Wide"]
    assert fonts.families(["b"]) == ["DejaVu Sans"]
    with pytest.warns(FontWarning, match=r"no installed font has 2 of the characters .* such as '가나'; install one"):
        assert fonts.families(["가나 z"]) == ["DejaVu Sans", "Pictures"]
    assert issubclass(FontWarning, BoxwoodWarning)


def test_a_font_of_boxes_is_no_font_for_any_character(monkeypatch):
    from matplotlib.font_manager import FontEntry, fontManager

    boxes = "Last Resort High-Efficiency"
    entries = [FontEntry(name=name, style="normal") for name in (boxes, ".LastResort", "Adobe Blank", fonts.USUAL)]
    monkeypatch.setattr(fontManager, "ttflist", entries)
    monkeypatch.setattr(fontManager, "addfont", lambda file: None)
    monkeypatch.setattr(fonts, "_signs_of", lambda name: frozenset("abc" if name == fonts.USUAL else "年龄"))
    with pytest.warns(FontWarning, match="no installed font has 2 of the characters"):
        assert fonts.families(["年龄"]) == [fonts.USUAL]


def test_preferred_fonts_are_tried_first():
    found = fonts._installed()
    assert fonts.USUAL not in found
    wanted = [name for name in found if name.startswith("Noto Sans CJK")]
    assert found[: len(wanted)] == wanted
    assert fonts._signs_of("No Font Of This Name") == frozenset()
    assert "a" in fonts._signs_of(fonts.USUAL)


def test_dark_pictures_are_dark(titanic):
    ax = titanic.plot(theme="dark")
    file = io.BytesIO()
    ax.figure.savefig(file, format="raw", dpi=30)
    pixels = np.frombuffer(file.getvalue(), np.uint8).reshape(-1, 4)
    assert np.median(pixels[:, :3]) < 60


def test_a_font_without_a_bold_face_is_drawn_without_messages(monkeypatch, caplog):
    # As most fonts for Chinese; this one comes with matplotlib.
    monkeypatch.setattr(painting, "families", lambda texts: [fonts.USUAL, "cmr10"])
    logger = logging.getLogger("matplotlib.font_manager")
    before = logger.filters[:]
    ax = CARTClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).plot()
    assert any(text.get_fontweight() == "bold" for text in ax.texts)
    ax.figure.savefig(io.BytesIO())
    other = painting.new_axes("plot")
    other.set_title("a", fontfamily="cmr10", fontweight="bold")
    painting.figure_bytes(other.figure, "png")
    assert [record.getMessage() for record in caplog.records if "findfont" in record.msg] == []
    assert logger.filters == before


def test_only_messages_about_weights_of_this_thread_are_unsaid(caplog):
    logger, message = logging.getLogger("matplotlib.font_manager"), "findfont: Failed to find font weight %s for %s."
    with fonts.missing_weights_unsaid():
        logger.warning(message, "bold", "here")
        logger.warning("findfont: Font family %r not found.", "there")
        beside = threading.Thread(target=logger.warning, args=(message, "bold", "there"))
        beside.start()
        beside.join()
    logger.warning(message, "bold", "afterwards")
    assert [record.args[-1] for record in caplog.records] == ["there", "there", "afterwards"]
