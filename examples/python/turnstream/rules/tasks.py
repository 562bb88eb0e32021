"""Rules of tasks: how they begin, which order their events have, how they end."""
from ..instant import milliseconds
from . import artifacts, items, texts
from .state import FINAL, Stream, Task, add, remove

MAX_DEPTH = 16
STAGES = ("pre-llm", "post-llm", "pre-tool", "post-tool")


def start_task(stream: Stream, event: dict) -> Task:
    """The task of an event, which begins if it is unknown."""
    key = (event["contextId"], event["taskId"])
    parent_id, is_created = event.get("parentTaskId"), event["kind"] == "task-created"
    task = stream.tasks.get(key)
    if task is None:
        task = stream.tasks[key] = Task(key, is_partial=not is_created, next_thought=0 if is_created else None)
        if is_created:
            if parent_id is not None:
                join_parent(stream, task, parent_id)
            return task
        report_not_created(stream, "created-first" if parent_id is None else "subtask-first")
        if parent_id is not None:
            set_parent_of_partial(stream, task, parent_id)
    elif is_created:
        create_known(stream, task, parent_id)
    else:
        if task.status == "announced":
            report_not_created(stream, "created-first")
            task.status, task.is_partial, task.next_thought = "created", True, None
            mark_paired(stream, task)
        check_parent(stream, task, parent_id)
    return task


def report_not_created(stream: Stream, rule: str):
    if not stream.is_partial:
        stream.report_at(rule, "/kind")


def create_known(stream: Stream, task: Task, parent_id: str | None):
    if task.status == "announced":
        task.status = "created"
        if task.parent_id != parent_id:
            stream.report_at("subtask-parent", "/parentTaskId")
        mark_paired(stream, task)
    elif not task.is_partial:
        stream.report_at("created-once")
    elif stream.is_partial:
        stream.report_at("created-first")


def mark_paired(stream: Stream, task: Task):
    if task.parent in stream.tasks:
        remove(stream.tasks[task.parent].unpaired, task.id)


def join_parent(stream: Stream, task: Task, parent_id: str):
    key = (task.key[0], parent_id)
    parent = stream.tasks.get(key)
    task.parent, task.parent_id = key, parent_id
    task.depth = (parent.depth if parent else 0) + 1
    is_wrong = key == task.key or parent.has_ended if parent else not stream.is_partial
    if is_wrong or (parent and task.key in ancestors_of(stream, key)):
        stream.report_at("known-parent", "/parentTaskId")
    elif parent:
        check_depth(stream, task.depth)
        if parent.status == "waiting-subtask":
            parent.had_wait_reason = True
        parent.children.append(task.key)
        if not parent.is_partial:
            parent.unpaired.append(task.id)


def check_parent(stream: Stream, task: Task, parent_id: str | None):
    if parent_id is None or parent_id == task.parent_id:
        return
    if task.parent_id is None and task.is_partial:
        set_parent_of_partial(stream, task, parent_id)
    else:
        stream.report_at("known-parent", "/parentTaskId")


def set_parent_of_partial(stream: Stream, task: Task, parent_id: str):
    task.parent_id = parent_id
    if parent_id == task.id:
        stream.report_at("known-parent", "/parentTaskId")
    else:
        task.parent = (task.key[0], parent_id)


def check_depth(stream: Stream, depth: int):
    if depth > MAX_DEPTH:
        stream.report_at("known-parent")


def ancestors_of(stream: Stream, key) -> list:
    found = []
    while key is not None and len(found) <= MAX_DEPTH:
        found.append(key)
        task = stream.tasks.get(key)
        key = task.parent if task else None
    return found


def check_time(stream: Stream, task: Task, event: dict):
    at = milliseconds(event["timestamp"])
    latest = task.latest if task.latest is not None else at
    if at < latest:
        stream.report_at("time-order", "/timestamp")
    task.latest = max(latest, at, milliseconds(event.get("timestampEnd", event["timestamp"])))


def check_after_end(stream: Stream, task: Task, event: dict) -> bool:
    """Whether an event is checked further: the task has not ended, or it belongs to the end."""
    kind = event["kind"]
    if not task.has_ended:
        return True
    if kind == "task-created":
        return False
    if kind == "task-complete" and task.status == "completed" and not task.has_result:
        return True
    if kind == "task-status" and event["status"] == "completed" and not task.has_terminal_status:
        task.has_terminal_status = True
    elif kind == "task-complete" and task.status == "completed":
        stream.report_at("single-result")
    elif kind == "task-complete":
        stream.report_at("no-result-after-failure", "/kind")
    elif items.answers_ended_request(stream, event):
        stream.report_at("answer-after-end", "/kind")
    else:
        stream.report_at("nothing-after-end", "/kind")
    return False


def task_created(stream: Stream, task: Task, event: dict):
    if "parentTaskId" in event and event["initiator"] != "agent":
        stream.report_at("subtask-initiator", "/initiator")


def task_status(stream: Stream, task: Task, event: dict):
    status = event["status"]
    is_repeated = status == task.status
    if "error" in event and status != "failed":
        stream.report_at("error-with-failure", "/error")
    if status == "submitted" and task.status not in ("created", "submitted"):
        stream.report_at("status-order", "/status")
    if task.has_fatal_error and status not in ("failed", "canceled"):
        stream.report_at("fatal-error-ends-task", "/status")
    task.has_fatal_error = False
    if not is_repeated and status not in FINAL:
        check_wait_reason(stream, task)
    task.had_wait_reason = (is_repeated and task.had_wait_reason) or has_wait_reason(task, status)
    task.status = status
    if status in FINAL:
        task.has_terminal_status = True
        end_task(stream, task, status == "completed")


