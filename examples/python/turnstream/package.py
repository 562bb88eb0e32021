"""The files of the npm package: schemas and the conformance kit."""
import functools
import json
import os
import pathlib


def root() -> pathlib.Path:
    """The unpacked package: the variable TURNSTREAM, or the checkout that this example is in."""
    return pathlib.Path(os.environ.get("TURNSTREAM") or pathlib.Path(__file__).resolve().parents[3])


@functools.lru_cache
def read_json(path: str):
    return json.loads((root() / path).read_text("utf-8"))
