/** Writing records and datasets. */

import type { JsonValue } from '../../../core/json-value.ts'
import type { DatasetWriteEvent, DataWriteEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { forgetChange } from '../../engine/artifact-changes.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { describeRecord, recordWith } from './chunks.ts'
import { artifactRecord, beginArtifact, writePart } from './write-artifact.ts'

/** Writes a record. It replaces the one before, and is never the last: another may follow. */
export function writeDataWrite(writer: A2aWriter, event: ContextEvent<DataWriteEvent>): void {
  const { artifactId, metadata } = event
  const before = artifactRecord(writer, artifactId)
  const record = beginArtifact(writer, artifactId, 'data')
  describeRecord(writer, record, event, before)
  record.version = event.version ?? metadata?.version ?? record.version + 1
  record.isComplete = true
  const data = cleanObject(event.data, writer.notJson('data'))
  record.data = structuredClone(data)
  forgetChange(writer, artifactId)
  writePart(writer, record, { type: 'data', data }, '', false)
}

export function writeDatasetWrite(writer: A2aWriter, event: ContextEvent<DatasetWriteEvent>): void {
  const rows = rowsOf(writer, event.rows)
  const record = recordWith(writer, event, 'dataset')
  if (record !== undefined)
    writePart(writer, record, { type: 'data', data: rows }, JSON.stringify(rows), event.complete)
}

/** Rows as JSON. */
export function rowsOf(writer: A2aWriter, rows: readonly unknown[]): JsonValue {
  return cleanJson(rows, writer.notJson('rows')) ?? []
}
