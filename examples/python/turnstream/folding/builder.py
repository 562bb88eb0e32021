"""A view that an event changes."""

MAX_DIAGNOSTICS = 64
AUDIENCES = ("user", "coordinator", "parent", "observer", "operator")
FINAL = ("completed", "failed", "canceled")


class Builder:
    def __init__(self, view: dict, event: dict):
        self.view, self.event = view, event
        self.context_id = event["contextId"]
        if view["contextId"] is None:
            view["contextId"] = self.context_id
        self.task = self.task_for(event["taskId"])

    def known_task(self, task_id: str | None) -> dict | None:
        return find(self.view["tasks"], contextId=self.context_id, taskId=task_id)

    def task_for(self, task_id: str) -> dict:
        task = self.known_task(task_id)
        if task is None:
            task = {"taskId": task_id, "contextId": self.context_id, "parentTaskId": None, "status": None, "parts": [], "updatedAt": None}
            self.view["tasks"].append(task)
        return task

    def part(self, kind: str, **ids) -> dict | None:
        return find(self.task["parts"], type=kind, **ids)

    def add_part(self, kind: str, status: str, **fields) -> dict:
        part = {"type": kind, "at": self.event["timestamp"], "status": status}
        self.label(part)
        part.update(fields)
        self.task["parts"].append(part)
        return part

    def artifact(self, artifact_id: str) -> dict | None:
        return find(self.view["artifacts"], contextId=self.context_id, artifactId=artifact_id)

    def label(self, item: dict) -> None:
        """Narrows the audience of a part or an artifact to that of the event."""
        audience = common(item.get("audience"), label_of(self.event))
        if audience is not None:
            item["audience"] = audience

    def diagnostic(self, code: str, item_id: str | None = None) -> None:
        diagnostics = self.view["diagnostics"]
        found = {"code": code, "kind": self.event["kind"], "taskId": self.event["taskId"]}
        diagnostics.append(found if item_id is None else {**found, "id": item_id})
        del diagnostics[:-MAX_DIAGNOSTICS]


def find(items: list[dict], **fields) -> dict | None:
    """The latest item with these values."""
    for item in reversed(items):
        if all(item.get(name) == value for name, value in fields.items()):
            return item
    return None


def label_of(event: dict) -> list[str] | None:
    label = (event.get("metadata") or {}).get("audience")
    if label is None:
        return None
    if not isinstance(label, list) or not all(isinstance(name, str) for name in label):
        return []
    return [name for name in AUDIENCES if name in label]


def common(a: list[str] | None, b: list[str] | None) -> list[str] | None:
    if a is None or b is None:
        return b if a is None else a
    return [name for name in a if name in b]


def without_label(metadata: dict | None) -> dict | None:
    """Metadata without its audience; None if nothing else is in it."""
    if metadata is None or "audience" not in metadata:
        return metadata
    return {name: value for name, value in metadata.items() if name != "audience"} or None


def set_metadata(item: dict, metadata: dict | None) -> None:
    rest = without_label(metadata)
    if rest is not None:
        item["metadata"] = rest


def pick(source: dict, *names: str) -> dict:
    return {name: source[name] for name in names if name in source}
