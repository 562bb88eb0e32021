/** Maps changes of artifacts to chunks with the changed artifact. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { ArtifactDeltaEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { applyMergePatch } from '../../../json/merge-patch.ts'
import { applyJsonPatch } from '../../../json/patch.ts'
import { cleanJson } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type ArtifactRecord, rowsOf } from './artifact-record.ts'
import type { ChunkWriter } from './chunk-writer.ts'
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
  const body = changed(known, event)
  if (body === undefined) {
    writer.dropped(kind, 'invalid-content', `The ${event.change.type} cannot be applied to ${name}.`)
    return
  }
  if (isTooLarge(writer, event, body.length)) return
  const record: ArtifactRecord = { ...known, version, body, sentLength: body.length }
  setArtifact(writer, artifactId, record)
  if (record.type === 'file') sendFile(writer, artifactId, record)
  else {
    const data: unknown = record.type === 'data' ? JSON.parse(body) : rowsOf(body)
    writer.send({ type: record.chunkType, id: artifactId, data })
  }
}

/** The content after a change; `undefined` if it cannot be applied. */
function changed(
  { type, isBase64, body }: ArtifactRecord,
  { change }: ContextEvent<ArtifactDeltaEvent>,
): string | undefined {
  switch (change.type) {
    case 'text-append':
      return type === 'file' && !isBase64 ? body + change.text : undefined
    case 'rows-append':
      return type === 'dataset' ? withRows(body, change.rows) : undefined
    default: {
      if (type !== 'data') return undefined
      const record = JSON.parse(body) as unknown
      const result =
        change.type === 'json-patch'
          ? applyJsonPatch(record, change.patch)
          : applyMergePatch(record, change.patch)
      return result.ok && isFields(result.value) ? JSON.stringify(cleanJson(result.value)) : undefined
    }
  }
}
