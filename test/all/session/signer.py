"""Signs states as the Python server of the session protocol does, and verifies those of others.

Reads lines of JSON: {"sign": <state>} or {"verify": <text of a signed state>}; answers each with a line.
"""
import hashlib
import hmac
import json
import sys

SECRET, TIMESTAMP, VERSION = sys.argv[1].encode(), int(sys.argv[2]), "1.0"


def signed(state):
    canonical = json.dumps(state, sort_keys=True, separators=(",", ":"))
    message = f"{canonical}:{TIMESTAMP}:{VERSION}"
    return {
        "state": state,
        "timestamp": TIMESTAMP,
        "signature": hmac.new(SECRET, message.encode(), hashlib.sha256).hexdigest(),
        "version": VERSION,
        "checksum": hashlib.sha256(canonical.encode()).hexdigest(),
    }


for line in sys.stdin:
    request = json.loads(line)
    if "sign" in request:
        print(json.dumps(signed(json.loads(request["sign"]))))
    else:
        state = json.loads(request["verify"])
        print(json.dumps(state == signed(state["state"])))
