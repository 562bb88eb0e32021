"""Rules of iterations: the order in which model responses write, and what is reset."""
from .state import Segment, Stream, Task
from .texts import add_segment, open_segment

ITEMS = {"thought": "thoughtId", "tool": "toolCallId", "content": "contentId"}
EXCEPT = ("content-replace", "iteration-reset")


def check(stream: Stream, task: Task, event: dict):
    """Checks the iteration of a text, thought or call: that of its first event, which does not go back."""
    noun = event["kind"].split("-")[0]
    if noun not in ITEMS or event["kind"] in EXCEPT:
        return
    key, stated = (noun, event.get(ITEMS[noun])), event.get("iteration")
    if key in task.items:
        if None not in (stated, task.items[key]) and stated != task.items[key]:
            stream.report_at("iteration-kept", "/iteration")
    else:
        task.items[key] = stated
        if stated is not None and not (task.is_partial and stated < task.iteration):
            advance(stream, task, stated)
    if event["kind"] == "tool-start":
        task.started_iteration = task.items[key]
    if event["kind"] == "content-complete":
        task.completed.append((event.get("contentId"), task.items.pop(key)))


def settle(task: Task, event: dict):
    """Keeps what holds again if the latest iteration is reset."""
    if event["kind"] == "thought-stream" and task.items.get(("thought", event["thoughtId"])) != task.iteration:
        task.remaining = (task.next_thought, task.remaining[1])
    if event["kind"] == "content-complete" and task.completed[-1][1] != task.iteration:
        task.remaining = (task.remaining[0], task.last_content)


def advance(stream: Stream, task: Task, iteration: int) -> bool:
    if iteration < task.iteration:
        stream.report_at("iteration-order", "/iteration")
        return False
    if iteration > task.iteration:
        task.remaining, task.stage = (task.next_thought, task.last_content), "pre-llm"
    task.iteration = iteration
    return True


def content_replace(stream: Stream, task: Task, event: dict):
    content_id = event.get("contentId")
    segment, key = open_segment(task, content_id), ("content", content_id)
    completed = [each for each in task.completed if each[0] == content_id]
    if segment is None:
        if not completed and not task.is_partial:
            stream.report_at("replaced-known", "/contentId" if content_id is not None else "/kind")
        stored = [each for each in task.segments if each.content_id == content_id]
        segment = stored[-1] if stored else Segment(content_id)
        if not stored:
            add_segment(task, segment)
        task.items[key] = completed[-1][1] if completed else event.get("iteration")
        segment.is_reopened = bool(completed)
    if segment.is_reopened:
        task.last_content = None
    segment.is_open, segment.next_index, segment.text = True, 1, event["content"]


def iteration_reset(stream: Stream, task: Task, event: dict):
    number = event["iteration"]
    if not advance(stream, task, number):
        return
    if task.started_iteration == number:
        stream.report_at("reset-after-start", "/iteration")
    for (noun, item_id), iteration in list(task.items.items()):
        key = (*task.key, item_id)
        call = stream.calls.get(key) if noun == "tool" else None
        if iteration != number or (call and call.has_started):
            continue
        del task.items[(noun, item_id)]
        if noun == "thought":
            stream.thoughts.pop(key, None)
        elif noun == "tool":
            stream.calls.pop(key, None)
            task.open_calls = [each for each in task.open_calls if each != key]
        else:
            task.segments = [each for each in task.segments if each.content_id != item_id or not each.is_open]
    gone = {content_id for content_id, iteration in task.completed if iteration == number}
    task.segments = [each for each in task.segments if each.is_open or each.content_id not in gone]
    task.completed = [each for each in task.completed if each[1] != number]
    task.next_thought, task.last_content = task.remaining
    task.stage = "pre-llm"


CHECKS = {"content-replace": content_replace, "iteration-reset": iteration_reset}
