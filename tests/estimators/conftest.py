"""Data that tests of composed trees share."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import datasets


@pytest.fixture
def iris():
    X = datasets.load("iris")
    return X, X.pop("species")


@pytest.fixture
def titanic():
    X = datasets.load("titanic")
    return X, X.pop("survived")


@pytest.fixture
def numbers():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 3)).round(1)
    return X, X[:, 0] * X[:, 1] + rng.normal(size=120)


@pytest.fixture
def two_lines():
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(300, 2))
    return X, np.where(X[:, 0] < 0.5, 3 * X[:, 1], -2 * X[:, 1]) + rng.normal(scale=0.05, size=300)
