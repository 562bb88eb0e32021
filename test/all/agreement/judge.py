"""Validates documents with `jsonschema`, and without formats.

    python3 judge.py <schema> <documents, one JSON text a line>

Prints `1` or `0` for each document.
"""
import json
import sys

from jsonschema import Draft7Validator, Draft202012Validator

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
draft = Draft7Validator if "draft-07" in schema["$schema"] else Draft202012Validator
judge = draft(schema)
with open(sys.argv[2], encoding="utf-8") as documents:
    print("".join("1" if judge.is_valid(json.loads(line)) else "0" for line in documents))
