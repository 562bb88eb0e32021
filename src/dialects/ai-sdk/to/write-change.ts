/** Maps changes of artifacts to chunks with the changed artifact. */

import { boundedDelete, boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { ArtifactDeltaEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { extentOf } from '../../../json/extent.ts'
import { applyMergePatch } from '../../../json/merge-patch.ts'
import { applyJsonPatch } from '../../../json/patch.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type ArtifactRecord, rowsOf } from './artifact-record.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { MAX_CREDIT } from './state.ts'
import { isTooLarge, sendFile, setArtifact, withRows } from './write-artifact.ts'

/** Emits the artifact with the change applied. */
export function writeArtifactDelta(writer: ChunkWriter, event: ContextEvent<ArtifactDeltaEvent>): void {
  const { kind, artifactId, baseVersion, version } = event
  const known = boundedGet(writer.state.artifacts, artifactId)
  const name = `artifact ${describeValue(artifactId)}`
  if (known === undefined || !known.isComplete) {
    writer.dropped(kind, 'out-of-order', `No complete version of ${name} is known.`)
    return
  }
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
  if (isTooLarge(writer, event, next.body.length)) return
  setArtifact(writer, artifactId, { ...next, version })
  writer.state.credit += extentOf(event.change)?.size ?? 0
  writer.state.unsent = writer.store(writer.state.unsent, artifactId, true)
  sendDue(writer, artifactId)
}

/** The artifact after a change; `undefined` if it cannot be applied. */
function changed(
  known: ArtifactRecord,
  { change }: ContextEvent<ArtifactDeltaEvent>,
): ArtifactRecord | undefined {
  const { type, isBase64, body, data } = known
  switch (change.type) {
    case 'text-append':
      return type === 'file' && !isBase64 ? { ...known, body: body + change.text } : undefined
    case 'rows-append':
      return type === 'dataset' ? { ...known, body: withRows(body, change.rows) } : undefined
    default: {
      if (type !== 'data') return undefined
      const patch = cleanJson(change.patch)
      const result =
        change.type === 'json-patch'
          ? applyJsonPatch(data, patch as unknown as typeof change.patch)
          : applyMergePatch(data, patch)
      return result.ok && isFields(result.value) ? { ...known, data: result.value } : undefined
    }
  }
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
  const size = record === undefined ? 0 : record.body.length + (extentOf(record.data)?.size ?? 0)
  if (size > state.credit) return
  state.credit -= size
  send(writer, artifactId)
}

function send(writer: ChunkWriter, artifactId: string): void {
  const { state } = writer
  state.unsent = boundedDelete(state.unsent, artifactId)
  const record = boundedGet(state.artifacts, artifactId)
  // One that is being written again is sent when it is complete.
  if (record === undefined || !record.isComplete) return
  if (record.type === 'file') sendFile(writer, artifactId, record)
  else {
    const data: unknown = record.type === 'data' ? cleanObject(record.data) : rowsOf(record.body)
    writer.send({ type: record.chunkType, id: artifactId, data })
  }
}
