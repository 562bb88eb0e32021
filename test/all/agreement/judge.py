"""Validates documents with `jsonschema`, and without formats.

    python3 judge.py <schema> <documents>

Each line of the documents is the name of a definition, a tab, and a JSON text. Without a name, the whole schema is asked.

Prints a line for each document: its faults as a JSON array of keywords and paths. Empty: it is valid.
"""
import json
import multiprocessing
import sys

from jsonschema import Draft7Validator, Draft202012Validator

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
is_old = "draft-07" in schema["$schema"]
draft = Draft7Validator if is_old else Draft202012Validator
definitions = "definitions" if is_old else "$defs"
whole = draft(schema)
judges = {
    name: draft({"$schema": schema["$schema"], "$ref": f"#/{definitions}/{name}", definitions: schema[definitions]})
    for name in schema[definitions]
}


def faults_in(error):
    path = list(error.absolute_path)
    if error.validator != "required":
        return [[error.validator, path]]
    return [["required", path + [name]] for name in error.validator_value if name not in error.instance]


def judged(line):
    name, text = line.split("\t", 1)
    document = json.loads(text)
    if name == "":
        return json.dumps([] if whole.is_valid(document) else [["oneOf", []]])
    return json.dumps([fault for error in judges[name].iter_errors(document) for fault in faults_in(error)])


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as documents:
        with multiprocessing.get_context("fork").Pool() as pool:
            for line in pool.imap(judged, documents, chunksize=500):
                print(line)
