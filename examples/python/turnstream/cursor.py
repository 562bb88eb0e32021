"""Event ids: how far a reader has read a stream. The grammar is in schemas/stream/1.0/cursor.md."""
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

SEQ = re.compile(r"(?:-1|0|[1-9][0-9]{0,15})")
MAX_SEQ = 2**53 - 1


@dataclass(frozen=True)
class Cursor:
    stream: str
    epoch: str
    seq: int
    filter: str | None = None


def format_event_id(cursor: Cursor) -> str:
    parts = [escape(cursor.stream), escape(cursor.epoch), str(cursor.seq)]
    return ":".join(parts if cursor.filter is None else [*parts, escape(cursor.filter)])


def parse_event_id(text: str | None) -> Cursor | None:
    """The cursor of a Last-Event-ID; None for anything else."""
    parts = (text or "").split(":")
    if not 3 <= len(parts) <= 4:
        return None
    stream, epoch, seq, *rest = parts
    if SEQ.fullmatch(seq) is None or int(seq) > MAX_SEQ:
        return None
    names = [unescape(part) for part in (stream, epoch, *rest)]
    if not all(names):
        return None
    return Cursor(names[0], names[1], int(seq), *names[2:])


def escape(part: str) -> str:
    return quote(part, safe="/").replace("~", "%7E").replace("%", "~")


def unescape(part: str) -> str | None:
    if re.fullmatch(r"(?:[!-$&-}]|[~%][0-9A-Fa-f]{2})+", part) is None:
        return None
    try:
        return unquote_to_bytes(part.replace("~", "%")).decode("utf-8")
    except UnicodeDecodeError:
        return None
