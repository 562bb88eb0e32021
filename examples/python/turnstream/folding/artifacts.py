"""Artifacts: files, records and datasets, in versions."""
import hashlib

from ..base64 import decode, encode
from ..patch import PatchError, json_patch, merge_patch
from .builder import Builder, find, pick, without_label

MAX_VERSION = 2**53 - 1


def resolve(builder: Builder, event: dict, kind: str) -> dict | None:
    """A copy of the artifact of an event, with what the event states about it. None if it has another type."""
    known = builder.artifact(event["artifactId"])
    if known and known["type"] != kind:
        builder.diagnostic("wrong-type", event["artifactId"])
        return None
    artifact = dict(known or {"artifactId": event["artifactId"], "contextId": builder.context_id})
    artifact.update(taskId=event["taskId"], type=kind)
    builder.label(artifact)
    own = {"file": ("mimeType",), "dataset": ("schema",)}.get(kind, ())
    artifact.update(pick(event, "name", "description", *own))
    return artifact


def add_metadata(artifact: dict, event: dict) -> None:
    rest = without_label(event.get("metadata"))
    if rest is not None:
        artifact["metadata"] = {**artifact.get("metadata", {}), **rest}


def store(builder: Builder, artifact: dict) -> None:
    known = builder.artifact(artifact["artifactId"])
    if known is None:
        builder.view["artifacts"].append(artifact)
    else:
        known.clear()
        known.update(artifact)


def set_part(builder: Builder, artifact_id: str, status: str) -> None:
    part = builder.part("artifact", artifactId=artifact_id)
    if part is None:
        builder.add_part("artifact", status, artifactId=artifact_id)
    else:
        part["status"] = status
        builder.label(part)


def commit(builder: Builder, artifact: dict, given: int | None, content: dict, digest: str | None = None) -> bool:
    """Stores a version. A repeated one changes nothing, also not of what the event states about the artifact."""
    current = artifact.get("committed", {}).get("version")
    if given is not None and current is not None and given <= current:
        builder.diagnostic("repeated", artifact["artifactId"])
        return False
    version = given if given is not None else min((current or 0) + 1, MAX_VERSION)
    artifact["committed"] = {"version": version, "content": content, **({} if digest is None else {"digest": digest})}
    store(builder, artifact)
    return True


def data_write(builder: Builder, event: dict) -> None:
    artifact = resolve(builder, event, "data")
    if artifact is None:
        return
    artifact_id, expected = event["artifactId"], event.get("expectedVersion")
    current = artifact.get("committed", {}).get("version")
    if expected is not None and current is not None and expected != current:
        builder.diagnostic("version-conflict", artifact_id)
        return
    version = event.get("version", event.get("metadata", {}).get("version"))
    add_metadata(artifact, event)
    if commit(builder, artifact, version, {"type": "data", "data": event["data"]}):
        set_part(builder, artifact_id, "complete")


def chunk(builder: Builder, event: dict, kind: str, empty: dict, append) -> None:
    artifact = resolve(builder, event, kind)
    if artifact is None:
        return
    artifact_id, index, task_id = event["artifactId"], event["index"], event["taskId"]
    end, before = max(index, event.get("indexEnd", index)), artifact.get("pending")
    if index == 0 and before:
        builder.diagnostic("abandoned-write", artifact_id)
    pending = dict(before) if before and index > 0 else {"content": empty, "nextIndex": 0}
    expected = pending["nextIndex"]
    if end < expected:
        builder.diagnostic("repeated", artifact_id)
        return
    add_metadata(artifact, event)
    pending.update(taskId=task_id, nextIndex=end + 1, **pick(event, "version"))
    if index != expected:
        builder.diagnostic("gap", artifact_id)
        pending["fault"] = "gap"
    if "fault" not in pending:
        content = append(pending["content"])
        if content is None:
            builder.diagnostic("bad-base64", artifact_id)
            pending["fault"] = "bad-base64"
        else:
            pending["content"] = content
    if before and before["taskId"] != task_id:
        end_part(builder.known_task(before["taskId"]), artifact_id)
    if not event["complete"]:
        artifact["pending"] = pending
        store(builder, artifact)
        set_part(builder, artifact_id, "writing")
        return
    artifact.pop("pending", None)
    digest = event.get("digest") if kind == "file" else None
    set_part(builder, artifact_id, "complete" if complete(builder, artifact, pending, digest) else "ended")


