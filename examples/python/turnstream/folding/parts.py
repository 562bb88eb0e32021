"""The parts of a task: text, thoughts, tool calls, requests, and an application's own."""
from .approvals import UNSTARTED, ask_about_call, asked_about, close_approval, is_asked, unstarted_status
from .builder import Builder, label_of, pick, set_metadata, without_label

MAX_STREAMS = 32
ENDED = ("completed", "failed", "canceled")
CONTEXT = ("kind", "timestamp", "contextId", "taskId", "parentTaskId", "path", "metadata")


def added(builder: Builder, expected: int, event: dict, item_id: str | None) -> tuple[str, int, bool] | None:
    """What a delta adds: text, next index, and whether there is a gap. None if it is repeated."""
    index = event["index"]
    end = max(index, event.get("indexEnd", index))
    if index == expected:
        return (event["delta"], end + 1, False)
    builder.diagnostic("repeated" if end < expected else "gap", item_id)
    # A merged delta that overlaps the text cannot be split.
    return None if end < expected else (event["delta"] if index > expected else "", end + 1, True)


def append(part: dict, addition: tuple[str, int, bool], name: str = "text") -> None:
    text, part["nextIndex"], has_gap = addition
    part[name] = part.get(name, "") + text
    if has_gap:
        part["hasGap"] = True


def content_delta(builder: Builder, event: dict) -> None:
    parts, content_id = builder.task["parts"], event.get("contentId")
    latest = open_text(builder, content_id)
    addition = added(builder, latest.get("nextIndex", 0) if latest else 0, event, content_id)
    if addition is None:
        return
    if latest is None or latest is not parts[-1] or latest.get("audience") != label_of(event):
        segment = latest["segment"] if latest else len(parts)
        first = latest if latest else event
        fields = {**pick(event, "contentId"), **pick(first, "iteration")}
        latest = builder.add_part("text", "open", segment=segment, **fields, text="")
    append(latest, addition)


def content_replace(builder: Builder, event: dict) -> None:
    parts, content_id = builder.task["parts"], event.get("contentId")
    if builder.task["status"] in ENDED:
        builder.diagnostic("after-end", content_id)
        return
    texts = [each for each in parts if each["type"] == "text" and each.get("contentId") == content_id]
    latest = open_text(builder, content_id) or (texts[-1] if texts else None)
    stretches = [each for each in texts if latest and each["segment"] == latest["segment"]]
    if not stretches:
        fields = pick(event, "contentId", "iteration")
        stretches = [builder.add_part("text", "open", segment=len(parts), **fields)]
    first = stretches[0]
    for name in ("hasGap", "finishReason", "metadata"):
        first.pop(name, None)
    first.update(status="open", text=event["content"], nextIndex=1)
    labels = [each["audience"] for each in stretches if "audience" in each]
    if labels:
        first["audience"] = [name for name in labels[0] if all(name in label for label in labels)]
    builder.label(first)
    remove(builder, lambda part: any(part is other for other in stretches[1:]))


def iteration_reset(builder: Builder, event: dict) -> None:
    if builder.task["status"] in ENDED:
        builder.diagnostic("after-end", None)
        return

    parts = builder.task["parts"]
    gone, calls = [], set()
    for part in parts:
        if part.get("iteration") != event["iteration"]:
            continue
        if part["type"] == "tool" and (has_started(part) or is_asked(parts, part)):
            builder.diagnostic("started-call", part["toolCallId"])
            continue
        gone.append(part)
        calls.update([part["toolCallId"]] if part["type"] == "tool" else [])
    remove(builder, lambda part: part in gone or (part["type"] == "input" and asked_about(part) in calls))


def has_started(part: dict) -> bool:
    if part["status"] in UNSTARTED:
        return False
    return bool(part.get("argumentsComplete")) or "progress" in part or part["status"] == "succeeded"


def remove(builder: Builder, is_removed) -> None:
    """Removes parts. Texts name the new positions of their first parts."""
    before = list(builder.task["parts"])
    rest = [part for part in before if not is_removed(part)]
    for at in range(len(rest) - 1, 0, -1):
        last, part = rest[at - 1], rest[at]
        is_text = last["type"] == part["type"] == "text" and last["segment"] == part["segment"]
        if is_text and last.get("audience") == part.get("audience"):
            # What stood between two stretches is gone: they are one.
            part.update(at=last["at"], text=last["text"] + part["text"], **pick(last, "hasGap"))
            last.clear()
            last.update(part)
            del rest[at]
    positions = {id(part): at for at, part in enumerate(rest)}
    for part in rest:
        if part["type"] == "text":
            part["segment"] = positions[id(before[part["segment"]])]
    builder.task["parts"][:] = rest


