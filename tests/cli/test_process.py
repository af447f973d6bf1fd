"""The command as a process of its own: what it loads, pipes, interrupts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import boxwood
from boxwood.data import datasets

BOXWOOD = [sys.executable, "-m", "boxwood"]
TITANIC, NEW = str(datasets.path("titanic")), str(datasets.path("titanic_new"))


def run(*words, **options):
    return subprocess.run([*BOXWOOD, *words], capture_output=True, text=True, encoding="utf-8", check=False, **options)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    file = str(tmp_path_factory.mktemp("model") / "m.box")
    with open(TITANIC, encoding="utf-8") as data:
        done = run("fit", "-", "--target", "survived", "-o", file, stdin=data)
    assert done.returncode == 0
    assert done.stdout.startswith("Read standard input: 1,109 rows")
    assert done.stderr == ""
    return file


@pytest.mark.parametrize("words", [["--help"], ["show", "--help"], ["predict", "--help"]])
def test_help_loads_no_heavy_package(words):
    program = (
        "import sys; from boxwood.cli import main; code = main(sys.argv[1:]); "
        "heavy = {'numpy', 'sklearn', 'scipy', 'pyarrow', 'pandas', 'polars', 'narwhals', 'rich'} & set(sys.modules); "
        "sys.exit(f'loaded {heavy}' if heavy else code)"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: boxwood" in done.stdout


@pytest.mark.parametrize("command", ["fit", "predict"])
def test_commands_never_load_scikit_learn_nor_polars(command, model, tmp_path):
    program = (
        "import sys; from boxwood.cli import main; code = main(sys.argv[1:]); "
        "heavy = {'sklearn', 'scipy', 'polars'} & set(sys.modules); "
        "sys.exit(f'loaded {heavy}' if heavy else code)"
    )
    words = {
        "fit": ["fit", TITANIC, "--target", "survived", "-o", str(tmp_path / "m.box"), "--quiet"],
        "predict": ["predict", model, NEW, "-o", str(tmp_path / "p.csv"), "--quiet"],
    }[command]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_help_of_fit_lists_the_parameters_of_the_algorithms():
    done = run("fit", "--help")
    assert done.returncode == 0
    for option in ("--target", "--max-depth", "--criterion", "--min-samples-leaf"):
        assert option in done.stdout
    assert "--thresh " not in done.stdout


def test_predict_through_a_pipe(model):
    with open(NEW, encoding="utf-8") as data:
        done = run("predict", model, "-", stdin=data)
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[0] == "survived"
    assert len(lines) == 201


def test_the_file_behind_standard_input_is_not_overwritten(model, tmp_path):
    file = tmp_path / "new.csv"
    file.write_bytes(datasets.path("titanic_new").read_bytes())
    for words in (("predict", model, "-", "-o", str(file)), ("fit", "-", "--target", "survived", "-o", str(file))):
        with file.open(encoding="utf-8") as data:
            done = run(*words, stdin=data)
        assert (done.returncode, done.stdout) == (2, "")
        assert "would overwrite the file that standard input reads" in done.stderr
    assert file.read_bytes() == datasets.path("titanic_new").read_bytes()


def wait_until_it_reads(pid: int) -> None:
    """Return once the process has slept for half a second without a break: it waits for its input."""
    asleep = 0
    while asleep < 5:
        time.sleep(0.1)
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        asleep = asleep + 1 if state == "S" else 0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not show the state of processes")
def test_interrupt_while_reading():
    process = subprocess.Popen(
        [*BOXWOOD, "fit", "-", "--target", "y"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err == "Interrupted; no file was written.\n"


def test_a_reader_that_leaves_is_no_error(model, tmp_path):
    lines = datasets.path("titanic_new").read_text(encoding="utf-8").splitlines()
    file = tmp_path / "many.csv"
    file.write_text("\n".join([lines[0], *lines[1:] * 200]), encoding="utf-8")
    process = subprocess.Popen(
        [*BOXWOOD, "predict", model, str(file), "--proba"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_errors_go_to_standard_error_without_traceback():
    done = run("fit", "none.csv", "--target", "y")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Error: none.csv does not exist; check the name and the folder.\n"


_STUBS = {
    "interrupted": "raise KeyboardInterrupt",
    "interrupted, then another error": (
        "import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    import time; time.sleep(5)\n"
        "except BaseException:\n    pass\nraise ImportError('numpy.core.multiarray failed to import')"
    ),
    "an attribute of half a module": (
        "import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    import time; time.sleep(5)\n"
        "except BaseException:\n    pass\nimport sys; sys.nothing"
    ),
}


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize("module", ["pyarrow", "numpy", "click"])
@pytest.mark.parametrize("stub", _STUBS)
def test_ctrl_c_while_a_module_is_imported_is_no_traceback(tmp_path, module, stub):
    (tmp_path / f"{module}.py").write_text(_STUBS[stub], encoding="utf-8")
    (tmp_path / "t.csv").write_text("a,y\n1,p\n2,q\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(Path(boxwood.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-m", "boxwood", "fit", "t.csv", "--target", "y", "-o", "m.box"], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "Interrupted; no file was written.\n")
    assert not (tmp_path / "m.box").exists()


@pytest.mark.parametrize(
    "error",
    ["ImportError('libblas.so: failed to map segment from shared object')",
     "SystemError('error return without exception set')", "MemoryError()"],
)  # fmt: skip
def test_memory_that_ends_in_an_import_is_reported_as_that(tmp_path, error):
    (tmp_path / "pyarrow.py").write_text(f"raise {error}", encoding="utf-8")
    (tmp_path / "t.csv").write_text("a,y\n1,p\n2,q\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(Path(boxwood.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-m", "boxwood", "fit", "t.csv", "--target", "y", "-o", "m.box"], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "Error: there is not enough memory for these data; give fewer rows or columns.\n"
