/** Reading data parts: records, and the rows of datasets. */

import { isFields } from '../../../validation/predicates.ts'
import type { Artifact, Part } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { descriptorOf, type UpdateMode } from './received-artifact.ts'

/** Reads neighboring data parts: lists of objects as rows, anything else as records. */
export function readData(
  writer: TaskEventWriter,
  artifact: Artifact,
  parts: readonly (Part & { type: 'data' })[],
  mode: UpdateMode,
): void {
  const { artifactId } = artifact
  if (writer.find(artifactId, 'rows') !== undefined || parts.every(({ data }) => isRows(data))) {
    readRows(writer, artifact, parts, mode)
    return
  }
  for (const { data } of parts) {
    const before = writer.find(artifactId, 'data')
    const text = JSON.stringify(data)
    if (mode.isSnapshot && before?.text === text) continue
    const known = before ?? writer.open(artifactId, 'data')
    if (known.nextIndex > 0 && mode.append) {
      writer.diagnostic('lossy:append', 'A record cannot be appended to: the new record replaces it.')
    }
    const record = isFields(data) ? { ...data } : { value: data }
    const first = known.nextIndex === 0 && descriptorOf(artifact, undefined)
    writer.emitDraft({ kind: 'data-write', artifactId: known.key, data: record, ...first })
    writer.updateArtifact(known, { text, nextIndex: known.nextIndex + 1 })
  }
}

function readRows(
  writer: TaskEventWriter,
  artifact: Artifact,
  parts: readonly (Part & { type: 'data' })[],
  mode: UpdateMode,
): void {
  let known = writer.find(artifact.artifactId, 'rows') ?? writer.open(artifact.artifactId, 'rows')
  let added = parts
  if (mode.isSnapshot && known.nextIndex > 0) {
    added = parts.slice(known.nextIndex)
    if (added.length === 0) return
  } else if (!mode.append && known.nextIndex > 0) {
    known = writer.updateArtifact(known, { nextIndex: 0, isComplete: false })
  }
  for (const [i, { data }] of added.entries()) {
    const complete = mode.last && i === added.length - 1
    const rows = isRows(data)
      ? data.map((row) => ({ ...row }))
      : [isFields(data) ? { ...data } : { value: data }]
    const first = known.nextIndex === 0 && descriptorOf(artifact, undefined)
    writer.emitDraft({
      kind: 'dataset-write',
      artifactId: known.key,
      rows,
      index: known.nextIndex,
      complete,
      ...first,
    })
    known = writer.updateArtifact(known, { nextIndex: known.nextIndex + 1, isComplete: complete })
  }
}

function isRows(data: unknown): data is Record<string, unknown>[] {
  return Array.isArray(data) && data.every(isFields)
}
