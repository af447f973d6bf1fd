"""Base against head: what counts as slower, and what a case is measured by."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import boxwood
from benchmarks import builds, compare

SOURCE = Path(boxwood.__file__).parents[1]
CASE = {"problem": "2 classes", "rows": 1_000, "depth": 8, "threads": 1}


def pairs(factor: float, noise: float, n: int = 11, seed: int = 0) -> list[tuple[float, float]]:
    rng = np.random.default_rng(seed)
    return [(base, base * factor * np.exp(noise * rng.normal())) for base in rng.uniform(0.9, 1.1, n)]


def test_bounds_are_those_of_the_sign_test():
    ratios = [float(k) for k in range(1, 12)]
    assert compare.bounds(ratios) == (2.0, 10.0)  # 2 (1 + 11) / 2**11 = 1.2 % outside; one more would be 6.5 %
    assert compare.bounds([3.0, 1.0, 2.0]) == (1.0, 3.0)
    assert compare.bounds(ratios[:6]) == (1.0, 6.0)
    assert compare.bounds([float(k) for k in range(1, 23)]) == (6.0, 17.0)  # of 22 values: the 6th and the 17th


def test_a_slowdown_is_seen_and_noise_is_not():
    assert compare.verdict_of(pairs(1.3, 0.02)).word == "slower"
    assert compare.verdict_of(pairs(1.05, 0.02)).word == "same", "within what is tolerated"
    assert compare.verdict_of(pairs(0.7, 0.02)).word == "faster"
    wrong = sum(compare.verdict_of(pairs(1.0, 0.3, seed=seed)).word == "slower" for seed in range(200))
    assert wrong <= 5


def test_a_slowdown_must_show_twice():
    answers = [pairs(1.3, 0.02), pairs(1.0, 0.02)]
    assert compare.confirmed(lambda: answers.pop(0)).word == "same"
    assert not answers
    answers = [pairs(1.3, 0.02), pairs(1.4, 0.02)]
    found = compare.confirmed(lambda: answers.pop(0))
    assert found.word == "slower"
    assert 1.3 < found.ratio < 1.4
    answers = [pairs(1.0, 0.02), pairs(9.0, 0.02)]
    assert compare.confirmed(lambda: answers.pop(0)).word == "same"
    assert len(answers) == 1, "what is not slower is not measured again"


def test_slowdowns_come_first():
    found = {"one": compare.verdict_of(pairs(1.0, 0.01)), "two": compare.verdict_of(pairs(2.0, 0.01))}
    rows = compare.table(found).splitlines()
    assert rows[2].startswith("| two |")
    assert rows[2].endswith("| slower |")
    assert rows[3].endswith("| same |")


def test_cases_are_those_requested():
    names = [name for name, _ in compare.cases(2, "", 1_000)]
    assert names[0] == "2 classes, 1,000 rows, depth 8"
    assert all("1,000 rows" in name for name in names)
    assert [name for name, _ in compare.cases(2, "noise", 100_000)] == [
        "pure noise, 100,000 rows, depth 8",
        "pure noise, 100,000 rows, unpruned",
    ]


@pytest.mark.long
def test_two_workers_fit_in_turn():
    found = compare.pairs_of(SOURCE, SOURCE, CASE, 3)
    assert len(found) == 3
    assert all(base > 0 and head > 0 for base, head in found)


def test_a_build_that_cannot_fit_is_reported(tmp_path, capfd):
    (tmp_path / "boxwood").mkdir()
    (tmp_path / "boxwood" / "__init__.py").write_text("raise RuntimeError('broken build')", encoding="utf-8")
    with pytest.raises(builds.BuildError, match="could not fit"):
        compare.pairs_of(tmp_path, SOURCE, CASE, 1)
    assert "broken build" in capfd.readouterr().err


def repository(folder: Path) -> str:
    """A repository whose `make kernel` writes a file, with one commit."""
    package = folder / "src" / "boxwood"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "_kernel.pyi").write_text("", encoding="utf-8")  # no build, though its name begins like one
    (folder / "Makefile").write_text("kernel:\n\ttouch src/boxwood/_kernel.so\n", encoding="utf-8")

    def git(*words: str) -> str:
        about = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
        return subprocess.run(["git", *about, *words], cwd=folder, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    return git("rev-parse", "HEAD").strip()


def test_a_commit_is_built_once_in_its_own_folder(tmp_path):
    root, home = tmp_path / "root", tmp_path / "home"
    sha = repository(root)
    assert builds.commit("HEAD", root) == sha
    assert not builds.has_changes(root)
    source = builds.built(sha, root, home)
    kernel = source / "boxwood" / "_kernel.so"
    made = kernel.stat().st_mtime_ns
    assert builds.built(sha, root, home) == source
    assert kernel.stat().st_mtime_ns == made
    builds.remove(sha, root, home)
    assert not source.exists()
    (root / "Makefile").write_text("kernel:\n\tfalse\n", encoding="utf-8")
    assert builds.has_changes(root)
    with pytest.raises(builds.BuildError, match="'nothing' is not a commit, branch or tag"):
        builds.commit("nothing", root)


def test_a_commit_that_does_not_compile_is_reported(tmp_path):
    root = tmp_path / "root"
    sha = repository(root)
    (root / "Makefile").write_text("kernel:\n\t@echo no compiler >&2; false\n", encoding="utf-8")
    subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qam", "broken"], cwd=root, check=True
    )
    with pytest.raises(builds.BuildError, match="no compiler"):
        builds.built(builds.commit("HEAD", root), root, tmp_path / "home")
    assert sha != builds.commit("HEAD", root)


def test_the_command_reports_what_is_wrong():
    command = [sys.executable, "-m", "benchmarks.compare", "no-such-commit"]
    done = subprocess.run(
        command,
        cwd=builds.ROOT,
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "no-such-commit" in done.stderr