def content_complete(builder: Builder, event: dict) -> None:
    content, content_id = event["content"], event.get("contentId")
    latest, parts = open_text(builder, content_id), builder.task["parts"]
    if latest is None:
        fields = pick(event, "contentId", "iteration")
        latest = builder.add_part("text", "complete", segment=len(parts), **fields, text=content)
    else:
        stretches = [each for each in parts if each["type"] == "text" and each["segment"] == latest["segment"]]
        texts = [each["text"] for each in stretches]
        if "".join(texts) != content:
            if not any(each.get("hasGap") for each in stretches):
                builder.diagnostic("content-mismatch", content_id)
            texts = divide(content, texts)
        for part, text in zip(stretches, texts):
            part.update(status="complete", text=text)
            part.pop("nextIndex", None)
            part.pop("hasGap", None)
            builder.label(part)
    latest.update(pick(event, "finishReason"))
    set_metadata(latest, event.get("metadata"))


def open_text(builder: Builder, content_id: str | None) -> dict | None:
    for part in reversed(builder.task["parts"]):
        if part["type"] == "text" and part["status"] == "open" and part.get("contentId") == content_id:
            return part
    return None


def divide(content: str, stretches: list[str]) -> list[str]:
    """The content over its stretches: what equals them at both ends stays, the rest is in one."""
    first, last, start, end = 0, len(stretches) - 1, 0, len(content)
    while first < last and content.startswith(stretches[first], start):
        start += len(stretches[first])
        first += 1
    while last > first and content[start:end].endswith(stretches[last]):
        end -= len(stretches[last])
        last -= 1
    rest = [content[start:end]] + [""] * (last - first)
    return stretches[:first] + rest + stretches[last + 1 :]


def thought_delta(builder: Builder, event: dict) -> None:
    thought_id = event["thoughtId"]
    part = builder.part("thought", thoughtId=thought_id)
    if part and part["status"] != "open":
        builder.diagnostic("repeated", thought_id)
        return
    addition = added(builder, part["nextIndex"] if part else 0, event, thought_id)
    if addition is None:
        return
    labels = pick(event, "thoughtType", "verbosity")
    is_labeled = len(labels) == 2 and (part is None or pick(part, "thoughtType", "verbosity") == labels)
    if part is None:
        part = builder.add_part("thought", "open", thoughtId=thought_id, **pick(event, "iteration"), text="")
    else:
        builder.label(part)
    for name in ("thoughtType", "verbosity"):
        part.pop(name, None)
    part.update(labels if is_labeled else {})
    append(part, addition)


def thought_stream(builder: Builder, event: dict) -> None:
    thought_id, content = event["thoughtId"], event["content"]
    part = builder.part("thought", thoughtId=thought_id)
    if part is None:
        part = builder.add_part("thought", "complete", thoughtId=thought_id, **pick(event, "iteration"))
    elif part["status"] == "complete":
        builder.diagnostic("repeated", thought_id)
        return
    else:
        if not part.get("hasGap") and part["text"] != content:
            builder.diagnostic("content-mismatch", thought_id)
        builder.label(part)
    part.pop("nextIndex", None)
    part.pop("hasGap", None)
    part.update(status="complete", text=content, **pick(event, "thoughtType", "verbosity", "index"))
    set_metadata(part, event.get("metadata"))


def open_call(builder: Builder, event: dict, status: str) -> tuple[dict | None, bool]:
    """The call of an event, and whether it is new. A new one is not in the task before it is put there."""
    part = builder.part("tool", toolCallId=event["toolCallId"])
    if part is None:
        part = {"type": "tool", "at": event["timestamp"], "status": status, "toolCallId": event["toolCallId"]}
        return {**part, **pick(event, "iteration")}, True
    if part["status"] not in ("writing", "running", *UNSTARTED):
        builder.diagnostic("repeated", event["toolCallId"])
        return None, False
    return part, False


def begin(part: dict) -> None:
    """What a call that was asked about no longer has once it runs."""
    if part["status"] in UNSTARTED:
        part.pop("metadata", None)
    part.pop("error", None)
    if part.get("argumentsComplete") is True:
        part.pop("argumentsText", None)
        part.pop("nextIndex", None)


def put_call(builder: Builder, part: dict, is_new: bool) -> None:
    builder.label(part)
    if is_new:
        builder.task["parts"].append(part)


