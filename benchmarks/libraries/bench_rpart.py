"""R's rpart, in an R process that stays for the session; its own clock, the reading of files left out."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.libraries.session import Job, Library, is_frame
from benchmarks.problems import CLASSIFICATION, Problem

#: The deepest tree it grows.
DEEPEST = 30


def _absent() -> str | None:
    program = shutil.which("Rscript")
    if program is None:
        return "Rscript is not installed"
    return None if _has_rpart(program) else "R has no package rpart"


@cache
def _has_rpart(program: str) -> bool:
    """Found once, because R takes half a second."""
    return subprocess.run([program, "-e", "library(rpart)"], capture_output=True, check=False).returncode == 0


def _unable(problem: Problem, depth: int | None) -> str | None:
    if problem.levels > 12 and problem.classes > 2:
        return "tries every set of levels"
    return None


def write_columns(folder: Path, X, **extra: np.ndarray | None) -> Path:
    """Write every column as doubles into a new folder, with a list of them; levels as codes from 0."""
    folder.mkdir()
    lines, columns = ["name,rows,levels,ordered"], {name: (x, 0, 0) for name, x in extra.items() if x is not None}
    for j, name in enumerate(X.columns if is_frame(X) else [f"x{j}" for j in range(X.shape[1])]):
        column = X[name] if is_frame(X) else X[:, j]
        if column.dtype == "category":
            codes = column.cat.codes.to_numpy().astype(float)
            codes[codes < 0] = np.nan
            columns[name] = codes, len(column.cat.categories), int(column.cat.ordered)
        else:
            columns[name] = np.asarray(column), 0, 0
    for name, (values, levels, ordered) in columns.items():
        values.astype(np.float64).tofile(folder / f"{name}.bin")
        lines.append(f"{name},{len(values)},{levels},{ordered}")
    (folder / "columns.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


class _Session:
    """An R process with the data in its memory."""

    def __init__(self, job: Job):
        self._home = tempfile.TemporaryDirectory()
        folder = write_columns(Path(self._home.name) / "learn", job.data.X, **{".y": job.data.y, ".w": job.data.weight})
        method = "class" if job.problem.task == CLASSIFICATION else "anova"
        script, reader = (Path(__file__).parent / name for name in ("rpart.R", "columns.R"))
        depth = str(min(job.depth or DEEPEST, DEEPEST))
        command = ["Rscript", str(script), str(folder), method, depth, str(reader)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            self._answer()
        except BaseException:
            self.close()
            raise

    def _answer(self) -> str:
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"rpart stopped with status {self._process.wait()}; its message is above.")
        return line.strip()

    def _send(self, *words: str) -> str:
        self._process.stdin.write("\t".join(words) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def fit(self) -> float:
        """Fit once; seconds by R's clock."""
        return float(self._send("fit"))

    def predict(self, X) -> np.ndarray:
        """Classes or numbers, read from a file."""
        home = Path(self._home.name)
        folder = write_columns(Path(tempfile.mkdtemp(dir=home)) / "X", X)
        self._send("predict", str(folder), str(home / "predicted.bin"))
        return np.fromfile(home / "predicted.bin")

    def close(self) -> None:
        """End the process and remove its files."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self._home.cleanup()


LIBRARY = Library("rpart", _absent, _unable, _Session)
