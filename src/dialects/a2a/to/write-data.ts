/** Writing records and datasets. */

import type { JsonValue } from '../../../core/json-value.ts'
import type { DatasetWriteEvent, DataWriteEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { forgetChange } from '../../engine/artifact-changes.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { copyRecord } from './artifact-record.ts'
import { completeVersion, describeRecord, placeOf, reportChanges } from './chunks.ts'
import { artifactRecord, beginArtifact, writePart } from './write-artifact.ts'

/** Writes a record. It replaces the one before, and is never the last: another may follow. */
export function writeDataWrite(writer: A2aWriter, event: ContextEvent<DataWriteEvent>): void {
  const { artifactId, metadata } = event
  const before = artifactRecord(writer, artifactId)
  const record = beginArtifact(writer, artifactId, 'data')
  describeRecord(writer, record, event, before)
  const version = event.version ?? metadata?.version
  completeVersion(
    record,
    version === undefined ? { timestamp: event.timestamp } : { version, timestamp: event.timestamp },
  )
  const data = cleanObject(event.data, writer.notJson('data'))
  record.data = structuredClone(data)
  forgetChange(writer, artifactId)
  writePart(writer, record, { type: 'data', data }, '', false)
}

export function writeDatasetWrite(writer: A2aWriter, event: ContextEvent<DatasetWriteEvent>): void {
  const before = artifactRecord(writer, event.artifactId)
  const rows = rowsOf(writer, event.rows)
  const json = JSON.stringify(rows)
  const place = placeOf(writer, event, before, 'dataset', json)
  if (place === undefined) return
  const isStart = place === 'start' || before === undefined
  const record = isStart ? beginArtifact(writer, event.artifactId, 'dataset') : copyRecord(before)
  if (isStart) describeRecord(writer, record, event, before)
  else reportChanges(writer, event, record)
  record.nextIndex = (event.indexEnd ?? event.index) + 1
  if (event.complete) completeVersion(record, event)
  writePart(writer, record, { type: 'data', data: rows }, json, event.complete)
}

/** Rows as JSON. */
export function rowsOf(writer: A2aWriter, rows: readonly unknown[]): JsonValue {
  return cleanJson(rows, writer.notJson('rows')) ?? []
}
