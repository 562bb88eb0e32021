/** Maps changes of artifacts to chunks with the changed artifact. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
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
  append(writer, known, event, change) {
    const { version } = event
    const body = change.type === 'text-append' ? known.body + change.text : withLines(known.body, change.rows)
    return isTooLarge(writer, event, body.length) ? undefined : { ...known, version, body }
  },
  send(writer, artifactId, record) {
    if (record.type === 'file') sendFile(writer, artifactId, record)
    else {
      const data: unknown = record.type === 'data' ? cleanObject(record.data) : valuesOf(record.body)
      writer.send({ type: record.chunkType, id: artifactId, data })
    }
  },
}
