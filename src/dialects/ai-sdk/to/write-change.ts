/** Maps changes of artifacts to chunks with the changed artifact. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { ArtifactChange } from '../../../events/artifact-change.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import type { ChangeFormat } from '../../engine/artifact-changes.ts'
import { valuesOf, withLines } from '../../shared/json-lines.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import type { ArtifactRecord } from './state.ts'
import { isTooLarge, setArtifact } from './write-artifact.ts'
import { sendFile } from './write-file.ts'

export const changeFormat: ChangeFormat<ChunkWriter, ArtifactRecord> = {
  get: ({ state }, artifactId) => boundedGet(state.artifacts, artifactId),
  set: setArtifact,
  append(writer, known, event) {
    const body = appended(known, event.change)
    if (body === undefined || isTooLarge(writer, event, body.length)) return undefined
    return { ...known, version: event.version, body }
  },
  send(writer, artifactId, record) {
    if (record.type === 'file') sendFile(writer, artifactId, record)
    else {
      const data: unknown = record.type === 'data' ? cleanObject(record.data) : valuesOf(record.body)
      writer.send({ type: record.chunkType, id: artifactId, data })
    }
  },
}

function appended({ type, isBase64, body }: ArtifactRecord, change: ArtifactChange): string | undefined {
  if (change.type === 'text-append') return type === 'file' && !isBase64 ? body + change.text : undefined
  return change.type === 'rows-append' && type === 'dataset' ? withLines(body, change.rows) : undefined
}
