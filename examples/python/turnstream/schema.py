"""A walker over the published JSON Schemas: the first fault of a value, and the value without nulls.

A JSON Schema validator does the same; this one gives the codes of the conformance kit.
"""
import functools
import re

Fault = tuple[str, str]  # code and JSON Pointer


def fault_of(root: dict, schema: dict, value, path: str = "") -> Fault | None:
    """The first fault of a value; None if it has none. A null counts as absent where a field is optional."""
    schema = resolve(root, schema)
    if "oneOf" in schema or "anyOf" in schema:
        return fault_of_union(root, schema, value, path)
    if "const" in schema or "enum" in schema:
        if value not in schema.get("enum", [schema.get("const")]) or isinstance(value, bool):
            return ("invalid-value", path)
    types = schema.get("type")
    if types is not None and not any(has_type(value, each) for each in as_list(types)):
        return ("invalid-type", path)
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            return ("out-of-range", path)
        if "pattern" in schema and not pattern(schema["pattern"]).search(value):
            return ("invalid-format", path)
    elif is_number(value):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            return ("out-of-range", path)
    elif isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            return ("out-of-range", path)
        faults = (fault_of(root, schema.get("items", {}), item, f"{path}/{i}") for i, item in enumerate(value))
        return next(filter(None, faults), None)
    elif isinstance(value, dict):
        return fault_of_object(root, schema, value, path)
    return None


def fault_of_object(root: dict, schema: dict, value: dict, path: str) -> Fault | None:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    for name, field in properties.items():
        at = f"{path}/{escape(name)}"
        if name not in value:
            if name in required:
                return ("missing", at)
        elif value[name] is not None or name in required:
            fault = fault_of(root, field, value[name], at)
            if fault:
                return fault
    rest = schema.get("additionalProperties", True)
    for name in value.keys() - properties.keys() if isinstance(rest, dict) else ():
        fault = fault_of(root, rest, value[name], f"{path}/{escape(name)}")
        if fault:
            return fault
    return None


def fault_of_union(root: dict, schema: dict, value, path: str) -> Fault | None:
    options = [resolve(root, option) for option in schema.get("oneOf") or schema["anyOf"]]
    faults = [fault_of(root, option, value, path) for option in options]
    if None in faults:
        return None
    tag = next(
        (name for name in options[0].get("properties", {}) if all("const" in option.get("properties", {}).get(name, {}) for option in options)),
        None,
    )
    if tag is None or not isinstance(value, dict):
        return faults[0] if tag is not None else ("invalid-type", path)
    if tag not in value:
        return ("missing", f"{path}/{tag}")
    for option, fault in zip(options, faults):
        if option["properties"][tag]["const"] == value[tag]:
            return fault
    return ("invalid-value", f"{path}/{tag}")


def without_nulls(root: dict, schema: dict, value):
    """The value without the optional fields that are null."""
    schema = resolve(root, schema)
    if isinstance(value, list):
        return [without_nulls(root, schema.get("items", {}), item) for item in value]
    if not isinstance(value, dict):
        return value
    for option in schema.get("oneOf", []):
        if fault_of(root, option, value) is None:
            return without_nulls(root, option, value)
    properties, required = schema.get("properties", {}), schema.get("required", [])

    def is_absent(name, inner):
        if inner is not None or name not in properties or name in required:
            return False
        field = resolve(root, properties[name])
        return fault_of(root, field, None) is not None

    return {
        name: without_nulls(root, properties.get(name, {}), inner)
        for name, inner in value.items()
        if not is_absent(name, inner)
    }


def resolve(root: dict, schema: dict) -> dict:
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return schema


@functools.lru_cache
def pattern(text: str) -> re.Pattern:
    # In Python, "$" also matches before a final line end.
    return re.compile(text.removesuffix("$") + r"\Z" if text.endswith("$") else text)


def has_type(value, name: str) -> bool:
    match name:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "integer":
            return is_number(value) and value == int(value)
        case "number":
            return is_number(value)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
    return True


def is_number(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) != float("inf")


def escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def as_list(value) -> list:
    return value if isinstance(value, list) else [value]
