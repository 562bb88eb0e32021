"""Rules of tool calls, input requests and authentications."""
import ipaddress
import json
from urllib.parse import urlsplit

from ..instant import milliseconds
from .state import Call, Request, Stream, Task, add, remove
from .texts import check_not_waiting


def check_tool_name(stream: Stream, call: Call, name: str):
    if call.tool_name not in (None, name):
        stream.report_at("tool-name", "/toolName")


def tool_arguments_delta(stream: Stream, task: Task, event: dict):
    key, index = (*task.key, event["toolCallId"]), event["index"]
    end = event.get("indexEnd", index)
    known = stream.calls.get(key)
    if known and known.state != "writing":
        stream.report_at("arguments-before-start", "/toolCallId")
        return
    call = stream.calls.setdefault(key, Call("writing", text=""))
    check_tool_name(stream, call, event["toolName"])
    is_next = index == call.next_index and end >= index
    if not is_next and not (known is None and task.is_partial and end >= index):
        stream.report_at("delta-index", "/index")
    call.text = call.text + event["delta"] if is_next and call.text is not None else None
    call.tool_name, call.next_index = event["toolName"], max(index, end) + 1
    add(task.open_calls, key)


def check_responder(stream: Stream, event: dict):
    audience = event.get("metadata", {}).get("audience")
    if audience is not None and not (isinstance(audience, list) and "user" in audience):
        stream.report_at("responder-sees", "/metadata/audience")


def tool_start(stream: Stream, task: Task, event: dict):
    key = (*task.key, event["toolCallId"])
    known = stream.calls.get(key)
    if known and known.state != "writing":
        stream.report_at("tool-call-once", "/toolCallId")
        return
    check_not_waiting(stream, task)
    if known:
        check_tool_name(stream, known, event["toolName"])
        if known.text is not None and not is_json_of(known.text, event["arguments"]):
            stream.report_at("whole-repeats-deltas", "/arguments")
    is_exclusive = event.get("metadata", {}).get("concurrent") is False
    running = [stream.calls[other] for other in task.open_calls if stream.calls[other].state == "running"]
    if any(is_exclusive or other.is_exclusive for other in running):
        stream.report_at("tool-alone", "/metadata/concurrent" if is_exclusive else "/kind")
    stream.calls[key] = Call("running", event["toolName"], is_exclusive, has_started=True)
    add(task.open_calls, key)


def is_json_of(text: str, value: dict) -> bool:
    if text.strip() == "":
        return value == {}
    try:
        return json.loads(text) == value
    except ValueError:
        return False


def running_call(stream: Stream, task: Task, call_id: str, or_writing: bool = False) -> Call | None:
    key = (*task.key, call_id)
    call = stream.calls.get(key)
    if call and (call.state == "running" or (or_writing and call.state == "writing")):
        return call
    if task.is_partial and (call is None or call.state == "writing"):
        stream.calls[key] = call = call or Call("running")
        call.state = "running"
        return call
    stream.report_at("tool-call-open", "/toolCallId")
    return None


def tool_progress(stream: Stream, task: Task, event: dict):
    call, metadata = running_call(stream, task, event["toolCallId"]), event.get("metadata", {})
    if call is None:
        return
    if event["progress"] < call.progress:
        stream.report_at("progress-order", "/progress")
    completed = metadata.get("stepsCompleted", 0)
    if completed > metadata.get("stepsTotal", completed):
        stream.report_at("progress-order", "/metadata/stepsCompleted")
    call.progress = max(event["progress"], call.progress)


def tool_complete(stream: Stream, task: Task, event: dict):
    success = event["success"]
    call = running_call(stream, task, event["toolCallId"], not success)
    if success == ("error" in event):
        stream.report_at("tool-outcome", "/error")
    elif not success and event.get("result") is not None:
        stream.report_at("tool-outcome", "/result")
    if call is None:
        return
    check_tool_name(stream, call, event["toolName"])
    call.tool_name, call.state = event["toolName"], "ended"
    remove(task.open_calls, (*task.key, event["toolCallId"]))


def end_calls(stream: Stream, task: Task, is_success: bool):
    for key in task.open_calls:
        if stream.calls[key].state == "running":
            stream.report_at("tool-open-at-success" if is_success else "tool-open-at-failure")
        stream.calls[key].state = "ended"
    task.open_calls = []


