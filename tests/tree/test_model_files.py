"""Model files on the disk: whole or not at all, the older one never lost, plain sentences when it cannot be done."""

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boxwood.errors import FileError, ModelFileError, ParameterTypeError
from boxwood.tree import atomic
from boxwood.tree.store import from_bytes, load, save, to_bytes
from tree.random_trees import chain, random_tree

DATA = to_bytes(random_tree(0))
OTHER = to_bytes(random_tree(1))


def only(folder, *names):
    assert sorted(os.listdir(folder)) == sorted(names)


@pytest.mark.parametrize("name", ["m.box", "模型.box", "no ending", "x" * 200 + ".box"])
def test_save_and_load(tmp_path, name):
    path = tmp_path / name
    save(path, DATA)
    assert load(path) == load(str(path)) == DATA
    save(str(path), OTHER)
    assert load(path) == OTHER
    only(tmp_path, name)
    assert from_bytes(load(path))[0].n_nodes == random_tree(1).n_nodes


def test_relative_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save("m.box", DATA)
    assert load("m.box") == DATA


def test_a_link_keeps_pointing(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "m.box", tmp_path / "link.box"
    link.symlink_to(target)
    save(link, DATA)
    save(link, OTHER)
    assert link.is_symlink()
    assert load(target) == OTHER
    only(tmp_path, "real", "link.box")
    only(tmp_path / "real", "m.box")


def test_modes(tmp_path):
    old, new = tmp_path / "old.box", tmp_path / "new.box"
    old.write_bytes(b"x")
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        save(old, DATA)
        save(new, DATA)
    finally:
        os.umask(before)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("path", "reason"),
    [("none/m.box", "the folder .*none' does not exist; create it first"),
     ("", "folder"), (".", "folder"), ("a\0b", "null"), ("x" * 300, "too long"),
     ("file/m.box", "not a directory"), ("/dev/null", "device")],
)  # fmt: skip
def test_places_that_cannot_be_written(tmp_path, monkeypatch, path, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(FileError, match=f"cannot write.*{reason}"):
        save(path, DATA)
    only(tmp_path, "file")


@pytest.mark.parametrize(
    ("path", "reason"), [("none.box", "no such file"), (".", "folder"), ("a\0b", "null"), ("/dev/zero", "device")]
)
def test_places_that_cannot_be_read(tmp_path, monkeypatch, path, reason):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError, match=f"cannot read.*{reason}"):
        load(path)


@pytest.mark.parametrize("path", [None, 3, b"m.box", ["m.box"]])
def test_paths_are_paths(path):
    with pytest.raises(ParameterTypeError, match="path must be text"):
        save(path, DATA)
    with pytest.raises(ParameterTypeError, match="path must be text"):
        load(path)


def test_other_files_are_refused_by_their_start(tmp_path):
    path = tmp_path / "m.box"
    for content, words in (
        (b"", "empty"),
        (b"a,b\n", "not a boxwood model"),
        (DATA[:-1], "was saved with"),
        (DATA[:9], "needed"),
    ):
        path.write_bytes(content)
        with pytest.raises(ModelFileError, match=words):
            load(path)
    with open(path, "wb") as file:
        file.truncate(2**40)
    with pytest.raises(ModelFileError, match="not a boxwood model"):
        load(path)


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_failing_step_leaves_the_older_file(tmp_path, monkeypatch, step):
    path = tmp_path / "m.box"
    save(path, DATA)

    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic.os, step, fail)
    with pytest.raises(FileError, match="no space left on device; the older file, if any, is untouched"):
        save(path, OTHER)
    monkeypatch.undo()
    assert load(path) == DATA
    only(tmp_path, "m.box")


def test_an_interrupt_leaves_the_older_file(tmp_path, monkeypatch):
    path = tmp_path / "m.box"
    save(path, DATA)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic.os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(path, OTHER)
    assert load(path) == DATA
    only(tmp_path, "m.box")


def test_folders_that_cannot_be_synchronised(tmp_path, monkeypatch):
    real = os.fsync

    def fsync(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "invalid argument")
        real(handle)

    monkeypatch.setattr(atomic.os, "fsync", fsync)
    save(tmp_path / "m.box", DATA)
    assert load(tmp_path / "m.box") == DATA


def test_a_size_limit_leaves_the_older_file(tmp_path):
    path = tmp_path / "m.box"
    save(path, DATA)
    large = to_bytes(chain(5000))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(FileError, match="file too large"):
            save(path, large)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert load(path) == DATA
    only(tmp_path, "m.box")


def test_a_write_protected_file_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "m.box"
    save(path, DATA)
    monkeypatch.setattr(atomic.os, "access", lambda *_: False)
    with pytest.raises(FileError, match="write-protected"):
        save(path, OTHER)
    assert load(path) == DATA


def test_killed_while_saving(tmp_path):
    """Whenever the process dies, the file is the old model or the new one."""
    path = tmp_path / "m.box"
    models = [to_bytes(chain(2000)), to_bytes(chain(2001))]
    for number, model in enumerate(models):
        (tmp_path / str(number)).write_bytes(model)
    save(path, models[0])
    code = (
        "import sys, itertools; from boxwood.tree.store import save;"
        "models = [open(name, 'rb').read() for name in sys.argv[2:]]; print('go', flush=True)\n"
        "for model in itertools.cycle(models): save(sys.argv[1], model)"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", code, str(path), str(tmp_path / "0"), str(tmp_path / "1")]
    for turn in range(5):
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as child:
            child.stdout.readline()
            time.sleep(0.01 + 0.013 * turn)
            child.send_signal(signal.SIGKILL)
        assert Path(path).read_bytes() in models
