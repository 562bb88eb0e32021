/** Maps changes of artifacts to chunks with the changed artifact. */

import { boundedDelete, boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { ArtifactDeltaEvent } from '../../../events/artifact.ts'
import type { JsonPatchChange, MergePatchChange } from '../../../events/artifact-change.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { extentOf } from '../../../json/extent.ts'
import { mergeOwned } from '../../../json/merge-patch.ts'
import { patchOwned } from '../../../json/patch.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { valuesOf, withLines } from '../wire/json-lines.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { type ArtifactRecord, MAX_CREDIT } from './state.ts'
import { isTooLarge, sendFile, setArtifact } from './write-artifact.ts'

/** Emits the artifact with the change applied. */
export function writeArtifactDelta(writer: ChunkWriter, event: ContextEvent<ArtifactDeltaEvent>): void {
  const { kind, artifactId, baseVersion, version } = event
  let known = boundedGet(writer.state.artifacts, artifactId)
  const name = `artifact ${describeValue(artifactId)}`
  if (known === undefined || !known.isComplete) {
    writer.dropped(kind, 'out-of-order', `No complete version of ${name} is known.`)
    return
  }
  // The changes so far may not be applicable.
  if (known.version !== baseVersion) known = settled(writer, artifactId, known)
  if (known.version !== baseVersion) {
    const reason = version <= known.version ? 'repeated' : 'out-of-order'
    writer.dropped(
      kind,
      reason,
      `Expected a change of version ${known.version} of ${name}, got one of ${baseVersion}.`,
    )
    return
  }
  const next = changed(known, event)
  if (next === undefined) {
    writer.dropped(kind, 'invalid-content', `The ${event.change.type} cannot be applied to ${name}.`)
    return
  }
  // A record has its limit when the changes are applied.
  if (next.data === null && isTooLarge(writer, event, next.body.length)) return
  setArtifact(writer, artifactId, next)
  writer.state.credit += extentOf(event.change)?.size ?? 0
  writer.state.unsent = writer.store(writer.state.unsent, artifactId, true)
  sendDue(writer, artifactId)
  if (boundedGet(writer.state.artifacts, artifactId)?.version !== version) writer.isDropped = true
}

/** The artifact after a change; `undefined` if it is of another type. The changes of a record are stored to be applied later. */
function changed(
  known: ArtifactRecord,
  { change, version }: ContextEvent<ArtifactDeltaEvent>,
): ArtifactRecord | undefined {
  const { type, isBase64, body } = known
  switch (change.type) {
    case 'text-append':
      return type === 'file' && !isBase64 ? { ...known, version, body: body + change.text } : undefined
    case 'rows-append':
      return type === 'dataset' ? { ...known, version, body: withLines(body, change.rows) } : undefined
    default:
      return type === 'data'
        ? { ...known, version, body: withLines(body, [{ before: known.version, ...change }]) }
        : undefined
  }
}

/** A change of a record that has not been applied, and the version before it. */
type StoredChange = (JsonPatchChange | MergePatchChange) & { readonly before: number }

/**
 * The artifact with its changes applied. All at once: a patched record is a copy, which takes as long as the record has
 * members. Reports a change that cannot be applied; the later ones need it.
 */
function settled(writer: ChunkWriter, artifactId: string, record: ArtifactRecord): ArtifactRecord {
  if (record.data === null || record.body === '') return record
  const changes = valuesOf(record.body) as StoredChange[]
  const owned = new WeakSet<object>()
  let { data, version } = record
  for (const [i, change] of changes.entries()) {
    const result =
      change.type === 'json-patch'
        ? patchOwned(data, change.patch, owned, isFields)
        : mergeOwned(data, change.patch, owned)
    if (result.ok && isFields(result.value)) {
      data = result.value
      continue
    }
    const { isDropped } = writer
    const later = changes.length - i - 1
    const message = `The ${change.type} cannot be applied to artifact ${describeValue(artifactId)}, nor ${later} later.`
    writer.dropped('artifact-delta', 'invalid-content', message)
    writer.isDropped = isDropped
    version = change.before
    break
  }
  const next = { ...record, data, version, body: '' }
  setArtifact(writer, artifactId, next)
  return next
}

/** What each event adds to the credit. */
const EARNED = 256

/**
 * Sends a changed artifact that is waiting, if the credit allows it. A part is sent as a whole, so that a large artifact
 * which changes often is sent less often than it changes.
 */
export function sendWaiting(writer: ChunkWriter): void {
  const { state } = writer
  state.credit = Math.min(MAX_CREDIT, state.credit + EARNED)
  if (state.unsent.recentSize === 0) return
  for (const [artifactId] of boundedEntries(state.unsent)) {
    sendDue(writer, artifactId)
    return
  }
}

/** Sends all changed artifacts that are waiting, as the message ends or pauses. */
export function sendAllWaiting(writer: ChunkWriter): void {
  for (const [artifactId] of boundedEntries(writer.state.unsent)) send(writer, artifactId)
}

function sendDue(writer: ChunkWriter, artifactId: string): void {
  const { state } = writer
  const record = boundedGet(state.artifacts, artifactId)
  if (record === undefined) return
  const dataSize = extentOf(record.data)?.size ?? 0
  const size = record.body.length + dataSize
  if (size > state.credit) {
    if (record.body.length > dataSize + MAX_CREDIT) settled(writer, artifactId, record)
    return
  }
  state.credit -= size
  send(writer, artifactId)
}

function send(writer: ChunkWriter, artifactId: string): void {
  const { state } = writer
  state.unsent = boundedDelete(state.unsent, artifactId)
  const stored = boundedGet(state.artifacts, artifactId)
  const record = stored && settled(writer, artifactId, stored)
  // One that is being written again is sent when it is complete.
  if (record === undefined || !record.isComplete) return
  if (record.type === 'file') sendFile(writer, artifactId, record)
  else {
    const data: unknown = record.type === 'data' ? cleanObject(record.data) : valuesOf(record.body)
    writer.send({ type: record.chunkType, id: artifactId, data })
  }
}
