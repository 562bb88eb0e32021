"""Server-Sent Events: bytes, cut anywhere, to messages; and messages to text."""
import codecs
import json
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    event: str
    data: str | None  # None of a new id without a message
    id: str  # the last event id at the message


class SseDecoder:
    """One connection. `last_event_id` also moves with messages that have an id and no data."""

    def __init__(self, last_event_id: str = ""):
        self.last_event_id, self.retry = last_event_id, None
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest, self._follows_cr = "", False
        self._id, self._event, self._data = last_event_id, "", []

    @property
    def is_incomplete(self) -> bool:
        """Whether a message has begun and is not complete. An id alone is a heartbeat: nothing is lost with it."""
        return self._rest != "" or self._event != "" or self._data != []

    def feed(self, chunk: bytes) -> list[Message]:
        text = self._utf8.decode(chunk)
        if not text:
            return []
        if self._follows_cr:  # perhaps the second half of a CRLF
            text = text.removeprefix("\n")
        self._follows_cr = text.endswith("\r")
        *lines, self._rest = re.split(r"\r\n|\n|\r", self._rest + text)
        return [message for line in lines if (message := self._end_line(line))]

    def _end_line(self, line: str) -> Message | None:
        if not line:
            event, data, has_moved = self._event, self._data, self._id != self.last_event_id
            self.last_event_id, self._event, self._data = self._id, "", []
            if data:
                return Message(event or "message", "\n".join(data), self._id)
            return Message("", None, self._id) if has_moved else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and re.fullmatch("[0-9]{1,15}", value):
            self.retry = int(value)
        return None


def encode(data: dict, *, event: str | None = None, id: str | None = None) -> str:
    """A message with JSON data. Non-ASCII text is escaped, so no client takes U+2028 for a line end."""
    head = (f"event: {event}\n" if event else "") + (f"id: {id}\n" if id else "")
    return f"{head}data: {json.dumps(data, allow_nan=False, separators=(',', ':'))}\n\n"
