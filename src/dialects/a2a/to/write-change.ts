/** Writing changes of artifacts: a patched record replaces the one before, text and rows are appended. */

import { describeValue } from '../../../core/require.ts'
import { textToBase64 } from '../../../encoding/base64.ts'
import type { ArtifactDeltaEvent } from '../../../events/artifact.ts'
import type { ArtifactChange } from '../../../events/artifact-change.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { applyMergePatch } from '../../../json/merge-patch.ts'
import { applyJsonPatch } from '../../../json/patch.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { type ArtifactRecord, copyRecord, filePart } from './artifact-record.ts'
import { artifactRecord, writePart } from './write-artifact.ts'
import { rowsOf } from './write-data.ts'

export function writeArtifactDelta(writer: A2aWriter, event: ContextEvent<ArtifactDeltaEvent>): void {
  const { artifactId, baseVersion, version, change } = event
  const before = artifactRecord(writer, artifactId)
  const name = `artifact ${describeValue(artifactId)}`
  if (before?.version !== undefined && baseVersion !== before.version) {
    const reason = version <= before.version ? 'repeated' : 'out-of-order'
    const message = `Expected a change of version ${before.version} of ${name}, got one of ${baseVersion}.`
    writer.dropped(event.kind, reason, message)
    return
  }
  if (before?.body === undefined || !isApplicable(before, change)) {
    const found = before === undefined ? 'nothing' : `a ${before.type}`
    writer.dropped(
      event.kind,
      'no-equivalent',
      `Cannot apply a ${change.type} to ${name}: ${found} was written.`,
    )
    return
  }
  const written = change.type.endsWith('patch')
    ? patched(before.body, change)
    : partOf(writer, change, before)
  if (written === undefined) {
    writer.dropped(event.kind, 'invalid-content', `The ${change.type} cannot be applied to ${name}.`)
    return
  }
  if (before.type === 'data') {
    writer.lossy('change', 'The patched record is sent as a whole.')
  }
  const record = copyRecord(before)
  record.version = version
  record.completedAt = event.timestamp
  // A patched record replaces the one before, and text the URL of an empty file.
  if (before.type === 'data' || before.body === '') record.isWritten = false
  const [part, added] = written
  writePart(writer, record, part, added, record.isComplete && before.type !== 'data')
}

/** A part, and what it adds to the body. */
type WrittenPart = readonly [part: Part, added: string]

function isApplicable({ type, isBase64 }: ArtifactRecord, { type: change }: ArtifactChange): boolean {
  if (change === 'text-append') return type === 'file' && !isBase64
  return type === (change === 'rows-append' ? 'dataset' : 'data')
}

/** The patched record; `undefined` if the patch fails, or leaves no object. */
function patched(body: string, change: ArtifactChange): WrittenPart | undefined {
  const record = JSON.parse(body) as unknown
  if (!('patch' in change)) return undefined
  const result =
    change.type === 'json-patch'
      ? applyJsonPatch(record, change.patch)
      : applyMergePatch(record, change.patch)
  if (!result.ok || !isFields(result.value)) return undefined
  const data = cleanObject(result.value)
  return [{ type: 'data', data }, JSON.stringify(data)]
}

/** The appended text or rows; `undefined` if there is no text. */
function partOf(writer: A2aWriter, change: ArtifactChange, record: ArtifactRecord): WrittenPart | undefined {
  if (change.type === 'rows-append') {
    const rows = rowsOf(writer, change.rows)
    return [{ type: 'data', data: rows }, JSON.stringify(rows)]
  }
  if (change.type !== 'text-append') return undefined
  const bytes = textToBase64(change.text)
  return bytes === '' && record.body !== ''
    ? [{ type: 'text', text: '' }, '']
    : [filePart(record, bytes, record.body !== ''), bytes]
}
