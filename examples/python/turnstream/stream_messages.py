"""Messages about a stream, which stand between its events. Their schemas are in schemas/stream/1.0."""
from dataclasses import dataclass

from .cursor import Cursor
from .package import read_json
from .schema import fault_of, without_nulls


@dataclass(frozen=True)
class Reset:
    reason: str
    end: Cursor  # the cursor after it
    events: list | None  # None if the server has no snapshot
    part: int
    more: bool


def is_count(value, least: int = 0) -> bool:
    return type(value) in (int, float) and least <= value < 2**53 and value == int(value)


def is_text(value) -> bool:
    return isinstance(value, str) and value != ""


def is_loss(value: dict) -> bool:
    loss = value.get("loss")
    return isinstance(loss, dict) and all(is_count(count) for count in loss.values())


def parse_forgotten(value: dict) -> dict | None:
    """The tasks that the server no longer has. None if they are not valid."""
    root = read_json("schemas/stream/1.0/events.schema.json")
    definition = root["$defs"]["StreamForgottenMessage"]
    if fault_of(root, definition, value):
        return None
    message = without_nulls(root, definition, value)
    more = {"more": True} if message.get("more") else {}
    return {"tasks": message["tasks"], "before": message["before"], **more}


def parse_reset(value: dict) -> Reset | None:
    """A message of a reset. None if it is not valid."""
    reason, stream, epoch, filter_id = (value.get(name) for name in ("reason", "stream", "epoch", "filter"))
    through, part, more = value.get("through"), value.get("part") or 0, value.get("more") or False
    events = value.get("events")
    is_valid = (
        all(is_text(name) for name in (reason, stream, epoch))
        and (filter_id is None or is_text(filter_id))
        and is_count(through, -1)
        and is_count(value.get("earliest"))
        and (events is None or isinstance(events, list))
        and is_count(part)
        and isinstance(more, bool)
    )
    return Reset(reason, Cursor(stream, epoch, int(through), filter_id), events, part, more) if is_valid else None
