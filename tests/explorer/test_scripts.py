"""The scripts of the page: their own tests by node, their size, and what the page may load."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from boxwood import CARTClassifier
from boxwood.model.explorer.compact import compact_script
from boxwood.model.explorer.kinds import NumberPage, TimePage
from boxwood.model.explorer.page import COMPUTES, DRAWS, asset

HERE = Path(__file__).parent
NODE = shutil.which("node")
#: JavaScript and CSS of a page together, in bytes: 107 kB for the explorer, of which 15 edit, 7 read conditions of
#: a search, 4 draw the tree on paper and 1 switches among several responses, and 3 kB for the report before it.
BUDGET = 115_000


@pytest.fixture(scope="module")
def page() -> str:
    return CARTClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).explore().html


@pytest.mark.skipif(NODE is None, reason="node is not installed (apt install nodejs)")
def test_functions_that_compute():
    done = subprocess.run(
        [NODE, "--test", str(HERE / "scripts.test.mjs")], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.search(r"^# pass (\d+)", done.stdout, re.MULTILINE).group(1)) >= 15


@pytest.mark.parametrize("kind", [NumberPage, TimePage])
def test_no_two_scripts_define_the_same_name(kind):
    """All scripts of a page are in one scope, where a later definition would silently replace an earlier one."""
    source = "\n".join(asset(name) for name in (*kind.scripts, *COMPUTES, *DRAWS))
    names = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", source, re.MULTILINE)
    assert len(names) > 100
    assert [name for name in set(names) if names.count(name) > 1] == []


def parts(page: str) -> tuple[str, str]:
    """Style and script of a page."""
    style = page.partition("<style>")[2].partition("</style>")[0]
    return style, page.rpartition("<script>")[2].partition("</script>")[0]


def test_script_and_style_keep_to_their_budget(page):
    style, script = parts(page)
    assert len(style.encode()) > 1000
    assert len(script.encode()) > 10_000
    assert len((style + script).encode()) <= BUDGET


def test_the_policy_allows_this_style_and_this_script_alone(page):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
    allowed = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    style, script = parts(page)
    assert allowed["default-src"] == "'none'"
    for name, text in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert allowed[name] == f"'sha256-{digest}'"
    assert set(allowed) == {"default-src", "style-src", "script-src", "base-uri", "form-action"}


def test_nothing_in_the_page_names_another_place(page):
    found = set(re.findall(r"https?://[^\"'\s)]+", page))
    assert found == {"http://www.w3.org/2000/svg"}
    for word in ("fetch(", "XMLHttpRequest", "import(", "eval(", "innerHTML", "document.write"):
        assert word not in page


def test_every_script_is_in_the_page():
    on_disk = {file.name for file in (HERE.parents[1] / "src/boxwood/model/explorer/assets").glob("*.js")}
    assert on_disk == {*NumberPage.written_scripts, *TimePage.scripts, *COMPUTES, *DRAWS}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a - -b + +c", "a - -b + +c"),
        ("x = `a  ${f({ y: `${ 1 }  2` })}  b`", "x=`a  ${f({y:`${1}  2`})}  b`"),
        ('"it // is" // it\n', '"it // is"\n'),
        ("return /a \" b/.test(x) / 2", "return /a \" b/.test(x)/ 2"),
        ("a /* b\n */ c", "a\nc"),
        ("f(  /[/\"]  x/g )", "f(/[/\"]  x/g)"),
        ("for (const x of [1, 2]) y = x", "for(const x of[1,2])y=x"),
    ],
)  # fmt: skip
def test_blanks_go_only_where_they_mean_nothing(source, expected):
    assert compact_script(source) == expected


@pytest.mark.skipif(NODE is None, reason="node is not installed (apt install nodejs)")
def test_compact_scripts_are_the_same_scripts(tmp_path):
    """Both are read by node, which prints every function as it is; without blanks they are equal."""
    source = "".join(map(asset, (*NumberPage.written_scripts, *TimePage.scripts, *COMPUTES, *DRAWS[:-1])))
    names = re.findall(r"^(?:async )?function (\w+)", source, re.MULTILINE)
    assert len(names) > 100
    shown = []
    for i, text in enumerate((source, compact_script(source))):
        file = tmp_path / f"{i}.js"
        prints = f"\nconsole.log(JSON.stringify([{', '.join(names)}].map(String)));\n"
        file.write_text(f"const document = {{}};\n{text}{prints}", encoding="utf-8")
        done = subprocess.run([NODE, str(file)], capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        shown.append(re.sub(r"//[^\\]*\\n|\\n|\s", "", done.stdout))
    assert shown[0] == shown[1]
