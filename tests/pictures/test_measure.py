"""Widths are never guessed too small, and texts are made to fit."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.pictures.measure import ELLIPSIS, fitted, text_width, wrapped


@pytest.mark.parametrize("bold", [False, True])
def test_no_character_is_wider_than_in_the_table(bold):
    manager = pytest.importorskip("matplotlib.font_manager")
    from matplotlib.ft2font import FT2Font

    wanted = manager.FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    font = FT2Font(manager.findfont(wanted))
    font.set_size(100, 72)
    wider = {}
    for code in font.get_charmap():
        sign = chr(code)
        # Letters, digits and signs that names are made of, in the alphabets that are written today.
        if unicodedata.category(sign)[0] not in "LNPSZ" or 0x1680 <= code < 0x1700 or code >= 0x2100:
            continue
        real = font.load_char(code).linearHoriAdvance / 65536 / 100
        if real > text_width(sign, 1.0, bold) + 1e-3:
            wider[sign] = real
    assert set(wider) <= {"‱", "₧"}, wider


def test_wide_characters_are_one_em_and_marks_are_nothing():
    assert text_width("年龄が서울", 10.0) == 50.0
    assert text_width("e\u0301", 10.0) == text_width("e", 10.0)
    assert text_width("W", 10.0, bold=True) > text_width("W", 10.0)


@settings(deadline=None)
@given(st.text(max_size=60), st.floats(15.0, 300.0))
def test_what_is_fitted_fits(text, most):
    found = fitted(text, 10.0, most)
    assert text_width(found, 10.0) <= most + 1e-9
    assert found == text or found.endswith(ELLIPSIS)


@settings(deadline=None)
@given(st.text(max_size=80), st.floats(15.0, 300.0), st.integers(1, 4))
def test_what_is_wrapped_fits(text, most, lines):
    found = wrapped(text, 10.0, most, lines)
    assert len(found) <= lines
    assert all(text_width(line, 10.0) <= most + 1e-9 for line in found)


def test_lines_are_broken_at_blanks_and_between_wide_characters():
    assert wrapped("in {red, green and 3 more}", 10.0, 90.0, 2) == ["in {red, green", "and 3 more}"]
    assert wrapped("in {red, green and 3 more}", 10.0, 60.0, 2) == ["in {red,", "green an…"]
    assert wrapped("一二三四五六", 10.0, 30.0, 2) == ["一二三", "四五六"]
    assert wrapped("一二三四五六七", 10.0, 30.0, 2) == ["一二三", "四五…"]
    assert wrapped("", 10.0, 30.0) == [""]
    assert "".join(wrapped("a b c d", 10.0, 500.0)) == "a b c d"
