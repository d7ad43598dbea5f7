"""Emitters: each module has ``emit(model) -> {path below the output folder: text}``."""
