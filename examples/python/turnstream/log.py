"""A log in memory: events in one order, for readers that come and go."""
import asyncio
import uuid
from collections.abc import AsyncIterator

from .cursor import Cursor, format_event_id
from .resume import resume
from .sse import encode


class Log:
    def __init__(self, stream: str, max_events: int = 10_000):
        self.stream, self.epoch, self.max_events = stream, uuid.uuid4().hex, max_events
        self.earliest, self.events, self.closed = 0, [], False
        self._changed = asyncio.Event()

    @property
    def next(self) -> int:
        return self.earliest + len(self.events)

    def append(self, event: dict) -> None:
        self.events.append(event)
        if len(self.events) > self.max_events:
            self.events.pop(0)
            self.earliest += 1
        self._notify()

    def close(self) -> None:
        self.closed = True
        self._notify()

    def answer(self, last_event_id: str | None) -> tuple[int, AsyncIterator[str] | None]:
        """The status and the body for a reader."""
        answer = resume(self.extent, last_event_id)
        return (204, None) if answer["status"] == 204 else (200, self._body(answer))

    @property
    def extent(self) -> dict:
        names = ("stream", "epoch", "earliest", "next", "closed")
        return {name: getattr(self, name) for name in names}

    async def _body(self, answer: dict, heartbeat: float = 15) -> AsyncIterator[str]:
        yield "retry: 200\n\n"
        if "reset" in answer:
            reset = answer["reset"]
            at = reset["through"]
            # Without events: this log keeps no snapshot.
            data = {"type": "reset", "stream": self.stream, "epoch": self.epoch, **reset}
            yield encode(data, event="stream-reset", id=self._id(at))
        else:
            at = answer["after"]
        while True:
            changed = self._changed
            while at + 1 < self.next:
                at = max(at + 1, self.earliest)
                event = self.events[at - self.earliest]
                yield encode(event, event=event["kind"], id=self._id(at))
            if self.closed:
                yield encode({"type": "closed"}, event="stream-closed", id=self._id(at))
                return
            try:
                await asyncio.wait_for(changed.wait(), heartbeat)
            except TimeoutError:
                yield f": ping\nid: {self._id(at)}\n\n"

    def _id(self, seq: int) -> str:
        return format_event_id(Cursor(self.stream, self.epoch, seq))

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
