"""Rules of artifacts: chunks, versions, and rows that match their schema."""
from dataclasses import replace

from ..base64 import decode
from ..schema import escape, has_type
from .state import Artifact, Stream, Task, Write, add, remove

DESCRIPTOR = ("name", "description", "mimeType", "encoding", "schema")


def resolve(stream: Stream, task: Task, event: dict, kind: str, path: str = "/kind") -> Artifact | None:
    """The artifact of an event, to be stored by what commits to it. None if it has another type."""
    known = stream.artifacts.get((task.key[0], event["artifactId"]))
    if known is None:
        return Artifact(kind, None, None) if stream.is_partial else Artifact(kind, 0, [])
    if known.type != kind:
        stream.report_at("artifact-type", path)
        return None
    return replace(known)


def has_no_version(artifact: Artifact) -> bool:
    return artifact.version == 0 and artifact.writers == []


def commit(stream: Stream, task: Task, event: dict, artifact: Artifact, given: int | None, path: str | None):
    current = artifact.version
    after = None if current is None else current + 1
    if given is not None and after is not None and not has_no_version(artifact) and given != after:
        stream.report_at("artifact-version", path)
    committed = after if given is None else given
    artifact.version = None if committed is None else max(committed, current or 0)
    if artifact.writers is not None:
        artifact.writers = [*artifact.writers]
        add(artifact.writers, task.key)
    stream.artifacts[(task.key[0], event["artifactId"])] = artifact


def data_write(stream: Stream, task: Task, event: dict):
    artifact = resolve(stream, task, event, "data")
    if artifact is None:
        return
    current, expected = artifact.version, event.get("expectedVersion")
    if expected is not None and current is not None and expected != current:
        stream.report_at("expected-version", "/expectedVersion")
        if expected < current:
            return
    if expected is not None:
        artifact.version = expected
    given = event.get("version", event.get("metadata", {}).get("version"))
    commit(stream, task, event, artifact, given, "/version" if "version" in event else "/metadata/version")


def artifact_delta(stream: Stream, task: Task, event: dict):
    change, base, version = event["change"], event["baseVersion"], event["version"]
    kind = {"text-append": "file", "rows-append": "dataset"}.get(change["type"], "data")
    artifact = resolve(stream, task, event, kind, "/change/type")
    if artifact is None:
        return
    current = artifact.version
    if has_no_version(artifact):
        stream.report_at("expected-version", "/baseVersion")
    elif current is not None and base != current:
        stream.report_at("expected-version", "/baseVersion")
        if base < current:
            return
    if change["type"] == "rows-append":
        check_rows(stream, change["rows"], artifact.row_schema, "/change/rows")
    if version != base + 1:
        stream.report_at("artifact-version", "/version")
        if version <= base:
            return
    artifact.version = None
    commit(stream, task, event, artifact, version, "/version")


def append_chunk(stream: Stream, task: Task, event: dict, kind: str, expected_size) -> Artifact | None:
    artifact = resolve(stream, task, event, kind)
    if artifact is None:
        return None
    index = event["index"]
    end, is_first = event.get("indexEnd", index), index == 0
    if is_first and artifact.pending:
        stream.report_at("one-write", "/index")
    previous = None if is_first else artifact.pending
    is_joined_late = previous is None and artifact.version is None and not is_first
    if (index != (previous.next_index if previous else 0) and not is_joined_late) or end < index:
        stream.report_at("chunk-index", "/index")
    descriptor = {name: event[name] for name in DESCRIPTOR if name in event}
    if previous and previous.descriptor is not None:
        for name in descriptor:
            if previous.descriptor.get(name) != descriptor[name]:
                stream.report_at("chunk-metadata", f"/{name}")
    start = previous or Write(task.id, 0, None, None, 0, None, None)
    encoding = event.get("encoding", "utf-8") if kind == "file" else "utf-8"
    artifact.pending = Write(
        task_id=task.id,
        next_index=max(index, end) + 1,
        encoding=encoding if is_first else start.encoding,
        version=event.get("version", start.version),
        size=start.size,
        expected_size=expected_size if is_first else start.expected_size,
        descriptor=descriptor if is_first else start.descriptor,
    )
    return artifact


def finish_chunk(stream: Stream, task: Task, event: dict, artifact: Artifact, added: int):
    key, write = (task.key[0], event["artifactId"]), artifact.pending
    write.size += added
    if not event["complete"]:
        stream.artifacts[key] = artifact
        add(task.open_writes, key)
        return
    remove(task.open_writes, key)
    if write.expected_size is not None and write.expected_size != write.size:
        stream.report_at("size-hints")
    artifact.pending = None
    commit(stream, task, event, artifact, write.version, "/version" if "version" in event else None)


def file_write(stream: Stream, task: Task, event: dict):
    artifact = append_chunk(stream, task, event, "file", event.get("metadata", {}).get("totalSize"))
    if artifact is None:
        return
    data, encoding, size = event["data"], artifact.pending.encoding, 0
    if encoding == "base64":
        decoded = decode(data)
        size = len(decoded or b"")
        is_valid = decoded is not None
    else:
        is_valid = not any("\ud800" <= char <= "\udfff" for char in data)
        size = len(data.encode("utf-8", "replace"))
    if encoding is not None and not is_valid:
        stream.report_at("chunk-decodes", "/data")
    finish_chunk(stream, task, event, artifact, size)


def dataset_write(stream: Stream, task: Task, event: dict):
    artifact = append_chunk(stream, task, event, "dataset", event.get("metadata", {}).get("totalRows"))
    if artifact is None:
        return
    if event["index"] == 0 and "schema" in event:
        artifact.row_schema = event["schema"] if "$ref" not in event["schema"] else None
    check_rows(stream, event["rows"], artifact.row_schema, "/rows")
    finish_chunk(stream, task, event, artifact, len(event["rows"]))


def check_rows(stream: Stream, rows: list[dict], schema: dict | None, path: str):
    for i, row in enumerate(rows if schema else ()):
        column = invalid_column(row, schema)
        if column is not None:
            stream.report_at("rows-match-schema", f"{path}/{i}/{escape(column)}")
            return


def invalid_column(row: dict, schema: dict) -> str | None:
    required, properties = schema.get("required"), schema.get("properties")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str) and name not in row:
            return name
    for name, field in properties.items() if isinstance(properties, dict) else ():
        kind = field.get("type") if isinstance(field, dict) and "$ref" not in field else None
        types = [each for each in (kind if isinstance(kind, list) else [kind]) if isinstance(each, str)]
        if types and name in row and not any(has_type(row[name], each) for each in types):
            return name
    return None


def end_writes(stream: Stream, task: Task, is_success: bool):
    for key in task.open_writes:
        artifact = stream.artifacts.get(key)
        if artifact and artifact.pending and artifact.pending.task_id == task.id:
            if is_success:
                stream.report_at("write-open-at-success")
            artifact.pending = None
    task.open_writes = []


CHECKS = {
    "data-write": data_write,
    "artifact-delta": artifact_delta,
    "file-write": file_write,
    "dataset-write": dataset_write,
}
