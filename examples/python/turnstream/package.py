"""The files of the npm packages: the schemas of turnstream, and the conformance kit."""
import functools
import json
import os
import pathlib

CHECKOUT = pathlib.Path(__file__).resolve().parents[3]


@functools.lru_cache
def read_json(path: str):
    """A file of the package turnstream: unpacked where the variable TURNSTREAM states, or that of this checkout."""
    return _read(os.environ.get("TURNSTREAM") or CHECKOUT, path)


@functools.lru_cache
def read_kit(path: str):
    """A file of the package turnstream-conformance: unpacked where TURNSTREAM_CONFORMANCE states, or that of this checkout."""
    return _read(os.environ.get("TURNSTREAM_CONFORMANCE") or CHECKOUT / "conformance", path)


def _read(folder, path: str):
    return json.loads((pathlib.Path(folder) / path).read_text("utf-8"))
