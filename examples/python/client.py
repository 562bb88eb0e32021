"""Reads a stream to its end, over any number of connections, and prints each event and then the view.

    pip install httpx
    python3 client.py http://127.0.0.1:3000/turns/<id>
"""
import json
import sys
import time

import httpx

from turnstream.reader import StreamReader

ENDED = (204,)
FATAL = (401, 403, 404, 410)


def follow(url: str, reader: StreamReader):
    """What is new in a stream, until it ends. Reconnects and resumes."""
    failures = 0
    with httpx.Client(timeout=httpx.Timeout(10, read=60)) as client:
        while not reader.is_closed:
            try:
                with client.stream("GET", url, headers=reader.connect()) as response:
                    if response.status_code in ENDED:
                        return
                    response.raise_for_status()
                    failures = 0
                    for chunk in response.iter_raw():
                        yield from reader.feed(chunk)
                        if reader.is_closed:
                            return
                        if reader.has_gap:
                            break
            except (httpx.TransportError, httpx.HTTPStatusError) as error:
                if isinstance(error, httpx.HTTPStatusError) and error.response.status_code in FATAL:
                    raise
                failures += 1
            reader.end()
            time.sleep(min(max(reader.retry, 0.25) * 2 ** max(0, failures - 1), 30))


if __name__ == "__main__":
    reader = StreamReader()
    for item in follow(sys.argv[1], reader):
        # After a reset, the events of its snapshot replace all before them.
        for event in [item["event"]] if "event" in item else item.get("reset", {}).get("events", []):
            print(json.dumps({"event": event}), flush=True)
    print(json.dumps({"view": reader.view, "cursor": reader.cursor, "diagnostics": reader.diagnostics}), flush=True)
