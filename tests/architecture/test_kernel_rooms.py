"""The rooms of the kernel: includes go downwards, in the order of a fit, and no header includes itself in a circle."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

KERNEL = Path(__file__).parents[2] / "kernel"

#: In the order of a fit: a file includes files of its own room and of those before it.
ROOMS = (
    "parallel",
    "encode",
    "response",
    "search",
    "surrogate",
    "grow",
    "multiway",
    "chaid",
    "mars",
    "shards",
    "predict",
    "prune",
    "explain",
    "bindings",
)
HEIGHT = {room: height for height, room in enumerate(ROOMS)}
#: Includes that still go up, to be repaired; none may be added.
UPWARD = {
    ("shards/share_out.hpp", "predict/route.hpp"),
}


def includes() -> dict[str, list[str]]:
    """File of the kernel -> files of the kernel it includes, both relative to kernel/."""
    found = {}
    for file in sorted([*KERNEL.rglob("*.hpp"), *KERNEL.rglob("*.cpp")]):
        text = file.read_text(encoding="utf-8")
        found[file.relative_to(KERNEL).as_posix()] = re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)
    return found


INCLUDES = includes()


def room(file: str) -> str:
    return file.partition("/")[0]


def test_every_file_is_in_a_room():
    assert {room(file) for file in INCLUDES} <= set(ROOMS)


def test_includes_name_files_from_the_root_of_the_kernel():
    wrong = [f"{file}: {name}" for file, names in INCLUDES.items() for name in names if name not in INCLUDES]
    assert not wrong, "\n".join(wrong)


def test_includes_go_down():
    upward = {
        (file, name) for file, names in INCLUDES.items() for name in names if HEIGHT[room(name)] > HEIGHT[room(file)]
    }
    assert upward <= UPWARD, "\n".join(f"{file} includes {name}" for file, name in sorted(upward - UPWARD))


def test_no_header_includes_itself_in_a_circle():
    try:
        TopologicalSorter(INCLUDES).prepare()
    except CycleError as error:
        pytest.fail("circle of includes: " + " <- ".join(error.args[1]))


def structs(file: str) -> set[str]:
    """The structs and aliases that a header defines at the level of its namespace."""
    text = (KERNEL / file).read_text(encoding="utf-8")
    return set(re.findall(r"^(?:struct|using) (\w*(?:Response|Of))\b", text, re.MULTILINE))


RESPONSES = set().union(*(structs(file) for file in INCLUDES if room(file) == "response"))


@pytest.mark.parametrize(
    "file",
    [file for file in INCLUDES if room(file) in {"search", "surrogate", "grow", "shards"} and file.endswith(".hpp")],
)
def test_search_knows_no_response_by_name(file):
    words = set(re.findall(r"\w+", (KERNEL / file).read_text(encoding="utf-8")))
    assert len(RESPONSES) > 8
    assert not words & RESPONSES, f"kernel/{file} names a response: what it needs belongs to the concept Response"


@pytest.mark.parametrize("file", INCLUDES)
def test_file_opens_with_what_it_is_for(file):
    assert (KERNEL / file).read_text(encoding="utf-8").startswith("// "), f"kernel/{file} has no opening comment"
