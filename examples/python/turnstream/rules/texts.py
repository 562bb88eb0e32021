"""Rules of text and thoughts: their deltas are numbered, and the whole repeats them."""
from .state import Segment, Stream, Task, Thought


def append(stream: Stream, task: Task, series, event: dict, rule: str, is_new: bool):
    """Appends a delta to a series, an object with `next_index` and `text`."""
    index = event["index"]
    end = event.get("indexEnd", index)
    if index == series.next_index and end >= index:
        series.text = None if series.text is None else series.text + event["delta"]
    else:
        is_joined_late = is_new and task.is_partial and rule == "delta-index" and end >= index
        if not is_joined_late:
            stream.report_at(rule, "/index")
        series.text = None
    series.next_index = max(index, end) + 1


def check_whole(stream: Stream, series, content: str):
    if series.text is not None and series.text != content:
        stream.report_at("whole-repeats-deltas", "/content")


def check_not_waiting(stream: Stream, task: Task):
    if task.status in ("waiting-input", "waiting-auth"):
        stream.report_at("silent-while-waiting", "/kind")


def open_segment(task: Task, content_id: str | None) -> Segment | None:
    found = (each for each in reversed(task.segments) if each.is_open and each.content_id == content_id)
    return next(found, None)


def add_segment(task: Task, segment: Segment):
    if not any(each.is_open for each in task.segments):
        task.segments = []
    task.segments.append(segment)


def content_delta(stream: Stream, task: Task, event: dict):
    check_not_waiting(stream, task)
    content_id = event.get("contentId")
    known = open_segment(task, content_id)
    if content_id is None:
        has_completed = task.has_earlier_segment
    else:
        has_completed = any(each.content_id == content_id and not each.is_open for each in task.segments)
    segment = known or Segment(content_id)
    rule = "segment-restarts" if known is None and has_completed else "delta-index"
    append(stream, task, segment, event, rule, known is None)
    if known is None:
        add_segment(task, segment)


def content_complete(stream: Stream, task: Task, event: dict):
    content, content_id = event["content"], event.get("contentId")
    segment = open_segment(task, content_id)
    if segment:
        check_whole(stream, segment, content)
    else:
        segment = Segment(content_id)
        add_segment(task, segment)
    segment.is_open, segment.text = False, content
    if content_id is None:
        task.has_earlier_segment = True
    task.last_content = None if segment.is_reopened else content


def end_segments(stream: Stream, task: Task, is_success: bool, content: str | None):
    still_open = [each for each in task.segments if each.is_open]
    if not still_open:
        return
    if content is not None:
        is_unknown = any(each.text is None for each in task.segments)
        if is_unknown or content in (join(still_open), join(task.segments)):
            task.last_content = content
            return
    for _ in still_open:
        stream.report_at("segment-open-at-success" if is_success else "segment-open-at-failure")
    task.last_content = None


def join(segments: list[Segment]) -> str:
    return "".join(each.text or "" for each in segments)


def is_result(stream: Stream, task: Task, content: str) -> bool:
    if task.last_content is None or task.last_content == content or task.is_partial:
        return True
    return content == "".join(each.text for each in task.segments if not each.is_open and each.text is not None)


def thought_delta(stream: Stream, task: Task, event: dict):
    key = (*task.key, event["thoughtId"])
    known = stream.thoughts.get(key)
    if known and known.is_complete:
        stream.report_at("thought-once", "/thoughtId")
        return
    thought = stream.thoughts.setdefault(key, Thought())
    append(stream, task, thought, event, "delta-index", known is None)
    check_labels(stream, thought, event)


def thought_stream(stream: Stream, task: Task, event: dict):
    key, index = (*task.key, event["thoughtId"]), event["index"]
    known = stream.thoughts.get(key)
    if known and known.is_complete:
        stream.report_at("thought-once", "/thoughtId")
    elif known:
        check_whole(stream, known, event["content"])
        check_labels(stream, known, event)
    if task.next_thought is not None and index != task.next_thought:
        stream.report_at("thought-index", "/index")
    task.next_thought = index + 1
    stream.thoughts[key] = Thought(is_complete=True)
    related = event.get("metadata", {}).get("relatedTo")
    if related is not None:
        stream.unresolved.append(((task.key[0], related), stream.index))


def check_labels(stream: Stream, thought: Thought, event: dict):
    for name in ("thoughtType", "verbosity"):
        if name in event:
            if thought.labels.setdefault(name, event[name]) != event[name]:
                stream.report_at("thought-labels", f"/{name}")
            thought.labels[name] = event[name]


def report_unresolved(stream: Stream):
    known = {(key[0], key[2]) for key in [*stream.thoughts, *stream.calls]}
    for key, index in stream.unresolved:
        if not stream.is_partial and key not in known:
            stream.report("related-known", index, "/metadata/relatedTo")


CHECKS = {
    "content-delta": content_delta,
    "content-complete": content_complete,
    "thought-delta": thought_delta,
    "thought-stream": thought_stream,
}
