"""`python -m wheels [NAME ...]`: all wheels, or those whose names hold one of the words: `x86_64-glibc`, `cp311`."""

from __future__ import annotations

import sys
import time

from wheels.build import FOLDER, pure_wheel, wheel
from wheels.platforms import PLATFORMS, PYTHONS
from wheels.trial import audit, try_out


class Log:
    """Lines for the terminal, with the time they came, and for build/wheels/log.txt."""

    def __init__(self) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.file = (FOLDER / "log.txt").open("w", encoding="utf-8")
        self.began = time.time()

    def report(self, line: str) -> None:
        print(f"{time.time() - self.began:6.0f} s  {line}", flush=True)
        print(line, file=self.file, flush=True)


def main(words: list[str]) -> int:
    """Build, audit and try the wheels requested; how many failed."""
    log, failed = Log(), 0
    wanted = [(p, python) for p in PLATFORMS for python in PYTHONS]
    if words:
        wanted = [pair for pair in wanted if any(word in f"{pair[0].name} {pair[1].tag}" for word in words)]
    pure = pure_wheel()
    for platform, python in wanted:
        log.report(f"== {platform.name}, {python.tag}")
        built = wheel(pure, python, platform)
        log.report(f"{built.name}, {built.stat().st_size / 2**20:.1f} MiB")
        sound, tried = audit(built, python, platform, log.report), try_out(built, python, platform, log.report)
        failed += not (sound and tried)
    log.report(f"{len(wanted)} wheels, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
