"""JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396)."""
import copy
import re


class PatchError(Exception):
    """The patch does not apply; the document is as it was."""


def merge_patch(document, patch):
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    merged = dict(document) if isinstance(document, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged


def json_patch(document, patch: list[dict]):
    holder = {"": copy.deepcopy(document)}
    for operation in patch:
        path = tokens(operation.get("path"))
        match operation.get("op"):
            case "add":
                add(holder, path, value_in(operation))
            case "remove":
                remove(holder, path)
            case "replace":
                read(holder, path)
                value = value_in(operation)
                put(holder, path, value)
            case "test":
                if not is_equal(read(holder, path), value_in(operation)):
                    raise PatchError("test-failed")
            case "copy":
                add(holder, path, copy.deepcopy(read(holder, tokens(operation.get("from")))))
            case "move":
                source = tokens(operation.get("from"))
                if source != path and path[: len(source)] == source:
                    raise PatchError("into-itself")
                add(holder, path, remove(holder, source))
            case _:
                raise PatchError("invalid-operation")
    return holder[""]


def tokens(pointer) -> list[str]:
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")) or re.search("~(?![01])", pointer):
        raise PatchError("invalid-pointer")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")]


def value_in(operation: dict):
    if "value" not in operation:
        raise PatchError("invalid-operation")
    return copy.deepcopy(operation["value"])


def step(parent, token: str, end: int = 0):
    """The key of a token in an object or an array."""
    if isinstance(parent, dict):
        return token
    if isinstance(parent, list) and re.fullmatch("0|[1-9][0-9]*", token) and int(token) < len(parent) + end:
        return int(token)
    raise PatchError("missing")


def read(holder, path: list[str]):
    for token in path:
        key = step(holder, token)
        if isinstance(holder, dict) and key not in holder:
            raise PatchError("missing")
        holder = holder[key]
    return holder


def put(holder, path: list[str], value):
    parent = read(holder, path[:-1])
    parent[step(parent, path[-1])] = value


def add(holder, path: list[str], value):
    parent, token = read(holder, path[:-1]), path[-1]
    if isinstance(parent, list):
        parent.insert(len(parent) if token == "-" else step(parent, token, 1), value)
    else:
        parent[step(parent, token)] = value


def remove(holder, path: list[str]):
    value = read(holder, path)
    if len(path) == 1:
        raise PatchError("remove-all")
    parent = read(holder, path[:-1])
    del parent[step(parent, path[-1])]
    return value


def is_equal(a, b) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_equal(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_equal, a, b))
    return type(a) is type(b) and a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float)) and a == b)
