"""The verifier of streams: which rules of rules.json, of the conformance kit, a stream breaks."""
from dataclasses import dataclass, field

from .decode import decode_event, known_fields
from .package import read_kit
from .rules import artifacts, items, iterations, tasks, texts
from .rules.state import Call, Request, Stream, Task, Thought

RANGES = {
    "/timestamp": "timestamp-format",
    "/timestampEnd": "timestamp-format",
    "/progress": "progress-range",
    "/metadata/confidence": "confidence-range",
}


def verify(events: list, mode: str = "standard", *, start_index: int = 0, external: bool = False) -> list[dict]:
    """The violations of a stream, sorted. With `start_index`, what came before the first event is unknown."""
    severities = {each["rule"]: each["severity"][mode] for each in read_kit("rules.json")}
    violations = []

    def report(rule: str, index: int, path: str | None = None):
        if severities[rule] != "off":
            where = {} if path is None else {"path": path}
            violations.append({"rule": rule, "severity": severities[rule], "eventIndex": index, **where})

    stream = Stream(report=report, index=start_index, is_partial=start_index > 0)
    for value in events:
        check(stream, value, external)
        stream.index += 1
    for task in stream.tasks.values():
        tasks.check_stream_end(stream, task)
    texts.report_unresolved(stream)
    violations.sort(key=lambda each: (each["eventIndex"], each["rule"], each.get("path", "")))
    return violations


def check(stream: Stream, value, external: bool):
    status, result = decode_event(value)
    if status == "invalid":
        code, path = result
        is_range = code in ("out-of-range", "invalid-format")
        stream.report_at(RANGES.get(path, "well-formed") if is_range else "well-formed", path)
        return
    event = result
    kind = event["kind"]
    if external and kind.startswith("internal:"):
        stream.report_at("internal-hidden", "/kind")
    for path in halves(event):
        if not (kind == "file-write" and path.startswith("/data")):
            stream.report_at("unicode-text", path)
    if status == "unknown":
        stream.report_once("unknown-kind", kind, "/kind")
        return
    task = tasks.start_task(stream, event)
    tasks.check_time(stream, task, event)
    for name in event.keys() - known_fields(kind):
        stream.report_once("unknown-field", (kind, name), f"/{name}")
    if tasks.check_after_end(stream, task, event):
        checker = CHECKS.get(kind)
        iterations.check(stream, task, event)
        if checker:
            checker(stream, task, event)
        iterations.settle(task, event)


CHECKS = {**tasks.CHECKS, **texts.CHECKS, **items.CHECKS, **iterations.CHECKS, **artifacts.CHECKS}


def halves(value, path: str = "") -> list[str]:
    """The places of texts with half a surrogate pair."""
    if isinstance(value, str):
        return [path] if any("\ud800" <= char <= "\udfff" for char in value) else []
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, inner in members for found in halves(inner, f"{path}/{key}")]
