"""The reader of a stream: keeps the view and the cursor after it, over any number of connections."""
import json
from dataclasses import replace

from .cursor import Cursor, format_event_id, parse_event_id
from .decode import decode_event
from .fold import fold_event, new_view
from .sse import Message, SseDecoder
from .stream_messages import Reset, is_loss, parse_forgotten, parse_reset


class StreamReader:
    """Store `view` and `cursor` together: a reader made of both goes on where this one was."""

    def __init__(self, view: dict | None = None, cursor: str = ""):
        self.view, self.position, self.is_closed = view or new_view(), parse_event_id(cursor), False
        self.diagnostics: list[str] = []  # codes of what was dropped
        self.connect()

    @property
    def cursor(self) -> str:
        return "" if self.position is None else format_event_id(self.position)

    @property
    def retry(self) -> float:
        """How long to wait before the next connection, in seconds."""
        return (self._decoder.retry if self._decoder.retry is not None else 1000) / 1000

    def connect(self) -> dict[str, str]:
        """Begins a connection. Returns its headers."""
        self._decoder, self._id, self._before = SseDecoder(self.cursor), self.cursor, self.position
        self._loss, self._forgotten, self._parts, self._skipped = None, None, None, None
        self.has_gap, self._is_lost = False, False
        return {"last-event-id": self.cursor} if self.cursor else {}

    def feed(self, chunk: bytes) -> list[dict]:
        """What is new in a chunk of the body, after it was folded: { event }, { loss }, { reset }, { closed } or { gap }."""
        items = []
        for message in self._decoder.feed(chunk):
            for item in self._receive(message):
                if not self.has_gap or "gap" not in item:  # once for all that are dropped
                    items.append(item)
                self.has_gap = "gap" in item
        return items

    def end(self) -> None:
        """Ends a connection. One that ends within a loss or a reset gets it again next time."""
        if self._decoder.is_incomplete:
            self.diagnostics.append("incomplete-message")

    def _receive(self, message: Message) -> list[dict]:
        own_id, self._id = message.id if message.id != self._id else None, message.id
        if message.data is None:
            return [*self._interrupt(), *self._skip_to(own_id)]
        try:
            value, is_json = json.loads(message.data), True
        except (ValueError, RecursionError):
            value, is_json = None, False
        kind = value.get("type") if isinstance(value, dict) and value.get("kind") is None else None
        if kind == "reset" or (not is_json and message.event == "stream-reset"):
            items = self._reset(parse_reset(value) if is_json else None, own_id)
            if items is not None:
                return items
        if kind == "loss" and is_loss(value):
            items = [*self._interrupt(), *self._move(parse_event_id(own_id))]
            self._loss = value["loss"]
            return items
        forgotten = parse_forgotten(value) if kind == "forgotten" else None
        if forgotten is not None:
            items = [*self._interrupt(), *self._move(parse_event_id(own_id))]
            self._forgotten = forgotten
            return items
        if kind == "closed":
            return [*self._interrupt(), *self._move(parse_event_id(own_id)), *self._close()]
        return self._event(message, value, own_id)

    def _event(self, message: Message, value, own_id: str | None) -> list[dict]:
        status, result = decode_event(value)
        if status != "invalid" and message.event not in ("message", result["kind"], result["kind"].removeprefix("internal:")):
            self.diagnostics.append("event-name")
        items = self._interrupt()
        event = self._known(status, result)
        if event is None:
            return items if own_id is None else [*items, *self._skip_to(own_id)]
        to = parse_event_id(own_id)
        if to is None:
            self.diagnostics.append("no-event-id")
        return [*items, *self._move(to, event)]

    def _known(self, status: str, result) -> dict | None:
        if status == "known":
            return result
        self.diagnostics.append("unknown-kind" if status == "unknown" else "invalid-event")
        return None

    def _skip_to(self, own_id: str) -> list[dict]:
        """Moves to an id without an event: those before it that did not come are hidden."""
        to = parse_event_id(own_id)
        if to is None:
            self.diagnostics.append("no-event-id")
        return self._move(to)

    def _move(self, to: Cursor | None, event: dict | None = None) -> list[dict]:
        """Moves to the position of a message, and gives what is new there."""
        if to is None or self._is_lost:
            return []
        before, have, loss = self._before, self.position, self._loss
        self._before, self._loss = to, None
        if have is not None:
            if source_of(have) != source_of(to):
                return GAP
            follows = source_of(before) == source_of(to) and before.seq < to.seq
            start = before.seq if follows else max(-1, to.seq - 1)
            if to.seq <= have.seq:
                return []
            # An event after one that was skipped may be merged from events on both sides of the cursor.
            if start > have.seq or (event is not None and start < have.seq):
                return GAP
        self.position = to
        items = [] if loss is None else [{"loss": loss}]
        if event is not None:
            fold_event(self.view, event)
            items.append({"event": event})
        return items

    def _close(self) -> list[dict]:
        at, have, self._loss = self._before, self.position, None
        if self._is_lost or at is None or have is None:
            return []
        if source_of(at) != source_of(have) or at.seq > have.seq:
            return GAP
        if self.is_closed or at.seq < have.seq:
            return []
        self.is_closed = True
        return [{"closed": True}]

    def _reset(self, reset: Reset | None, own_id: str | None) -> list[dict] | None:
        """Adds a message of a reset. None if it is not valid, and there is no state yet that it could replace."""
        parts, skipped = self._parts, self._skipped
        if reset is None:
            is_placed = parse_event_id(own_id) or self._before or parts or skipped or self._is_lost
            if not is_placed:
                return None
            self._parts = self._skipped = None
            return self._drop()
        if reset.part == 0:
            if parts is not None:
                self.diagnostics.append("incomplete-reset")
            self._parts, self._skipped = [], None
        elif skipped == reset.end:  # reported with the message that is missing
            self._skipped = reset.end if reset.more else None
            return self._skip_events(reset)
        elif not parts or parts[-1].end != reset.end or reset.part != len(parts):
            self._parts, self._skipped = None, reset.end if reset.more else None
            return [*self._skip_events(reset), *self._drop()]
        known = None if reset.events is None else self._known_events(reset)
        self._parts.append(replace(reset, events=known))
        return [] if reset.more else self._complete(reset)

    def _complete(self, last: Reset) -> list[dict]:
        lists, self._parts = [part.events for part in self._parts], None
        has_events = all(events is not None for events in lists)
        events = [event for each in lists for event in each] if has_events else []
        self.view, self.position, self._before = new_view(), last.end, last.end
        self._loss, self._is_lost, self.is_closed = None, False, False
        for event in events:
            fold_event(self.view, event)
        reset = {"reason": last.reason, "events": events if has_events else None, "forgotten": self._forgotten}
        self._forgotten = None
        return [{"reset": {name: value for name, value in reset.items() if value is not None}}]

    def _known_events(self, reset: Reset) -> list[dict]:
        return [event for each in reset.events or [] if (event := self._known(*decode_event(each))) is not None]

    def _skip_events(self, reset: Reset) -> list[dict]:
        self._known_events(reset)
        return []

    def _interrupt(self) -> list[dict]:
        """A reset that another message follows before its last one."""
        is_interrupted, self._parts, self._skipped = self._parts is not None, None, None
        return self._drop() if is_interrupted else []

    def _drop(self) -> list[dict]:
        """Drops a reset: what was folded is no longer valid, so nothing counts until the next one, or the next connection."""
        self.diagnostics.append("incomplete-reset")
        self._is_lost = True
        return GAP


GAP = [{"gap": True}]


def source_of(cursor: Cursor) -> tuple:
    return (cursor.stream, cursor.epoch, cursor.filter)
