"""A tree written as a program predicts like the tree, on training rows and in the corners, for every algorithm."""

from __future__ import annotations

import shutil

import pytest

from exports.problems import NAMES, case

LANGUAGES = {"python": "python3", "c": "cc", "js": "node", "r": "Rscript"}


@pytest.fixture(params=LANGUAGES)
def language(request) -> str:
    needed = LANGUAGES[request.param]
    if request.param != "python" and shutil.which(needed) is None:
        pytest.skip(f"there is no {needed}")
    return request.param


@pytest.mark.sample(12)
@pytest.mark.parametrize("kind", NAMES)
def test_programs_predict_what_the_tree_predicts(kind, language):
    problem = case(kind)
    verdict = problem.model.verify_export(language, problem.columns)
    assert verdict, str(verdict)
    assert verdict.rows == problem.columns.n
