"""The targets by name, each a module of this folder with ``draw(random) -> bytes`` and ``run(bytes)``."""

TARGETS = {
    "model_files": "model_files",
    "foreign_models": "foreign_models",
    "random_models": "random_models",
    "tables": "tables",
    "exports": "exports",
    "raw_exports": "raw_exports",
    "arguments": "arguments",
    "edit_logs": "edit_logs",
}

#: Cases of each target in ``make check``: about 12 seconds a target on one core, and the same cases on every machine.
CHECKED = {
    "model_files": 800,
    "foreign_models": 700,
    "random_models": 100,
    "tables": 500,
    "exports": 150,
    "raw_exports": 60,
    "arguments": 1500,
    "edit_logs": 300,
}
