"""A wheel installed into a clean system without a compiler, audited and tried there."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from wheels.build import FOLDER, ROOT, compiler, tools
from wheels.platforms import Platform, Python, audited_tag, is_at_most
from wheels.systems import command, system

Log = Callable[[str], None]
#: What the trial needs beside scikit-learn.
WITHOUT_SKLEARN = ["numpy", "narwhals", "charset-normalizer", "click", "pyarrow", "python-calamine", "rich"]


def verdict(sound: bool) -> str:
    """One word for the log."""
    return "passed" if sound else "FAILED"


def audit(wheel: Path, python: Python, platform: Platform, log: Log) -> bool:
    """Whether the wheel needs no newer C library than its tag names, and keeps to the stable ABI where tagged so."""
    show = [str(tools()), "-m", "auditwheel", "show", str(wheel)]
    report = subprocess.run(show, capture_output=True, text=True, check=False)
    found = audited_tag(report.stdout)
    sound = is_at_most(found, platform.tags[0])
    log(f"auditwheel: {found or report.stdout + report.stderr}, allowed {platform.tags[0]}: {verdict(sound)}")
    if python.stable:
        run = [str(tools()), "-m", "abi3audit", "--strict", "--summary", str(wheel)]
        checked = subprocess.run(run, capture_output=True, text=True, check=False)
        log(f"abi3audit: {' '.join((checked.stdout + checked.stderr).split())}")
        sound = sound and checked.returncode == 0
    return sound


def install(wheel: Path, python: Python, platform: Platform, site: Path) -> None:
    """The wheel with what it needs, chosen by pip as on that platform. scikit-learn has no wheels for musl."""
    shutil.rmtree(site, ignore_errors=True)
    options = ["--only-binary=:all:", "--python-version", python.version, "--implementation", "cp"]
    for tag in platform.tags:
        options += ["--platform", tag]
    wanted = [[f"{wheel}[cli]"]] if platform.libc == "glibc" else [["--no-deps", str(wheel)], WITHOUT_SKLEARN]
    for words in wanted:
        run = [str(tools()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", *options]
        subprocess.run([*run, "--target", str(site), *words], check=True)


def try_out(wheel: Path, python: Python, platform: Platform, log: Log) -> bool:
    """The digests, a fit, a prediction and the command line, in the system; whether all passed."""
    root = system(python, platform, FOLDER, compiler())
    trial = root / "trial"
    install(wheel, python, platform, trial / "site")
    shutil.copytree(ROOT / "tests" / "golden" / "data", trial / "golden" / "data", dirs_exist_ok=True)
    shutil.copy(ROOT / "tests" / "golden" / "test_bits.py", trial / "golden")
    for name in ("inside.py", "base_classes.py"):
        shutil.copy(Path(__file__).parent / name, trial)
    run = command(root, platform.machine, f"/usr/bin/python{python.version}")
    emulated = not run[0].startswith("chroot")
    inside, programs = (str(trial), f"{root}/usr/bin") if emulated else ("/trial", "/usr/bin")
    environment = {
        "PATH": programs,  # of the system: an emulated Python sees this machine's compilers too
        "PYTHONPATH": f"{inside}/site:{inside}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": inside,
        "LANG": "C.UTF-8",
    }
    began = time.time()
    done = subprocess.run(
        [shutil.which(run[0]) or run[0], *run[1:], "-W", "ignore", f"{inside}/inside.py"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    for line in (done.stdout + (done.stderr if done.returncode else "")).splitlines():
        log(line)
    log(f"{verdict(done.returncode == 0)} in {time.time() - began:.0f} s{', emulated' if emulated else ''}")
    return done.returncode == 0
