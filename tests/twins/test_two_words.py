"""Whole numbers of 128 bits in two words have the bits of the compiler's own, on random numbers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def test_two_words_have_the_bits_of_the_compilers_own(tmp_path):
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if compiler is None:
        pytest.skip("no C++ compiler to compile the comparison with")
    program = tmp_path / "two_words"
    command = [compiler, "-std=c++20", "-O1", f"-I{HERE.parents[1] / 'kernel'}", HERE / "two_words.cpp", "-o", program]
    subprocess.run(command, check=True)
    assert subprocess.run([program], check=False, capture_output=True, text=True).stdout == "equal\n"
