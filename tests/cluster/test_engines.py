"""The errors for engines that are not installed, and for addresses that name none."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from boxwood.cli.commands import boxwood as command
from boxwood.errors import NotAvailableError
from boxwood.growing.cluster.ray import RayWorkers, is_ray_dataset
from cluster.tables import table


def test_without_ray_its_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NotAvailableError, match="pip install ray"):
        RayWorkers(1)


@pytest.mark.parametrize("engine", ["spark://x:1", "ray://x", "dask", "dask://x", "ray:", "rays"])
def test_an_engine_must_be_an_address(engine, tmp_path):
    table().to_parquet(tmp_path / "a.parquet")
    words = ["fit", str(tmp_path / "a.parquet"), "--target", "種類", "-o", str(tmp_path / "m"), "--engine", engine]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 2
    assert "dask://host:8786 or ray://host:10001, or ray" in done.output


def test_a_frame_is_no_data_set_of_ray():
    assert not is_ray_dataset(table())
