"""The reader of a stream: keeps the view and the cursor after it, over any number of connections."""
import json

from .decode import decode_event
from .fold import fold_event, new_view
from .sse import Message, SseDecoder


class StreamReader:
    """Store `view` and `cursor` together: a reader made of both goes on where this one was."""

    def __init__(self, view: dict | None = None, cursor: str = ""):
        self.view, self.cursor, self.is_closed = view or new_view(), cursor, False
        self.ignored: list = []  # what is no event that this version knows
        self._decoder, self._parts = SseDecoder(cursor), []

    @property
    def retry(self) -> float:
        """How long to wait before the next connection, in seconds."""
        return (self._decoder.retry if self._decoder.retry is not None else 1000) / 1000

    def connect(self) -> dict[str, str]:
        """Begins a connection. Returns its headers."""
        self._decoder, self._parts = SseDecoder(self.cursor), []
        return {"last-event-id": self.cursor} if self.cursor else {}

    def feed(self, chunk: bytes) -> list[dict]:
        """The new events in a chunk of the body, folded into the view. After a reset, those of the snapshot."""
        events = [event for message in self._decoder.feed(chunk) for event in self._receive(message)]
        # While a reset is not complete, the cursor stays before it.
        if not self._parts:
            self.cursor = self._decoder.last_event_id
        return events

    def _receive(self, message: Message) -> list[dict]:
        try:
            value = json.loads(message.data)
        except ValueError:
            value = None
        kind = value.get("type") if isinstance(value, dict) and "kind" not in value else None
        if kind == "reset":
            return self._reset(value)
        if kind == "closed":
            self.is_closed = True
            return []
        if kind == "loss":
            return []
        return self._fold([value])

    def _reset(self, value: dict) -> list[dict]:
        if value.get("part", 0) == 0:
            self._parts = []
        self._parts.append(value.get("events") or [])
        if value.get("more"):
            return []
        events = [event for part in self._parts for event in part]
        self.view, self._parts = new_view(), []
        return self._fold(events)

    def _fold(self, values: list) -> list[dict]:
        events = []
        for value in values:
            status, result = decode_event(value)
            if status == "known":
                fold_event(self.view, result)
                events.append(result)
            else:
                self.ignored.append(value)
        return events