def tool_arguments_delta(builder: Builder, event: dict) -> None:
    part, is_new = open_call(builder, event, "writing")
    if part is None:
        return
    if part["status"] != "writing":
        builder.diagnostic("repeated", event["toolCallId"])
        return
    addition = added(builder, part.get("nextIndex", 0), event, event["toolCallId"])
    if addition is None:
        return
    part.update(toolName=event["toolName"], argumentsComplete=False)
    append(part, addition, "argumentsText")
    put_call(builder, part, is_new)


def tool_start(builder: Builder, event: dict) -> None:
    part, is_new = open_call(builder, event, "running")
    if part is None:
        return
    for name in ("argumentsText", "nextIndex", "hasGap", "metadata"):
        part.pop(name, None)
    begin(part)
    part.update(status="running", argumentsComplete=True, **pick(event, "toolName", "arguments"))
    set_metadata(part, event.get("metadata"))
    put_call(builder, part, is_new)


def tool_progress(builder: Builder, event: dict) -> None:
    part, is_new = open_call(builder, event, "running")
    if part is None:
        return
    begin(part)
    part["status"] = "running"
    metadata = dict(event.get("metadata", {}))
    stream, chunk = metadata.pop("stream", ""), metadata.pop("chunk", None)
    part["progress"] = pick(event, "progress", "message")
    if without_label(metadata):
        part["progress"]["metadata"] = without_label(metadata)
    output = part.get("output", {})
    if chunk is not None and stream not in output and len(output) >= MAX_STREAMS:
        builder.diagnostic("too-many-streams", event["toolCallId"])
    elif chunk is not None:
        part["output"] = {**output, stream: output.get(stream, "") + chunk}
    put_call(builder, part, is_new)


def tool_complete(builder: Builder, event: dict) -> None:
    part, is_new = open_call(builder, event, "running")
    if part is None:
        return
    if event["success"]:
        begin(part)
    status = "succeeded" if event["success"] else unstarted_status(part) or "failed"
    part.update(status=status, **pick(event, "toolName", "result", "error"))
    rest = without_label(event.get("metadata"))
    if rest is not None:
        part["metadata"] = {**part.get("metadata", {}), **rest}
    put_call(builder, part, is_new)


def required(kind: str):
    def reduce(builder: Builder, event: dict) -> None:
        name = f"{kind}Id"
        if builder.part(kind, **{name: event[name]}):
            builder.diagnostic("repeated", event[name])
            return
        request = {key: value for key, value in event.items() if key not in CONTEXT and key != name}
        set_metadata(request, event.get("metadata"))
        builder.add_part(kind, "open", **{name: event[name]}, request=request)
        if kind == "input":
            ask_about_call(builder, event)

    return reduce


def answered(kind: str, answer):
    """`answer` gives the fields that an event adds to the part of its request."""

    def reduce(builder: Builder, event: dict) -> None:
        name = f"{kind}Id"
        part = builder.part(kind, **{name: event[name]})
        if part and part["status"] != "open":
            builder.diagnostic("repeated", event[name])
            return
        if part is None:
            part = builder.add_part(kind, "open", **{name: event[name]})
        else:
            builder.label(part)
        part.update(answer(event))
        if kind == "input":
            close_approval(builder, part)

    return reduce


def with_metadata(event: dict, fields: dict) -> dict:
    set_metadata(fields, event.get("metadata"))
    return fields


def input_answer(event: dict) -> dict:
    answer = with_metadata(event, pick(event, "providedBy", "userId", "agentId"))
    return {"status": event.get("outcome", "answered"), "answer": answer}


def custom(builder: Builder, event: dict) -> None:
    if event.get("transient") is True:
        return
    custom_id = event.get("customId")
    part = builder.part("custom", customId=custom_id) if custom_id is not None else None
    if part is None:
        part = builder.add_part("custom", "complete", **pick(event, "customId"))
    else:
        builder.label(part)
        part.pop("metadata", None)
    part.update(pick(event, "name", "data"))
    set_metadata(part, event.get("metadata"))


REDUCERS = {
    "content-delta": content_delta,
    "content-replace": content_replace,
    "content-complete": content_complete,
    "iteration-reset": iteration_reset,
    "thought-delta": thought_delta,
    "thought-stream": thought_stream,
    "tool-arguments-delta": tool_arguments_delta,
    "tool-start": tool_start,
    "tool-progress": tool_progress,
    "tool-complete": tool_complete,
    "input-required": required("input"),
    "input-received": answered("input", input_answer),
    "input-canceled": answered("input", lambda event: {"status": "canceled", "reason": event["reason"]}),
    "auth-required": required("auth"),
    "auth-completed": answered("auth", lambda event: with_metadata(event, {"status": "completed", "userId": event["userId"]})),
    "auth-failed": answered("auth", lambda event: {"status": "failed", **pick(event, "reason", "message")}),
    "custom": custom,
}
