"""The targets by name, each a module of this folder with ``draw(random) -> bytes`` and ``run(bytes)``."""

TARGETS = {
    "model_files": "model_files",
    "foreign_models": "foreign_models",
    "tables": "tables",
    "exports": "exports",
    "arguments": "arguments",
}
