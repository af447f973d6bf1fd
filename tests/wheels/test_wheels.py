"""What `make wheels` decides without a compiler: names, tags, what an audit allows, and the files of a wheel."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools.wheels.pack import pack
from tools.wheels.platforms import PLATFORMS, PYTHONS, STABLE, Platform, audited_tag, is_at_most, wheel_name

ROOT = Path(__file__).resolve().parents[2]
GLIBC, MUSL = Platform("x86_64", "glibc"), Platform("aarch64", "musl")


def test_names_of_wheels_have_the_tags_that_pip_looks_for():
    names = {wheel_name("0.1.0", python, platform) for platform in PLATFORMS for python in PYTHONS}
    assert len(names) == 8
    assert "boxwood-0.1.0-cp311-cp311-manylinux_2_28_x86_64.whl" in names
    assert "boxwood-0.1.0-cp312-abi3-musllinux_1_2_aarch64.whl" in names


def test_stable_abi_begins_with_the_python_that_the_project_names():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]
    major, minor = int(STABLE, 16) >> 24, int(STABLE, 16) >> 16 & 0xFF
    assert build["wheel"]["py-api"] == f"cp{major}{minor}"
    assert all(python.tag.startswith(build["wheel"]["py-api"]) for python in PYTHONS if python.stable)


def test_targets_of_the_compiler_name_the_oldest_c_library():
    assert GLIBC.target == "x86_64-linux-gnu.2.28"
    assert MUSL.target == "aarch64-linux-musl"
    assert PYTHONS[0].suffix(MUSL) == ".cpython-311-aarch64-linux-musl.so"


@pytest.mark.parametrize(
    ("audited", "allowed", "passes"),
    [
        ("manylinux_2_17_x86_64", "manylinux_2_28_x86_64", True),
        ("manylinux_2_28_x86_64", "manylinux_2_28_x86_64", True),
        ("manylinux_2_34_x86_64", "manylinux_2_28_x86_64", False),
        ("manylinux_3_1_x86_64", "manylinux_2_28_x86_64", False),
        ("manylinux_2_17_aarch64", "manylinux_2_28_x86_64", False),
        ("musllinux_1_1_x86_64", "manylinux_2_28_x86_64", False),
        ("musllinux_1_2_aarch64", "musllinux_1_2_aarch64", True),
        ("linux_x86_64", "manylinux_2_28_x86_64", False),
        ("", "manylinux_2_28_x86_64", False),
    ],
)
def test_an_audit_allows_no_newer_library_and_no_other_processor(audited, allowed, passes):
    assert is_at_most(audited, allowed) is passes


def test_the_audited_tag_is_read_across_lines():
    report = 'a.whl is\nconsistent with the following platform tag:\n"manylinux_2_17_x86_64".\n'
    assert audited_tag(report) == "manylinux_2_17_x86_64"
    assert audited_tag("no such words") == ""


def test_a_packed_wheel_has_its_kernel_its_tag_and_true_hashes(tmp_path):
    pure, kernel = tmp_path / "boxwood-0.1.0-py3-none-any.whl", tmp_path / "_kernel.abi3.so"
    kernel.write_bytes(b"\x7fELF")
    with zipfile.ZipFile(pure, "w") as out:
        out.writestr("boxwood/__init__.py", "")
        out.writestr("boxwood/_kernel.other.so", "left from a developer's build")
        out.writestr("boxwood-0.1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        out.writestr("boxwood-0.1.0.dist-info/RECORD", "boxwood/__init__.py,,\n")
    wheel = tmp_path / "dist" / wheel_name("0.1.0", PYTHONS[1], GLIBC)
    pack(pure, kernel, wheel)
    with zipfile.ZipFile(wheel) as made:
        files = {name: made.read(name) for name in made.namelist()}
    assert "boxwood/_kernel.abi3.so" in files
    assert "boxwood/_kernel.other.so" not in files
    meta = files["boxwood-0.1.0.dist-info/WHEEL"].decode().splitlines()
    assert meta == ["Wheel-Version: 1.0", "Root-Is-Purelib: false", "Tag: cp312-abi3-manylinux_2_28_x86_64"]
    record = list(csv.reader(io.StringIO(files["boxwood-0.1.0.dist-info/RECORD"].decode())))
    assert {name for name, _, _ in record} == set(files)
    for name, digest, size in record:
        if name.endswith("RECORD"):
            continue
        expected = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={expected}", len(files[name]))


def test_the_workflow_names_files_and_a_function_that_exist():
    words = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    sources = re.search(r"CIBW_TEST_SOURCES: (\S+)", words)[1]
    module, function = re.search(r"import golden\.(\w+) as bits; bits\.(\w+)\(\)", words).groups()
    assert f"def {function}():" in (ROOT / sources / f"{module}.py").read_text(encoding="utf-8")
