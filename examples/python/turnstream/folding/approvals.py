"""Requests to approve tool calls: what a page shows of them is at the call."""

import json

from .builder import Builder, pick

UNSTARTED = ("waiting", "declined", "expired", "canceled")


def call_to_approve(request: dict | None) -> dict | None:
    metadata = (request or {}).get("metadata") or {}
    return None if metadata.get("provider") == "client" else metadata.get("toolCall")


def asked_about(part: dict) -> str | None:
    call = call_to_approve(part.get("request"))
    return call and call["id"]


def is_asked(parts: list[dict], call: dict) -> bool:
    """Whether somebody is asked about a call."""
    asks = (part for part in parts if part["type"] == "input" and part["status"] == "open")
    return any(asked_about(part) == call["toolCallId"] for part in asks)


def unstarted_status(part: dict) -> str | None:
    """The status of a call that was asked about and ends without having started; None if it was not, or has."""
    if part["status"] not in UNSTARTED:
        return None
    return "canceled" if part["status"] == "waiting" else part["status"]


def ask_about_call(builder: Builder, event: dict) -> None:
    call = call_to_approve(event)
    if call is None:
        return
    properties = (event.get("schema") or {}).get("properties")
    editable = isinstance(properties, dict) and "arguments" in properties
    approval = {**pick(event, "inputId", "prompt"), "editable": editable, "status": "waiting"}
    part = builder.part("tool", toolCallId=call["id"])
    if part is None:
        part = builder.add_part("tool", "waiting", toolCallId=call["id"])
    else:
        builder.label(part)
    part["approval"] = approval
    if part["status"] not in ("writing", *UNSTARTED):
        return
    text, was_streamed = call["function"].get("arguments"), "nextIndex" in part
    for name in ("arguments", "argumentsComplete", "hasGap", "error", "metadata"):
        part.pop(name, None)
    part.update(status="waiting", toolName=call["function"]["name"])
    value = parsed(text)
    if isinstance(value, dict):
        part.update(arguments=value, argumentsComplete=True)
    if was_streamed:
        part["argumentsText"] = text if isinstance(text, str) else part.get("argumentsText", "")
        part.setdefault("argumentsComplete", False)


def close_approval(builder: Builder, request: dict) -> None:
    """`request` is the part of a request that was closed."""
    call = asked_about(request)
    part = call and builder.part("tool", toolCallId=call)
    if not part or part.get("approval", {}).get("inputId") != request["inputId"]:
        return
    names = {"answered": "approved", "declined": "declined"}
    outcome = names.get(request["status"]) or ("expired" if request.get("reason") == "expired" else "canceled")
    part["approval"] = {**part["approval"], "status": outcome}
    if part["status"] in UNSTARTED and outcome != "approved":
        part["status"] = outcome


def end_call(part: dict) -> None:
    """What the end of its task makes of a call."""
    if part["status"] in ("writing", "running"):
        part["status"] = "ended"
    elif part["status"] == "waiting":
        part["status"] = "canceled"
    if part.get("approval", {}).get("status") == "waiting":
        part["approval"] = {**part["approval"], "status": "canceled"}


def parsed(text: object) -> object:
    if not isinstance(text, str):
        return None
    try:
        return json.loads(text) if text.strip() else {}
    except ValueError:
        return None
