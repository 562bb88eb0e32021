"""Events to a view: what a user interface shows of a stream. Its fields are described in docs/streams/view.md."""
from .folding import artifacts, parts, tasks
from .folding.builder import Builder

REDUCERS = {**tasks.REDUCERS, **parts.REDUCERS, **artifacts.REDUCERS}


def new_view() -> dict:
    return {"contextId": None, "tasks": [], "artifacts": [], "diagnostics": []}


def fold_event(view: dict, event: dict) -> None:
    """Changes a view by an event as decode_event returns it. Internal and unknown kinds change nothing."""
    reduce = REDUCERS.get(event["kind"])
    if reduce is None:
        return
    builder = Builder(view, event)
    task, parent = builder.task, event.get("parentTaskId")
    if "path" in event:
        task.setdefault("path", event["path"])
    if parent is not None:
        tasks.attach(task, parent)
    reduce(builder, event)
    task["updatedAt"] = event.get("timestampEnd", event["timestamp"])


def fold_view(events: list[dict]) -> dict:
    view = new_view()
    for event in events:
        fold_event(view, event)
    return view
