"""The arithmetic in text, LaTeX and HTML: same numbers, every name safe."""

from __future__ import annotations

import html.parser

import pytest

from boxwood import CARTClassifier
from boxwood.views.notation import HTML, LATEX, TEXT, number

NASTY = "<b>&_%$\\{}~^#|"


class Wellformed(html.parser.HTMLParser):
    """Remembers tags and complains about ones that do not close."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def found():
    X = {NASTY: [NASTY, NASTY, "ok", "ok", "ok"], "x": [1, 2, 3, 4, 5]}
    y = [NASTY, NASTY, "b", "b", NASTY]
    return CARTClassifier(pruning=None).fit(X, y).explain_split(X, y, 0)


def test_html_is_well_formed_and_escaped():
    text = found().to_html(measures="all")
    parser = Wellformed()
    parser.feed(text)
    assert not parser.open
    assert parser.seen == {"div", "h3", "section", "h4", "table", "tr", "th", "td", "p", "sub", "sup", "strong"}
    assert "<b>" not in text
    assert found()._repr_html_().startswith('<div class="boxwood-split">')


def test_latex_has_no_command_of_the_users():
    text = found().to_latex(measures="all")
    escaped = LATEX.escaped(NASTY)
    assert escaped in text
    assert NASTY not in text
    assert text.count(r"\begin{align*}") == text.count(r"\end{align*}") == 2
    depth = 0
    for i, sign in enumerate(text):
        if sign in "{}" and text[i - 1] != "\\":
            depth += 1 if sign == "{" else -1
            assert depth >= 0
    assert depth == 0


def test_all_notations_show_the_same_results():
    results = [line.rpartition(" = ")[2] for line in found().to_text("x", "all").splitlines() if " = " in line]
    latex, page = found().to_latex("x", "all"), found().to_html("x", "all")
    for result in results[1:]:
        assert f"= {result}" in latex
        assert f"= {result}</p>" in page


@pytest.mark.parametrize("notation", [TEXT, LATEX, HTML])
def test_small_numbers_keep_their_digits(notation):
    shown = notation.figure(0.0000123456, 3)
    assert shown == (r"1.23 \times 10^{-5}" if notation is LATEX else "1.23e-05")
    assert notation.figure(-0.0, 3) == "0"


def test_numbers_are_rounded_to_digits():
    assert [number(x, 2) for x in (0.126, 12.0, 1234.567, 0.001)] == ["0.13", "12", "1234.57", "1e-03"]


def test_long_sums_are_cut():
    X, y = {"x": [f"v{i}" for i in range(40)]}, ["a", "b"] * 20
    text = CARTClassifier(pruning=None).fit(X, y).explain_split(X, y, 0, branches="values").to_text("x")
    assert " + …" in text
