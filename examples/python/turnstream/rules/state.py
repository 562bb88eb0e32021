"""What a verifier remembers of a stream."""
from collections.abc import Callable
from dataclasses import dataclass, field

Key = tuple[str, str]  # context and id: of tasks and artifacts; what belongs to a task has its id, too
FINAL = ("completed", "failed", "canceled")


@dataclass
class Segment:
    """A text of a task. `text` is None if deltas are missing."""

    content_id: str | None
    is_open: bool = True
    next_index: int = 0
    text: str | None = ""
    is_reopened: bool = False


@dataclass
class Task:
    key: Key
    status: str = "created"  # or "announced", or a status of the protocol
    is_partial: bool = False  # its beginning is unknown
    latest: tuple[int, str] | None = None
    had_wait_reason: bool = False
    has_result: bool = False
    has_terminal_status: bool = False
    parent: Key | None = None
    parent_id: str | None = None
    depth: int = 0
    children: list[Key] = field(default_factory=list)
    unpaired: list[str] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    has_earlier_segment: bool = False
    last_content: str | None = None
    next_thought: int | None = 0
    open_calls: list[tuple] = field(default_factory=list)
    open_inputs: list[tuple] = field(default_factory=list)
    open_auths: list[tuple] = field(default_factory=list)
    open_writes: list[Key] = field(default_factory=list)
    iteration: int = 0
    items: dict[tuple, int | None] = field(default_factory=dict)  # their iterations
    completed: list[tuple] = field(default_factory=list)  # texts and their iterations
    remaining: tuple = (0, None)  # next thought and last content, if the iteration is reset
    started_iteration: int | None = None
    stage: str = "pre-llm"
    has_fatal_error: bool = False
    attempts: dict[tuple, int] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.key[1]

    @property
    def has_ended(self) -> bool:
        return self.status in FINAL


@dataclass
class Call:
    state: str  # "writing", "running" or "ended"
    tool_name: str | None = None
    is_exclusive: bool = False
    progress: float = 0
    next_index: int = 0
    has_started: bool = False
    text: str | None = None  # of arguments that are written; None if deltas are missing


@dataclass
class Request:
    state: str  # "open", "answered" or "ended"
    require_user: bool = False
    expires_at: float | None = None


@dataclass
class Thought:
    is_complete: bool = False
    next_index: int = 0
    text: str | None = ""
    labels: dict[str, str] = field(default_factory=dict)


@dataclass
class Write:
    """A version of an artifact that is being written."""

    task_id: str
    next_index: int
    encoding: str | None
    version: int | None
    size: int
    expected_size: int | None
    descriptor: dict | None


@dataclass
class Artifact:
    type: str
    version: int | None  # None: unknown
    writers: list[Key] | None  # None: unknown
    pending: Write | None = None
    row_schema: dict | None = None


@dataclass
class Stream:
    report: Callable
    index: int
    is_partial: bool  # joined late
    tasks: dict[Key, Task] = field(default_factory=dict)
    calls: dict[tuple, Call] = field(default_factory=dict)
    requests: dict[tuple, Request] = field(default_factory=dict)
    thoughts: dict[tuple, Thought] = field(default_factory=dict)
    artifacts: dict[Key, Artifact] = field(default_factory=dict)
    reported: set = field(default_factory=set)
    unresolved: list[tuple[Key, int]] = field(default_factory=list)

    def report_at(self, rule: str, path: str | None = None):
        self.report(rule, self.index, path)

    def report_once(self, rule: str, key, path: str):
        if (rule, key) not in self.reported:
            self.reported.add((rule, key))
            self.report_at(rule, path)


def remove(items: list, item):
    if item in items:
        items.remove(item)


def add(items: list, item):
    if item not in items:
        items.append(item)