def task_complete(stream: Stream, task: Task, event: dict):
    content = event.get("content")
    if not task.has_ended:
        if task.has_fatal_error:
            stream.report_at("fatal-error-ends-task", "/kind")
        task.status = "completed"
        end_task(stream, task, True, content)
    task.has_result = True
    if content is not None and not texts.is_result(stream, task, content):
        stream.report_at("result-repeats-content", "/content")
    for i, artifact_id in enumerate(event.get("artifacts", ())):
        if not is_writer(stream, task, artifact_id):
            stream.report_at("result-artifacts", f"/artifacts/{i}")


def is_writer(stream: Stream, task: Task, artifact_id: str) -> bool:
    artifact = stream.artifacts.get((task.key[0], artifact_id))
    if artifact is None:
        return stream.is_partial
    if artifact.writers is None:
        return True
    for writer in artifact.writers:
        line = ancestors_of(stream, writer)
        root = stream.tasks.get(line[-1])
        if task.key in line or (root.is_partial if root else stream.is_partial):
            return True
    return False


def end_task(stream: Stream, task: Task, is_success: bool, content: str | None = None):
    texts.end_segments(stream, task, is_success, content)
    items.end_calls(stream, task, is_success)
    items.end_requests(stream, task)
    artifacts.end_writes(stream, task, is_success)
    report_unpaired(stream, task)
    if is_success and task.children:
        stream.report_at("children-end-first")
    task.children, task.unpaired = [], []
    if task.parent in stream.tasks:
        remove(stream.tasks[task.parent].children, task.key)


def report_unpaired(stream: Stream, task: Task):
    for _ in task.unpaired:
        stream.report_at("subtask-pair")


def check_stream_end(stream: Stream, task: Task):
    if task.has_result and not task.has_terminal_status and not task.is_partial:
        stream.report_at("completed-status")
    if task.status == "announced" or task.has_ended:
        return
    stream.report_at("task-ends")
    check_wait_reason(stream, task)
    report_unpaired(stream, task)


def has_wait_reason(task: Task, status: str) -> bool:
    waits_for = {"waiting-input": task.open_inputs, "waiting-auth": task.open_auths, "waiting-subtask": task.children}
    return bool(waits_for.get(status))


def note_wait_reason(task: Task):
    if has_wait_reason(task, task.status):
        task.had_wait_reason = True


def check_wait_reason(stream: Stream, task: Task):
    if task.status.startswith("waiting-") and not task.had_wait_reason and not task.is_partial:
        stream.report_at("waiting-for-something")


def subtask_created(stream: Stream, task: Task, event: dict):
    subtask_id = event["subtaskId"]
    key = (task.key[0], subtask_id)
    subtask = stream.tasks.get(key)
    if key == task.key:
        stream.report_at("subtask-parent", "/subtaskId")
    elif subtask is None:
        stream.tasks[key] = subtask = Task(key, "announced", parent=task.key, parent_id=task.id, depth=task.depth + 1)
        task.children.append(key)
        task.unpaired.append(subtask_id)
        check_depth(stream, subtask.depth)
        note_wait_reason(task)
    else:
        is_announced = subtask.status == "announced"
        if subtask.is_partial or (subtask_id in task.unpaired and not is_announced):
            remove(task.unpaired, subtask_id)
        elif not task.is_partial or is_announced:
            stream.report_at("subtask-parent", "/subtaskId")


def task_error(stream: Stream, task: Task, event: dict):
    error = event["error"]
    scope, retry, call_id = error.get("scope", "task"), error["retry"], error.get("toolCallId")
    if scope == "stream":
        stream.report_at("stream-error-outside", "/error/scope")
    call = stream.calls.get((*task.key, call_id))
    if scope == "tool" and call and call.state == "ended":
        stream.report_at("tool-error-before-end", "/error/toolCallId")
    if scope == "task" and retry in ("exhausted", "terminal"):
        task.has_fatal_error = True
    if retry == "retrying" and "attempt" in error:
        key, attempt = (scope, call_id, error["code"]), error["attempt"]
        if attempt <= task.attempts.get(key, 0) and attempt != 1:
            stream.report_at("attempt-order", "/error/attempt")
        task.attempts[key] = attempt


def iteration(stream: Stream, task: Task, event: dict):
    number, stage = event["iteration"], event.get("stage")
    if stage and number == task.iteration and stage != "pre-tool" and STAGES.index(stage) < STAGES.index(task.stage):
        stream.report_at("iteration-order", "/stage")
    if number < task.iteration:
        stream.report_at("iteration-order", "/iteration")
        return
    task.stage = stage or (task.stage if number == task.iteration else "pre-llm")
    task.iteration = number


CHECKS = {
    "task-created": task_created,
    "task-status": task_status,
    "task-complete": task_complete,
    "subtask-created": subtask_created,
    "task-error": task_error,
    "internal:thought-process": iteration,
    "internal:llm-call": iteration,
    "internal:checkpoint": iteration,
}
