"""What a server answers to a reader: the events after its cursor, a reset, or nothing more."""
from .cursor import parse_event_id


def resume(log: dict, last_event_id: str | None, filter_id: str | None = None) -> dict:
    """`log` is { stream, epoch, earliest, next, closed }: the extent of a log."""
    earliest, through, closed = log["earliest"], log["next"] - 1, log["closed"]
    cursor = parse_event_id(last_event_id) if last_event_id else None
    after = -1 if cursor is None else cursor.seq
    reason = reset_reason(log, last_event_id, cursor, after, filter_id)
    if reason:
        return {"status": 200, "reset": {"reason": reason, "through": through, "earliest": earliest}}
    if closed and cursor is not None and after == through:
        return {"status": 204}
    return {"status": 200, "after": after, "through": through, "closed": closed}


def reset_reason(log, last_event_id, cursor, after, filter_id) -> str | None:
    if last_event_id and cursor is None:
        return "malformed"
    if cursor is not None:
        if cursor.stream != log["stream"]:
            return "unknown-stream"
        if cursor.epoch != log["epoch"]:
            return "epoch-changed"
        if cursor.filter != filter_id:
            return "filter-changed"
        if after >= log["next"]:
            return "ahead"
    return "evicted" if after + 1 < log["earliest"] else None
