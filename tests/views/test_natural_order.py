"""Levels with numbers in them are listed by the numbers; codes, ties and files do not change."""

from boxwood import CARTClassifier
from boxwood.data.columns.schema import NOMINAL, ORDINAL, Feature

X = {"区": [f"区{i % 12}" for i in range(120)]}
Y = ["a" if i % 12 in (1, 2, 10, 11) else "b" for i in range(120)]


def test_text_rules_pictures_and_the_explorer(tmp_path):
    model = CARTClassifier(pruning=None).fit(X, Y)
    assert "区 in {区1, 区2, 区10, 区11}" in str(model.tree_)
    assert "区1, 区2, 区10 or 区11" in str(model.rules())
    assert "区1, 区2, 区10" in model.to_svg()
    assert model.model_.schema[0].levels[:4] == ("区0", "区1", "区10", "区11")
    model.explore(X, Y).save(tmp_path / "a.html")
    assert '"rank":[0,1,10,11,2' in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_the_order():
    levels = ("1", "10", "2", "A 12b", "A 1b", "A 2b", "b")
    feature = Feature("f", NOMINAL, levels)
    assert [levels[code] for code in feature.naturally(range(7))] == ["1", "2", "10", "A 1b", "A 2b", "A 12b", "b"]
    assert Feature("f", ORDINAL, levels).naturally([2, 1]) == [2, 1]
    assert Feature("f", NOMINAL, ("a", "b")).natural_rank == []
    assert Feature("f", NOMINAL, ("b 10", "a", "b 2")).natural_rank == []  # the order of another program
    assert Feature("f", NOMINAL, (2, 10)).natural_rank == []
    assert Feature("f", NOMINAL, ("1" * 5000, "2")).naturally([0, 1]) == [1, 0]