def open_request(stream: Stream, task: Task, event: dict, kind: str, require_user: bool, seconds):
    from .tasks import note_wait_reason

    key = (kind, *task.key, event[f"{kind}Id"])
    if key in stream.requests:
        stream.report_at(f"{kind}-once", f"/{kind}Id")
        return
    expires_at = None if seconds is None else milliseconds(event["timestamp"]) + seconds * 1000
    stream.requests[key] = Request("open", require_user, expires_at)
    (task.open_inputs if kind == "input" else task.open_auths).append(key)
    note_wait_reason(task)


def answer_request(stream: Stream, task: Task, event: dict, kind: str, timestamp: str | None = None):
    key = (kind, *task.key, event[f"{kind}Id"])
    request = stream.requests.get(key)
    if request is None and task.is_partial:
        stream.requests[key] = Request("answered")
        return None
    if request is None or request.state != "open":
        stream.report_at(f"{kind}-open", f"/{kind}Id")
        return None
    if timestamp and request.expires_at is not None and milliseconds(timestamp) > request.expires_at:
        stream.report_at("answer-in-time", "/timestamp")
    request.state = "answered"
    remove(task.open_inputs if kind == "input" else task.open_auths, key)
    return request


def answers_ended_request(stream: Stream, event: dict) -> bool:
    kind = event["kind"].split("-")[0]
    if event["kind"] not in ("input-received", "input-canceled", "auth-completed", "auth-failed"):
        return False
    request = stream.requests.get((kind, event["contextId"], event["taskId"], event[f"{kind}Id"]))
    return request is not None and request.state == "ended"


def end_requests(stream: Stream, task: Task):
    for key in task.open_inputs + task.open_auths:
        stream.requests[key].state = "ended"
    task.open_inputs, task.open_auths = [], []


def input_required(stream: Stream, task: Task, event: dict):
    metadata = event.get("metadata", {})
    if event.get("requireUser"):
        check_responder(stream, event)
    if event["inputType"] == "selection" and not event.get("options"):
        stream.report_at("input-details", "/options")
    if event["inputType"] == "tool-execution" and "toolCall" not in metadata:
        stream.report_at("input-details", "/metadata/toolCall")
    open_request(stream, task, event, "input", event.get("requireUser", False), metadata.get("timeout"))


def input_received(stream: Stream, task: Task, event: dict):
    request = answer_request(stream, task, event, "input", event["timestamp"])
    is_user = event["providedBy"] == "user"
    if request and request.require_user and not is_user:
        stream.report_at("user-answers", "/providedBy")
    own, other = ("userId", "agentId") if is_user else ("agentId", "userId")
    if own not in event:
        stream.report_at("answerer-named", f"/{own}")
    elif other in event:
        stream.report_at("answerer-named", f"/{other}")


def auth_required(stream: Stream, task: Task, event: dict):
    check_responder(stream, event)
    url = event.get("authUrl")
    if url is None:
        if event["authType"] == "oauth2":
            stream.report_at("auth-url", "/authUrl")
    elif not is_safe_url(url):
        stream.report_at("auth-url-safe", "/authUrl")
    open_request(stream, task, event, "auth", True, event.get("metadata", {}).get("expiresIn"))


def is_safe_url(url: str) -> bool:
    """https, http of the same computer, or the scheme of an app, which has a dot."""
    try:
        parts = urlsplit(url.strip())
        if parts.scheme == "http":
            host = parts.hostname or ""
            return host.endswith("localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
    return (parts.scheme == "https" and bool(parts.hostname)) or "." in parts.scheme


CHECKS = {
    "tool-arguments-delta": tool_arguments_delta,
    "tool-start": tool_start,
    "tool-progress": tool_progress,
    "tool-complete": tool_complete,
    "input-required": input_required,
    "input-received": input_received,
    "input-canceled": lambda stream, task, event: answer_request(stream, task, event, "input"),
    "auth-required": auth_required,
    "auth-completed": lambda stream, task, event: answer_request(stream, task, event, "auth", event["timestamp"]),
    "auth-failed": lambda stream, task, event: answer_request(stream, task, event, "auth"),
}
