"""Server-Sent Events: bytes, cut anywhere, to messages; and messages to text."""
import codecs
import json
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    event: str
    data: str
    id: str  # the last event id at the message


class SseDecoder:
    """One connection. `last_event_id` also moves with messages that have an id and no data."""

    def __init__(self, last_event_id: str = ""):
        self.last_event_id, self.retry = last_event_id, None
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._text, self._lines, self._id = "", [], last_event_id

    def feed(self, chunk: bytes) -> list[Message]:
        self._text += self._utf8.decode(chunk)
        # A CR at the end may be half of a CRLF.
        *lines, self._text = re.split(r"\r\n|\n|\r(?!\Z)", self._text)
        found = []
        for line in lines:
            if line:
                self._lines.append(line)
                continue
            message = self._dispatch()
            if message:
                found.append(message)
        return found

    def _dispatch(self) -> Message | None:
        event, data, lines = "", [], self._lines
        self._lines = []
        for line in lines:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                event = value
            elif name == "data":
                data.append(value)
            elif name == "id" and "\0" not in value:
                self._id = value
            elif name == "retry" and re.fullmatch("[0-9]+", value):
                self.retry = int(value)
        self.last_event_id = self._id
        return Message(event or "message", "\n".join(data), self._id) if data else None


def encode(data: dict, *, event: str | None = None, id: str | None = None) -> str:
    """A message with JSON data. Non-ASCII text is escaped, so no client takes U+2028 for a line end."""
    head = (f"event: {event}\n" if event else "") + (f"id: {id}\n" if id else "")
    return f"{head}data: {json.dumps(data, allow_nan=False, separators=(',', ':'))}\n\n"