def end_part(task: dict | None, artifact_id: str) -> None:
    part = task and find(task["parts"], type="artifact", artifactId=artifact_id)
    if part and part["status"] == "writing":
        part["status"] = "ended"


def complete(builder: Builder, artifact: dict, pending: dict, digest: str | None) -> bool:
    content = dict(pending["content"])
    if "rest" in content:
        content["base64"] += content.pop("rest")
    if "fault" in pending:
        builder.diagnostic("incomplete-write", artifact["artifactId"])
    elif digest is not None and digest != digest_of(content):
        builder.diagnostic("digest-mismatch", artifact["artifactId"])
    elif commit(builder, artifact, pending.get("version"), content, digest):
        return True
    store(builder, artifact)
    return False


def digest_of(content: dict) -> str:
    data = content["text"].encode("utf-8") if content["type"] == "text" else decode(content["base64"]) or b""
    return "sha-256:" + hashlib.sha256(data).hexdigest()


def file_write(builder: Builder, event: dict) -> None:
    is_bytes = event.get("encoding") == "base64"
    empty = {"type": "bytes", "base64": ""} if is_bytes else {"type": "text", "text": ""}

    def append(content: dict) -> dict | None:
        if content["type"] == "text":
            return {"type": "text", "text": content["text"] + event["data"]}
        data = decode(event["data"])
        return None if data is None else joined(content, data)

    chunk(builder, event, "file", empty, append)


def joined(content: dict, data: bytes) -> dict:
    """The Base64 of whole groups, and the rest, which more bytes may change."""
    data = (decode(content.get("rest", "")) or b"") + data
    whole = len(data) - len(data) % 3
    added = {"type": "bytes", "base64": content["base64"] + encode(data[:whole])}
    return {**added, "rest": encode(data[whole:])} if whole < len(data) else added


def dataset_write(builder: Builder, event: dict) -> None:
    def append(content: dict) -> dict:
        return {"type": "rows", "rows": content["rows"] + event["rows"]}

    chunk(builder, event, "dataset", {"type": "rows", "rows": []}, append)


def artifact_delta(builder: Builder, event: dict) -> None:
    artifact_id, base, version = event["artifactId"], event["baseVersion"], event["version"]
    artifact = builder.artifact(artifact_id)
    if artifact is None or "committed" not in artifact:
        builder.diagnostic("unknown-artifact", artifact_id)
        return
    committed = artifact["committed"]
    if base != committed["version"] or version <= base:
        builder.diagnostic("version-conflict", artifact_id)
        return
    content = changed(builder, artifact_id, committed["content"], event["change"])
    if content is None:
        return
    if artifact.get("pending", {}).get("taskId") != event["taskId"]:
        set_part(builder, artifact_id, "complete")
    artifact.update(taskId=event["taskId"], committed={"version": version, "content": content})
    builder.label(artifact)


def changed(builder: Builder, artifact_id: str, content: dict, change: dict) -> dict | None:
    match content["type"], change["type"]:
        case "text", "text-append":
            return {"type": "text", "text": content["text"] + change["text"]}
        case "rows", "rows-append":
            return {"type": "rows", "rows": content["rows"] + change["rows"]}
        case "data", "json-patch" | "merge-patch":
            apply = json_patch if change["type"] == "json-patch" else merge_patch
            try:
                data = apply(content["data"], change["patch"])
            except PatchError:
                data = None
            if isinstance(data, dict):
                return {"type": "data", "data": data}
            builder.diagnostic("patch-failed", artifact_id)
            return None
    builder.diagnostic("wrong-type", artifact_id)
    return None


REDUCERS = {
    "file-write": file_write,
    "data-write": data_write,
    "dataset-write": dataset_write,
    "artifact-delta": artifact_delta,
}
