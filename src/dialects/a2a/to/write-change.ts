/** Writing changes of artifacts: a patched record replaces the one before, text and rows are appended. */

import { textToBase64 } from '../../../encoding/base64.ts'
import type { ArtifactDeltaEvent } from '../../../events/artifact.ts'
import type { RowsAppendChange, TextAppendChange } from '../../../events/artifact-change.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { type ChangeFormat, writeChange } from '../../engine/artifact-changes.ts'
import type { Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { type ArtifactRecord, copyRecord, filePart } from './artifact-record.ts'
import { artifactRecord, storeRecord, writePart } from './write-artifact.ts'
import { rowsOf } from './write-data.ts'

export const changeFormat: ChangeFormat<A2aWriter, ArtifactRecord> = {
  get: artifactRecord,
  set: (writer, _, record) => storeRecord(writer, copyRecord(record)),
  append(writer, known, event, change) {
    const record = copyRecord(known)
    record.version = event.version
    record.at = event.timestamp
    // Text replaces the URL of an empty file.
    if (known.body === '') record.isWritten = false
    writePart(writer, record, ...partOf(writer, known, change), true)
    return record
  },
  send(writer, _, known) {
    if (known.data === null) return
    const record = copyRecord(known)
    record.isWritten = false
    writePart(writer, record, { type: 'data', data: cleanObject(known.data) }, '', false)
  },
}

export function writeArtifactDelta(writer: A2aWriter, event: ContextEvent<ArtifactDeltaEvent>): void {
  writeChange(writer, changeFormat, event)
}

/** The appended text or rows, and what they add to the body. */
function partOf(
  writer: A2aWriter,
  record: ArtifactRecord,
  change: TextAppendChange | RowsAppendChange,
): readonly [part: Part, added: string] {
  if (change.type === 'rows-append') {
    const rows = rowsOf(writer, change.rows)
    return [{ type: 'data', data: rows }, JSON.stringify(rows)]
  }
  const { body } = record
  const bytes = textToBase64(change.text)
  return bytes === '' && body !== ''
    ? [{ type: 'text', text: '' }, '']
    : [filePart(record, bytes, body !== ''), bytes]
}
