"""Values to events: known, unknown (of a later version) or invalid."""
from .package import read_json
from .schema import Fault, fault_of, without_nulls

FOLDER = "schemas/events/1.0"


def decode_event(value) -> tuple[str, object]:
    """The status of a value and, with it, the event or the fault: ("known", event), ("unknown", event), ("invalid", fault)."""
    fault = fault_of_envelope(value)
    kind = value.get("kind") if isinstance(value, dict) else None
    name = read_json(f"{FOLDER}/meta.json")["types"].get(kind) if isinstance(kind, str) else None
    if name is None:
        return ("invalid", fault) if fault else ("unknown", value)
    root = read_json(f"{FOLDER}/events.schema.json")
    definition = root["$defs"][name]
    fault = fault_of(root, definition, value)
    return ("invalid", fault) if fault else ("known", without_nulls(root, definition, value))


def fault_of_envelope(value) -> Fault | None:
    """The fault in the fields that events of all kinds have."""
    reader = read_json(f"{FOLDER}/events.open.schema.json")
    return fault_of(reader, {key: reader[key] for key in ("type", "properties", "required")}, value)


def known_fields(kind: str) -> set[str]:
    name = read_json(f"{FOLDER}/meta.json")["types"][kind]
    return set(read_json(f"{FOLDER}/events.schema.json")["$defs"][name]["properties"])
