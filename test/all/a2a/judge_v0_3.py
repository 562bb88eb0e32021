"""Judges items of A2A 0.3, one a line, by the types that the Python SDK generates from the JSON Schema of the
specification. Prints `1` or `0` for each.

    python3 judge_v0_3.py <items>
"""
import sys

from a2a.types import Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent
from pydantic import TypeAdapter, ValidationError

item = TypeAdapter(Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent)


def verdict(line):
    try:
        item.validate_json(line, strict=True)
        return "1"
    except ValidationError:
        return "0"


with open(sys.argv[1], encoding="utf-8") as lines:
    print("".join(verdict(line) for line in lines))
