"""Standard streams that are closed, full or of another encoding, as the command meets them in a process of its own."""

import json
import os
import shlex
import subprocess
import sys

import pytest

from boxwood.data import datasets

BOXWOOD = f"{shlex.quote(sys.executable)} -m boxwood"
TITANIC, NEW, MELON = (str(datasets.path(name)) for name in ("titanic", "titanic_new", "watermelon_3"))
FULL = "Error: cannot write standard output: no space left on device\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="redirections of a POSIX shell")


def shell(words, folder, **variables):
    return subprocess.run(
        f"{BOXWOOD} {words}", shell=True, cwd=folder, env=os.environ | variables, capture_output=True, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("streams")
    assert shell(f"fit {MELON} --target 好瓜 --drop 编号 -o m.box --quiet", place).returncode == 0
    return place


@pytest.mark.sample(3)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "--version",
        "show --help",
        "show m.box",
        "show m.box --json",
        f"evaluate m.box {MELON}",
        f"predict m.box {MELON}",
        f"predict m.box {MELON} --json",
        f"predict m.box {MELON} -o p.csv",
        f"fit {MELON} --target 好瓜 --drop 编号 -o full.box",
    ],
)
def test_full_output_is_one_sentence(folder, words):
    done = shell(f"{words} > /dev/full", folder)
    assert (done.returncode, done.stderr.decode()) == (1, FULL)


def test_nowhere_to_tell_leaves_the_exit_code(folder):
    for streams in ("> /dev/full 2>&1", ">&- 2>&-"):
        assert shell(f"show m.box {streams}", folder).returncode == 1


def test_closed_output_is_one_sentence_before_any_work(folder):
    start = "Error: standard output is closed; "
    for words in ("show m.box", "--help", f"predict m.box {MELON} --quiet", f"fit {MELON} --target 好瓜 -o never.box"):
        done = shell(f"{words} >&-", folder)
        assert done.returncode == 1
        assert done.stderr.decode().startswith(start)
        assert done.stderr.decode().count("\n") == 1
    assert not (folder / "never.box").exists()


def test_quiet_commands_need_no_output(folder):
    done = shell(f"predict m.box {MELON} -o quiet.csv --quiet >&-", folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (folder / "quiet.csv").exists()


def test_closed_or_unreadable_input_is_one_sentence(folder):
    for words in ("fit - --target y", "predict m.box -", "evaluate m.box -"):
        done = shell(f"{words} <&-", folder)
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr.decode().startswith("Error: standard input is closed; name a data file")
        assert done.stderr.decode().count("\n") == 1
    done = shell("fit - --target y 0> written", folder)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("Error: standard input cannot be read: ")


@pytest.mark.sample(1)
@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252:strict", "gbk"])
def test_encodings_that_lack_characters_print_escapes(folder, encoding):
    shell("show m.box --json > facts.json", folder, PYTHONIOENCODING="utf-8")
    for words in ("show m.box", f"evaluate m.box {MELON}", "show 没有🌳.box", f"fit {MELON} --target é🌳 -o x.box"):
        done = shell(words, folder, PYTHONIOENCODING=encoding)
        assert done.returncode == ("没" in words or "é" in words)
        assert b"Traceback" not in done.stderr
    done = shell("show m.box --json", folder, PYTHONIOENCODING=encoding)
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    output = done.stdout.decode("utf-8" if encoding == "ascii" else encoding.split(":")[0])
    assert json.loads(output) == facts


def test_json_with_escapes_is_json(folder):
    (folder / "d.csv").write_text("é,y\n" + "1,🌳\n2,x\n" * 9, encoding="utf-8")
    assert shell("fit d.csv --target y -o tree.box --quiet", folder).returncode == 0
    done = shell("show tree.box --json", folder, PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["response"]["labels"] == ["x", "🌳"]
    done = shell("show tree.box --json", folder, PYTHONIOENCODING="iso8859-5")
    assert json.loads(done.stdout.decode("ascii"))["features"][0]["name"] == "é"
