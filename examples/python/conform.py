"""The adapter of the conformance kit: one case in, one result out.

    npx turnstream conformance -- python3 examples/python/conform.py
"""
import base64
import json
import sys

from turnstream.cursor import format_event_id, parse_event_id
from turnstream.decode import decode_event
from turnstream.fold import fold_view
from turnstream.reader import StreamReader
from turnstream.resume import resume
from turnstream.sse import SseDecoder
from turnstream.verify import verify


def decode(case):
    status, result = decode_event(case["value"])
    if status != "invalid":
        return {"status": status, "event": result}
    code, path = result
    return {"status": status, "issue": {"code": code, "path": path}}


def cursor(case):
    found = parse_event_id(case["id"])
    if found is None:
        return {"cursor": None}
    fields = {name: value for name, value in vars(found).items() if value is not None}
    return {"cursor": fields, "id": format_event_id(found)}


def verify_all(case):
    options = {"start_index": case.get("startIndex", 0), "external": case.get("external", False)}
    return {mode: verify(case["events"], mode, **options) for mode in ("strict", "standard", "lenient")}


def sse(case):
    decoder = SseDecoder()
    body = case["text"].encode() if "text" in case else base64.b64decode(case["base64"])
    output = {"messages": [vars(message) for message in decoder.feed(body) if message.data is not None], "lastEventId": decoder.last_event_id}
    return output if decoder.retry is None else {**output, "retry": decoder.retry}


def wire(case):
    reader, received = StreamReader(cursor=case.get("lastEventId", "")), []
    for body in case["connections"]:
        reader.connect()
        received += reader.feed(body.encode())
        reader.end()
    return {"received": received, "diagnostics": reader.diagnostics, "lastEventId": reader.cursor}


suites = {
    "decode": decode,
    "cursor": cursor,
    "resume": lambda case: resume(case["log"], case["lastEventId"], case.get("filter")),
    "verify": verify_all,
    "fold": lambda case: fold_view(case["events"]),
    "sse": sse,
    "wire": wire,
}

for line in sys.stdin:
    case = json.loads(line)
    handler = suites.get(case["suite"])
    answer = {"output": handler(case["input"])} if handler else {"unsupported": True}
    print(json.dumps({"name": case["name"], **answer}), flush=True)
