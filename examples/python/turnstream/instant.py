"""Timestamps as instants, in milliseconds since 1970."""
import re
from datetime import datetime

FORM = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)")


def milliseconds(timestamp: str) -> int:
    seconds, fraction, zone = FORM.fullmatch(timestamp).groups()
    at = datetime.fromisoformat(seconds + ("+00:00" if zone == "Z" else zone))
    return round(at.timestamp()) * 1000 + int(((fraction or "") + "000")[:3])
