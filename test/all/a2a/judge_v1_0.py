"""Judges items of A2A 1.0, one a line, by the JSON of their protocol buffers and the fields these require. Prints `1` or
`0` for each.

    python3 judge_v1_0.py <items>
"""
import sys

from a2a.types import StreamResponse
from a2a.utils.errors import InvalidParamsError
from a2a.utils.proto_utils import validate_proto_required_fields
from google.protobuf.json_format import Parse, ParseError


def verdict(line):
    try:
        item = Parse(line, StreamResponse())
        if item.WhichOneof("payload") is None:
            return "0"
        validate_proto_required_fields(item)
        return "1"
    except (ParseError, InvalidParamsError):
        return "0"


with open(sys.argv[1], encoding="utf-8") as lines:
    print("".join(verdict(line) for line in lines))
