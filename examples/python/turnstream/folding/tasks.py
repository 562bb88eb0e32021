"""Tasks: how they begin, what they do, how they end."""
from .approvals import end_call
from .builder import FINAL, Builder, find, pick


def attach(task: dict, parent_id: str) -> None:
    if task["parentTaskId"] is None and task["taskId"] != parent_id:
        task["parentTaskId"] = parent_id


def task_created(builder: Builder, event: dict) -> None:
    task = builder.task
    if "createdAt" in task:
        builder.diagnostic("repeated")
        return
    task.update(createdAt=event["timestamp"], initiator=event["initiator"])
    if "metadata" in event:
        rest = dict(event["metadata"])
        if "input" in rest:
            task["input"] = rest.pop("input")
        if rest or "input" not in task:
            task["metadata"] = rest


def task_status(builder: Builder, event: dict) -> None:
    task, status = builder.task, event["status"]
    if task["status"] in FINAL and task["status"] != status:
        builder.diagnostic("after-end")
        return
    set_status(builder, status)
    task.update(pick(event, "message", "error"))
    if "metadata" in event:
        task["statusMetadata"] = event["metadata"]


def task_complete(builder: Builder, event: dict) -> None:
    task = builder.task
    if (task["status"] in FINAL and task["status"] != "completed") or "result" in task:
        builder.diagnostic("after-end")
        return
    if task["status"] != "completed":
        set_status(builder, "completed")
    task["result"] = pick(event, "content", "artifacts")
    if "metadata" in event:
        rest = dict(event["metadata"])
        if "usage" in rest:
            task["usage"] = rest.pop("usage")
        if rest or "usage" not in event["metadata"]:
            task["result"]["metadata"] = rest


def set_status(builder: Builder, status: str) -> None:
    task = builder.task
    before, task["status"], task["statusAt"] = task["status"], status, builder.event["timestamp"]
    for name in ("message", "error", "statusMetadata"):
        task.pop(name, None)
    if status == before:
        return
    if status in FINAL:
        end_open_parts(builder)
    parent = builder.known_task(task["parentTaskId"])
    part = parent and find(parent["parts"], type="subtask", subtaskId=task["taskId"])
    if part:
        part["status"] = status


def end_open_parts(builder: Builder) -> None:
    for part in builder.task["parts"]:
        if part["type"] == "input" and part["status"] == "open":
            part.update(status="canceled", reason="task-ended")
        elif part["type"] == "tool":
            end_call(part)
        elif part["type"] in ("text", "thought", "auth") and part["status"] == "open":
            part["status"] = "ended"
        elif part["type"] == "artifact" and part["status"] == "writing":
            part["status"] = "ended"
            artifact = builder.artifact(part["artifactId"])
            if artifact and artifact.get("pending", {}).get("taskId") == builder.task["taskId"]:
                del artifact["pending"]
                builder.diagnostic("abandoned-write", part["artifactId"])


def task_error(builder: Builder, event: dict) -> None:
    builder.add_part("error", "complete", error=event["error"])


def subtask_created(builder: Builder, event: dict) -> None:
    subtask_id = event["subtaskId"]
    if builder.part("subtask", subtaskId=subtask_id):
        builder.diagnostic("repeated", subtask_id)
        return
    child = builder.task_for(subtask_id)
    builder.add_part("subtask", child["status"], subtaskId=subtask_id, **pick(event, "agentId"), prompt=event["prompt"])
    attach(child, builder.task["taskId"])
    if "prompt" not in child:
        child.update(pick(event, "prompt", "agentId"))


REDUCERS = {
    "task-created": task_created,
    "task-status": task_status,
    "task-complete": task_complete,
    "task-error": task_error,
    "subtask-created": subtask_created,
}
