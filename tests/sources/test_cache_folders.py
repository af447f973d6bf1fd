"""Folders of code caches go with their process, whatever ends it, and never while another process uses them."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from boxwood.errors import BoxwoodWarning, ClusterError
from boxwood.growing.cluster import worker
from boxwood.growing.cluster.worker_state import WorkerInfo
from boxwood.growing.parts import folders
from boxwood.growing.parts.folders import LOCK, new_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and locks of POSIX")

#: A program that waits inside the block it is given, with a file of a part in the folder.
PROGRAM = """
import signal, sys, time
from boxwood.growing.parts.folders import new_folder

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored under nohup
with new_folder(*{target!r}) as folder:
    open(folder + "/part-00000.box", "wb").write(bytes(1000))
    print(folder, flush=True)
    time.sleep(60)
"""

#: A worker of a cluster that waits, with a file of a piece in its folder.
WORKER = """
import os, time
from boxwood.growing.cluster import worker
from boxwood.growing.cluster.worker_state import WorkerInfo

session = worker._session("fit", WorkerInfo("worker", {folder!r}))
os.mkdir(session.folder + "/piece-0")
open(session.folder + "/piece-0/part-00000.box", "wb").write(bytes(20000))
print(session.folder, flush=True)
time.sleep(60)
"""

#: A fit whose source waits before its second frame.
FIT = """
import signal, time
import numpy as np, pandas as pd
from boxwood import CARTClassifier

signal.signal(signal.SIGHUP, signal.SIG_DFL)

def source():
    yield pd.DataFrame({{"x": np.arange(5000.0), "y": np.arange(5000) % 2}})
    yield pd.DataFrame({{"x": np.arange(5000.0), "y": np.arange(5000) % 2}})
    print("read", flush=True)
    time.sleep(60)

CARTClassifier().fit_stream(source, "y", cache={cache!r}, memory="32MB")
"""


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The folder of temporary files, of this process and of those it starts."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setattr(folders.tempfile, "tempdir", str(place))
    monkeypatch.setenv("TMPDIR", str(place))
    return place


def started(program: str) -> tuple[subprocess.Popen, str]:
    """A process that runs a program, when it has printed its first line."""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


def ended(process: subprocess.Popen, number: int) -> int:
    process.send_signal(number)
    process.communicate()
    return process.returncode


def made_and_removed(target: str | None) -> list[str]:
    """What a new folder holds."""
    with new_folder(target) as folder:
        return os.listdir(folder)


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("cached", [False, True])
def test_a_signal_ends_a_fit_and_its_cache(number, cached, scratch, tmp_path):
    process, _ = started(FIT.format(cache=str(tmp_path / "cache") if cached else None))
    beside = list(tmp_path.glob("cache.*"))
    assert len([*scratch.iterdir(), *beside]) == 1
    assert ended(process, number) == -number
    assert os.listdir(scratch) == []
    assert os.listdir(tmp_path) == ["scratch"]


@pytest.mark.parametrize("target", [None, "cache [1]"])
def test_what_a_killed_process_left_goes_at_the_next_start(target, scratch, tmp_path):
    target = target and str(tmp_path / target)
    process, folder = started(PROGRAM.format(target=[target]))
    with new_folder(target):
        assert os.listdir(folder)  # it is alive
    assert ended(process, signal.SIGKILL) == -signal.SIGKILL
    assert sorted(os.listdir(folder)) == [LOCK, "part-00000.box"]
    message = r"removed .* \(0\.0 MB\), the code cache of a process that was killed"
    with pytest.warns(BoxwoodWarning, match=message):
        assert made_and_removed(target) == [LOCK]
    assert os.listdir(tmp_path) == ["scratch"]
    assert os.listdir(scratch) == []


@pytest.mark.parametrize("place", [None, "of the worker"])
def test_what_a_killed_worker_left_goes_at_the_next_fit(place, scratch, tmp_path):
    if place is not None:
        scratch = tmp_path / place
        scratch.mkdir()
    process, folder = started(WORKER.format(folder=place and str(scratch)))
    assert Path(folder).parent == scratch
    info = WorkerInfo("next", place and str(scratch))
    worker._session(f"while it is alive, {place}", info)
    assert os.listdir(f"{folder}/piece-0")
    assert ended(process, signal.SIGKILL) == -signal.SIGKILL
    with pytest.warns(BoxwoodWarning, match=r"removed .* \(0\.0 MB\), the code cache of a process that was killed"):
        worker._session(f"next, {place}", info)
    assert not os.path.exists(folder)
    assert len(os.listdir(scratch)) == 2
    for fit in (f"while it is alive, {place}", f"next, {place}"):
        worker.stop(fit)
    assert os.listdir(scratch) == []


def test_a_worker_without_its_folder_is_named(tmp_path):
    lost = str(tmp_path / "lost")
    with pytest.raises(ClusterError, match=f"7 cannot store its pieces of the data: .*No such file.*{re.escape(lost)}"):
        worker._session("nowhere to write", WorkerInfo("worker 7", lost))
    assert "nowhere to write" not in worker._sessions


@pytest.mark.parametrize("lock", [None, "of another machine"])
def test_a_folder_that_may_be_in_use_stays(lock, scratch):
    left = scratch / "boxwood-cache-other"
    left.mkdir()
    if lock is not None:
        (left / LOCK).write_text(lock)
    with new_folder(None):
        pass
    assert left.exists()
    (left / LOCK).write_text(socket.gethostname())
    link = scratch / "boxwood-cache-link"
    link.symlink_to(left)
    with pytest.warns(BoxwoodWarning):
        made_and_removed(None)
    assert not left.exists()
    assert link.is_symlink()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_handlers_of_the_program_stay(number, scratch):
    heard = []

    def own(*_):
        heard.append(number)

    before = signal.signal(number, own)
    try:
        with new_folder(None) as folder:
            signal.raise_signal(number)
            assert signal.getsignal(number) is own
            assert os.path.exists(folder)
        signal.signal(number, signal.SIG_IGN)
        with new_folder(None):
            assert signal.getsignal(number) == signal.SIG_IGN
        signal.signal(number, signal.SIG_DFL)
        with new_folder(None):
            assert signal.getsignal(number) != signal.SIG_DFL
            with new_folder(None):
                pass
            assert signal.getsignal(number) != signal.SIG_DFL
        assert signal.getsignal(number) == signal.SIG_DFL
        with new_folder(None):
            signal.signal(number, own)
        assert signal.getsignal(number) is own
    finally:
        signal.signal(number, before)
    assert heard == [number]


def test_other_threads_leave_signals_alone(scratch):
    found = []

    def make():
        with new_folder(None) as folder:
            found.extend([signal.getsignal(signal.SIGTERM), Path(folder).is_dir()])

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    assert found == [before, True]
    assert os.listdir(scratch) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_forked_process_leaves_the_folders_of_its_parent(scratch):
    # The child names itself: a signal that comes before Python has set up the fork would be lost.
    forked = "    import os\n    if not os.fork():\n        print(os.getpid(), flush=True)\n    time.sleep"
    process, folder = started(PROGRAM.replace("    time.sleep", forked).format(target=[None]))
    child = int(process.stdout.readline())
    os.kill(child, signal.SIGTERM)
    with open(f"/proc/{child}/stat") as file:
        while file.read().split()[2] != "Z":  # it has ended; its parent does not wait for it
            file.seek(0)
    assert os.path.exists(f"{folder}/part-00000.box")
    assert ended(process, signal.SIGTERM) == -signal.SIGTERM
    assert not os.path.exists(folder)
