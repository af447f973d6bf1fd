"""A wheel of one platform: the Python files of a wheel without the kernel, and the compiled kernel beside them."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path


def retagged(text: str, tag: str) -> str:
    """The file WHEEL of a platform's wheel, made from that of one without compiled modules."""
    kept = [line for line in text.splitlines() if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    return "\n".join([*kept, "Root-Is-Purelib: false", f"Tag: {tag}"]) + "\n"


def record_line(name: str, data: bytes) -> str:
    """A line of RECORD: name, hash and size of a file."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


def pack(pure: Path, kernel: Path, wheel: Path) -> None:
    """Write `wheel`, named by its tags, from the files of `pure` and the compiled `kernel`."""
    files = {}
    with zipfile.ZipFile(pure) as source:
        for name in source.namelist():
            if not name.endswith((".so", "/", "/RECORD")):
                files[name] = source.read(name)
    info = next(name.rpartition("/")[0] for name in files if name.endswith(".dist-info/WHEEL"))
    tag = "-".join(wheel.stem.split("-")[2:])
    files[f"{info}/WHEEL"] = retagged(files[f"{info}/WHEEL"].decode(), tag).encode()
    files[f"boxwood/{kernel.name}"] = kernel.read_bytes()
    record = [record_line(name, data) for name, data in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    wheel.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same bytes from the same files
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, data)
