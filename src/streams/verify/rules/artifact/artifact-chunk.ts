/** Rules of writing files and datasets in chunks. */

import { describeValue } from '../../../../core/require.ts'
import { base64Size, isBase64 } from '../../../../encoding/base64.ts'
import {
  defineRule,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  type Rules,
  WARN_STRICT_ONLY,
} from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { ChunkRuleName } from '../../rule-names.ts'
import type { ArtifactState, PendingWrite } from '../../state/artifact-state.ts'
import { reportIndex } from '../series.ts'
import { checkRows, commitVersion, resolveArtifact } from './artifact.ts'
import { type Chunk, checkDescriptor, descriptorHashes } from './descriptor.ts'
import { rowSchemaOf } from './row-schema.ts'

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

export const chunkChecks: Checks<'file-write' | 'dataset-write'> = {
  'file-write'(context, event) {
    const write = appendChunk(context, event, 'file', event.metadata?.totalSize)
    if (write === undefined) return
    const { encoding, expectedSize } = write.pending
    const isValid = encoding === 'base64' ? isBase64(event.data) : !/\p{Surrogate}/u.test(event.data)
    if (encoding !== null && !isValid) {
      const expected = encoding === 'base64' ? 'base64 data' : 'utf-8 data without unpaired surrogates'
      const message = `Expected ${expected}, got ${describeValue(event.data)}.`
      context.report('chunk-decodes', message, { path: '/data' })
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
  const artifact = resolveArtifact(context, artifactId, type, '/kind', event.kind)
  if (artifact === undefined) return undefined
  const isFirst = index === 0
  if (isFirst && artifact.pending !== null) {
    const expected = artifact.pending.nextIndex
    const message = `Expected index ${expected} of the write that is not complete, got 0 of another write.`
    context.report('one-write', message, { path: '/index', expected, actual: 0 })
  }
  const previous = isFirst ? null : artifact.pending
  const next = previous?.nextIndex ?? 0
  // If the artifact is unknown because the stream was joined late, any chunk may be the next one.
  const isJoinedLate = previous === null && artifact.version === null && !isFirst
  if ((index !== next && !isJoinedLate) || indexEnd < index) {
    reportIndex(context, 'chunk-index', next, index, indexEnd)
  }
  // On datasets, `encoding` is an unknown field.
  const encoding = event.kind === 'file-write' ? event.encoding : undefined
  const descriptor = descriptorHashes(event)
  if (previous?.descriptor != null) checkDescriptor(context, event, previous.descriptor, descriptor)
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
  context.setOpen('artifacts', key, !event.complete)
  if (!event.complete) {
    context.set('artifacts', key, { ...artifact, pending })
    return
  }
  if (expectedSize !== null && expectedSize !== size) {
    const unit = event.kind === 'file-write' ? 'bytes' : 'rows'
    const details = { expected: expectedSize, actual: size }
    context.report('size-hints', `Expected ${expectedSize} ${unit} in total, got ${size}.`, details)
  }
  // An earlier chunk may have stated the version.
  const path = event.version === undefined ? undefined : '/version'
  commitVersion(context, event.artifactId, { ...artifact, pending: null }, pending.version, path)
}

/** Reports and drops the writes of a task that ends. */
export function endWrites(context: CheckContext, isSuccess: boolean): void {
  const { task } = context
  for (const key of context.takeOpen('artifacts')) {
    const artifact = context.get('artifacts', key)
    if (artifact?.pending?.taskId !== task.taskId) continue
    if (isSuccess) {
      const message = `Expected the last chunk of a ${artifact.type} before the task completes, got none.`
      context.report('write-open-at-success', message)
    }
    context.set('artifacts', key, { ...artifact, pending: null })
  }
}

/** The number of bytes in a chunk. */
function byteLength(data: string, encoding: PendingWrite['encoding']): number {
  return encoding === 'base64' ? base64Size(data) : new TextEncoder().encode(data).length
}
