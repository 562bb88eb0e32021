/** Rules of writing files and datasets in chunks. */

import { base64Size, isBase64 } from '../../encoding/base64.ts'
import type { DatasetWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import type { ContextEvent } from '../../events/event.ts'
import { isFields } from '../../validation/predicates.ts'
import { pushBounded, without } from '../collections/generational-map.ts'
import { checkRows, commitVersion, resolveArtifact } from './artifact.ts'
import type { CheckContext, Checks } from './context.ts'
import { rowSchemaOf } from './row-schema.ts'
import { defineRule, ERROR_LENIENT_WARN, ERROR_WARN_OFF, type Rules, WARN_STRICT_ONLY } from './rule.ts'
import type { ChunkRuleName } from './rule-names.ts'
import { indexMessage } from './series.ts'
import type { ArtifactState, PendingWrite } from './state.ts'
import { emptyHash, hashAppend, hashEquals, type TextHash } from './text-hash.ts'

export const chunkRules: Rules<ChunkRuleName> = {
  'chunk-index': defineRule(
    'K34',
    'stated',
    ERROR_LENIENT_WARN,
    'The chunks of a file or dataset have the indexes 0, 1, 2 and so on; after the last one, a new write restarts at 0.',
  ),
  'chunk-metadata': defineRule(
    'K34',
    'stated',
    ERROR_WARN_OFF,
    'The first chunk has the name, description, media type, encoding and schema; later chunks may repeat but not change them.',
  ),
  'chunk-decodes': defineRule(
    'K35',
    'inferred',
    ERROR_LENIENT_WARN,
    'Each chunk decodes by itself: its Base64 is complete, and its text has no unpaired surrogates.',
  ),
  'size-hints': defineRule(
    'K36',
    'inferred',
    WARN_STRICT_ONLY,
    '`totalSize` and `totalRows` are the size of the complete artifact.',
  ),
  'one-write': defineRule(
    'K37',
    'inferred',
    ERROR_LENIENT_WARN,
    'A write of an artifact is complete before its next write begins.',
  ),
  'write-open-at-success': defineRule(
    'K50',
    'inferred',
    ERROR_LENIENT_WARN,
    'A task completes the files and datasets it writes before it completes.',
  ),
}

type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>

export const chunkChecks: Checks<'file-write' | 'dataset-write'> = {
  'file-write'(context, event) {
    const write = appendChunk(context, event, 'file', event.metadata?.totalSize)
    if (write === undefined) return
    const { encoding, expectedSize } = write.pending
    const isValid = encoding === 'base64' ? isBase64(event.data) : !/\p{Surrogate}/u.test(event.data)
    if (encoding !== null && !isValid) {
      const message =
        encoding === 'base64' ? 'Expected base64 data.' : 'Expected utf-8 data without unpaired surrogates.'
      context.report('chunk-decodes', message, { path: '/data', expected: encoding })
    }
    const isSizeChecked = expectedSize !== null && context.isEnabled('size-hints')
    finishChunk(context, event, write, isSizeChecked ? byteLength(event.data, encoding) : 0)
  },

  'dataset-write'(context, event) {
    const write = appendChunk(context, event, 'dataset', event.metadata?.totalRows)
    if (write === undefined) return
    const { artifact, pending } = write
    const { index, rows, schema } = event
    const rowSchema = index === 0 && schema !== undefined ? rowSchemaOf(schema) : artifact.rowSchema
    checkRows(context, rows, rowSchema, '/rows')
    finishChunk(context, event, { artifact: { ...artifact, rowSchema }, pending }, rows.length)
  },
}

/** An artifact and the write of it that a chunk belongs to. */
interface Write {
  readonly artifact: ArtifactState
  readonly pending: PendingWrite
}

/** Checks a chunk against those before it. `undefined` if its artifact has another type. */
function appendChunk(
  context: CheckContext,
  event: Chunk,
  type: ArtifactState['type'],
  expectedSize: number | undefined,
): Write | undefined {
  const { artifactId, index, indexEnd = index } = event
  const artifact = resolveArtifact(context, artifactId, type)
  if (artifact === undefined) return undefined
  const isFirst = index === 0
  if (isFirst && artifact.pending !== null) {
    const message = 'A write begins before the previous write of the artifact is complete.'
    context.report('one-write', message, { path: '/index' })
  }
  const previous = isFirst ? null : artifact.pending
  const next = previous?.nextIndex ?? 0
  // If the artifact is unknown because the stream was joined late, any chunk may be the next one.
  const isJoinedLate = previous === null && artifact.version === null && !isFirst
  if ((index !== next && !isJoinedLate) || indexEnd < index) {
    const details = { path: '/index', expected: next, actual: index }
    context.report('chunk-index', indexMessage(next, index, indexEnd), details)
  }
  // On datasets, `encoding` is an unknown field.
  const encoding = event.kind === 'file-write' ? event.encoding : undefined
  const descriptor = descriptorHashes(event)
  if (previous?.descriptor != null) checkDescriptor(context, previous.descriptor, descriptor)
  const pending: PendingWrite = {
    taskId: event.taskId,
    nextIndex: Math.max(index, indexEnd) + 1,
    encoding: isFirst ? (encoding ?? 'utf-8') : (previous?.encoding ?? null),
    version: event.version ?? previous?.version ?? null,
    size: previous?.size ?? 0,
    expectedSize: isFirst ? (expectedSize ?? null) : (previous?.expectedSize ?? null),
    descriptor: isFirst ? descriptor : (previous?.descriptor ?? null),
  }
  return { artifact, pending }
}

/** Stores the write with one more chunk, or commits it. */
function finishChunk(context: CheckContext, event: Chunk, write: Write, added: number): void {
  const { artifact } = write
  const pending = { ...write.pending, size: write.pending.size + added }
  const { size, expectedSize } = pending
  const key = context.contextKey(event.artifactId)
  const { writes } = context.task.open
  if (!event.complete) {
    context.set('artifacts', key, { ...artifact, pending })
    if (!writes.includes(key)) context.changeTask('open', { writes: pushBounded(writes, key) })
    return
  }
  if (writes.includes(key)) context.changeTask('open', { writes: without(writes, key) })
  if (expectedSize !== null && expectedSize !== size) {
    const unit = event.kind === 'file-write' ? 'bytes' : 'rows'
    const details = { path: '/complete', expected: expectedSize, actual: size }
    context.report('size-hints', `Expected ${expectedSize} ${unit} in total, got ${size}.`, details)
  }
  commitVersion(context, event.artifactId, { ...artifact, pending: null }, pending.version, '/version')
}

/** Hashes of the fields of a chunk that describe the artifact. */
function descriptorHashes(event: Chunk): Readonly<Record<string, TextHash>> {
  const hashes: Record<string, TextHash> = {}
  for (const name of ['name', 'description', 'mimeType', 'encoding', 'schema']) {
    const value = (event as unknown as Record<string, unknown>)[name]
    if (value !== undefined) hashes[name] = hashAppend(emptyHash, canonicalJson(value))
  }
  return hashes
}

/** A value as JSON with sorted keys; empty if it is nested too deeply to be serialized. */
function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) =>
      isFields(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    )
  } catch {
    return ''
  }
}

/** Reports the fields of a later chunk that differ from the first one. */
function checkDescriptor(
  context: CheckContext,
  first: Readonly<Record<string, TextHash>>,
  later: Readonly<Record<string, TextHash>>,
): void {
  for (const [name, hash] of Object.entries(later)) {
    const expected = first[name]
    if (expected !== undefined && hashEquals(expected, hash)) continue
    const message = `${name} differs from that of the first chunk.`
    context.report('chunk-metadata', message, { path: `/${name}` })
  }
}

/** The number of bytes in a chunk. */
function byteLength(data: string, encoding: PendingWrite['encoding']): number {
  return encoding === 'base64' ? base64Size(data) : new TextEncoder().encode(data).length
}
