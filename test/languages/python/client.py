"""Reads every document through the generated classes and writes it again; validates it as well.

    client.py <folder of the version> <documents.json> > results.jsonl
"""
import json
import pathlib
import re
import sys
from datetime import datetime

from jsonschema import Draft202012Validator, FormatChecker
from pydantic import BaseModel

import events

folder = pathlib.Path(sys.argv[1])
types = json.loads((folder / "meta.json").read_text("utf-8"))["types"]


# --- dispatch
def read(text: str) -> BaseModel | dict:
    value = json.loads(text)
    kind = types.get(value["kind"])
    if kind is None:
        return value  # a kind of a later version: keep it as it is
    return getattr(events, kind).model_validate_json(text)


def write(event: BaseModel | dict) -> str:
    if isinstance(event, dict):
        return json.dumps(event)
    return event.model_dump_json(by_alias=True, exclude_unset=True)
# --- end


RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
checker = FormatChecker(formats=())


@checker.checks("date-time", raises=ValueError)
def is_date_time(value):
    if not isinstance(value, str):
        return True
    if RFC3339.fullmatch(value) is None:
        return False
    datetime.fromisoformat(value[:19])
    return True


def validator(name):
    schema = json.loads((folder / name).read_text("utf-8"))
    return Draft202012Validator(schema, format_checker=checker)


normative = validator("events.schema.json")
reader = validator("events.open.schema.json")

for document in json.loads(pathlib.Path(sys.argv[2]).read_text("utf-8")):
    text = document["text"]
    value = json.loads(text)
    result = {"path": document["path"], "valid": normative.is_valid(value), "open": reader.is_valid(value)}
    if document["status"] != "invalid":
        try:
            result["out"] = write(read(text))
        except Exception as error:  # the table shows it
            result["error"] = str(error)
    print(json.dumps(result))
