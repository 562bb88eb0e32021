"""Validates documents with `jsonschema`, and without formats.

    python3 judge.py <schema> <documents, one JSON text a line>

Prints `1` or `0` for each document.
"""
import json
import multiprocessing
import sys

from jsonschema import Draft7Validator, Draft202012Validator

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
draft = Draft7Validator if "draft-07" in schema["$schema"] else Draft202012Validator
judge = draft(schema)


def verdict(line):
    return "1" if judge.is_valid(json.loads(line)) else "0"


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as documents:
        with multiprocessing.get_context("fork").Pool() as pool:
            print("".join(pool.imap(verdict, documents, chunksize=500)))
