"""Reads every document through the generated classes and writes it again; validates it as well.

    client.py <folder of the version> <documents.json> > results.jsonl
"""
import json
import pathlib
import sys

import jsonschema_rs
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
        return json.dumps(event, allow_nan=False)  # NaN is no JSON
    return event.model_dump_json(by_alias=True)
# --- end


# --- validate
def validator(name: str) -> jsonschema_rs.Validator:
    schema = json.loads((folder / name).read_text("utf-8"))
    return jsonschema_rs.validator_for(schema, validate_formats=True)
# --- end


normative = validator("events.schema.json")
reader = validator("events.open.schema.json")


def build() -> None:
    """What the page shows of the models."""
    place = {"context_id": "c", "task_id": "t", "timestamp": "2026-01-01T00:00:00Z"}
    event = events.TaskStatusEvent(**place, status="completed", message=None)
    assert event.status == "completed" and event.kind == "task-status"
    assert json.loads(write(event)) == {
        "kind": "task-status",
        "status": "completed",
        "contextId": "c",
        "taskId": "t",
        "timestamp": "2026-01-01T00:00:00Z",
    }
    call = {"tool_call_id": "x", "tool_name": "y", "success": True}
    assert json.loads(write(events.ToolCompleteEvent(**place, **call, result=None)))["result"] is None
    assert "result" not in json.loads(write(events.ToolCompleteEvent(**place, **call)))


build()
for document in json.loads(pathlib.Path(sys.argv[2]).read_text("utf-8")):
    text = document["text"]
    value = json.loads(text)
    result = {"path": document["path"], "valid": normative.is_valid(value), "open": reader.is_valid(value)}
    try:
        result["out"] = write(read(text))
    except Exception as error:  # the table shows it
        result["error"] = str(error)
    print(json.dumps(result))
