/** Checking artifacts. */

import { base64Size, isBase64 } from '../../encoding/base64.ts'
import type { DatasetWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import type { ContextEvent } from '../../events/event.ts'
import { isFields } from '../../validation/predicates.ts'
import { listed, unlisted } from '../collections/generational-map.ts'
import { columnsOf, wrongColumn } from './check-rows.ts'
import type { CheckContext, Checks } from './context.ts'
import type { VerifiedArtifact, VerifiedColumns, VerifiedWriting } from './state.ts'
import { emptySum, isSameSum, summed, type TextSum } from './text-hash.ts'

type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>
type Type = VerifiedArtifact['type']

const MOST_WRITERS = 16

export const artifactChecks: Checks<'file-write' | 'data-write' | 'dataset-write' | 'artifact-delta'> = {
  'file-write'(scope, event) {
    const written = writeChunk(scope, event, 'file', event.metadata?.totalSize)
    if (written === undefined) return
    const { encoding } = written.writing
    const isRight = encoding === 'base64' ? isBase64(event.data) : !/\p{Surrogate}/u.test(event.data)
    if (encoding !== null && !isRight) {
      scope.report('chunk-decodes', 'The chunk cannot be read by itself.', {
        path: '/data',
        expected: encoding,
      })
    }
    const isCounted = written.writing.hint !== null && scope.asksFor('size-hints')
    finishChunk(scope, event, written, isCounted ? sizeOf(event.data, encoding) : 0)
  },

  'dataset-write'(scope, event) {
    const written = writeChunk(scope, event, 'dataset', event.metadata?.totalRows)
    if (written === undefined) return
    const isNew = event.index === 0 && event.schema !== undefined
    const columns = isNew ? columnsOf(event.schema ?? {}) : written.artifact.columns
    reportRows(scope, event.rows, columns, '/rows')
    finishChunk(scope, event, { ...written, artifact: { ...written.artifact, columns } }, event.rows.length)
  },

  'data-write'(scope, { artifactId, version, expectedVersion, metadata }) {
    const artifact = artifactOf(scope, artifactId, 'data')
    if (artifact === undefined) return
    if (expectedVersion !== undefined && artifact.version !== null && expectedVersion !== artifact.version) {
      const more = { path: '/expectedVersion', expected: artifact.version, actual: expectedVersion }
      scope.report('expected-version', 'Not the current version.', more)
      // Who comes too late changes nothing; who knows a later version tells of writes that are missing.
      if (expectedVersion < artifact.version) return
    }
    const path = version === undefined ? '/metadata/version' : '/version'
    const base = { ...artifact, version: expectedVersion ?? artifact.version }
    complete(scope, artifactId, base, version ?? metadata?.version ?? null, path)
  },

  'artifact-delta'(scope, { artifactId, baseVersion, version, change }) {
    const type = change.type === 'text-append' ? 'file' : change.type === 'rows-append' ? 'dataset' : 'data'
    const artifact = artifactOf(scope, artifactId, type, '/change/type')
    if (artifact === undefined) return
    if (isNone(artifact)) {
      const more = { path: '/baseVersion', actual: baseVersion }
      scope.report('expected-version', 'There is no complete version.', more)
    } else if (artifact.version !== null && baseVersion !== artifact.version) {
      const more = { path: '/baseVersion', expected: artifact.version, actual: baseVersion }
      scope.report('expected-version', 'Not the current version.', more)
      if (baseVersion < artifact.version) return
    }
    if (change.type === 'rows-append') reportRows(scope, change.rows, artifact.columns, '/change/rows')
    if (version !== baseVersion + 1) {
      const more = { path: '/version', expected: baseVersion + 1, actual: version }
      scope.report('artifact-version', 'Not the next version.', more)
      if (version <= baseVersion) return
    }
    complete(scope, artifactId, { ...artifact, version: null }, version, '/version')
  },
}

/** The artifact an event is about, new where there is none; `undefined` when it is of another type. */
function artifactOf(
  scope: CheckContext,
  id: string,
  type: Type,
  path = '/artifactId',
): VerifiedArtifact | undefined {
  const known = scope.get('artifacts', scope.key(id))
  if (known === undefined) {
    const { isPartial } = scope
    const version = isPartial ? null : 0
    return { type, version, writing: null, writers: isPartial ? null : [], columns: null }
  }
  if (known.type === type) return known
  scope.report('artifact-type', `The artifact is a ${known.type}.`, {
    path,
    expected: known.type,
    actual: type,
  })
  return undefined
}

/** Whether no version of an artifact was ever complete. */
function isNone({ version, writers }: VerifiedArtifact): boolean {
  return version === 0 && writers?.length === 0
}

/** Reports the first row that is not as the schema of its dataset says. */
function reportRows(
  scope: CheckContext,
  rows: readonly Record<string, unknown>[],
  columns: VerifiedColumns | null,
  path: string,
): void {
  if (columns === null) return
  for (const [i, row] of rows.entries()) {
    const actual = wrongColumn(row, columns)
    if (actual === undefined) continue
    scope.report('rows-match-schema', 'A row is not as the schema says.', { path: `${path}/${i}`, actual })
    return
  }
}

interface Written {
  readonly artifact: VerifiedArtifact
  readonly writing: VerifiedWriting
}

function writeChunk(
  scope: CheckContext,
  event: Chunk,
  type: Type,
  hint: number | undefined,
): Written | undefined {
  const { artifactId, index, indexEnd = index } = event
  const artifact = artifactOf(scope, artifactId, type)
  if (artifact === undefined) return undefined
  const isFirst = index === 0
  if (isFirst && artifact.writing !== null) {
    scope.report('one-write', 'The write before is not complete.', { path: '/index' })
  }
  const before = isFirst ? null : artifact.writing
  const next = before?.next ?? 0
  // Of an artifact nothing is known of, any chunk may be the next.
  const isUnseen = before === null && artifact.version === null && !isFirst
  if ((index !== next && !isUnseen) || indexEnd < index) {
    scope.report('chunk-index', 'Not the next chunk.', { path: '/index', expected: next, actual: index })
  }
  // On datasets, a field of that name is somebody's own.
  const encoding = event.kind === 'file-write' ? event.encoding : undefined
  const about = aboutOf(event)
  if (before?.about != null) reportChanges(scope, before.about, about)
  const writing: VerifiedWriting = {
    taskId: event.taskId,
    next: Math.max(index, indexEnd) + 1,
    encoding: isFirst ? (encoding ?? 'utf-8') : (before?.encoding ?? null),
    version: event.version ?? before?.version ?? null,
    size: before?.size ?? 0,
    hint: isFirst ? (hint ?? null) : (before?.hint ?? null),
    about: isFirst ? about : (before?.about ?? null),
  }
  return { artifact, writing }
}

function finishChunk(scope: CheckContext, event: Chunk, { artifact, writing }: Written, size: number): void {
  const grown = { ...writing, size: writing.size + size }
  const key = scope.key(event.artifactId)
  const { writes } = scope.task.open
  if (!event.complete) {
    scope.set('artifacts', key, { ...artifact, writing: grown })
    if (!writes.includes(key)) scope.changeTask('open', { writes: listed(writes, key) })
    return
  }
  if (writes.includes(key)) scope.changeTask('open', { writes: unlisted(writes, key) })
  if (grown.hint !== null && grown.hint !== grown.size) {
    const more = { path: '/complete', expected: grown.hint, actual: grown.size }
    scope.report('size-hints', 'Not as much as was told.', more)
  }
  complete(scope, event.artifactId, { ...artifact, writing: null }, grown.version, '/version')
}

/** Makes a version the current one. */
function complete(
  scope: CheckContext,
  id: string,
  artifact: VerifiedArtifact,
  given: number | null,
  path: string,
): void {
  const { version: current } = artifact
  if (given !== null && current !== null && !isNone(artifact) && given !== current + 1) {
    scope.report('artifact-version', 'Not the next version.', { path, expected: current + 1, actual: given })
  }
  const made = given ?? (current === null ? null : current + 1)
  const version = made === null ? null : Math.max(made, current ?? 0)
  const writers = withWriter(artifact.writers, scope.key(scope.task.taskId))
  scope.set('artifacts', scope.key(id), { ...artifact, version, writers })
}

function withWriter(writers: VerifiedArtifact['writers'], writer: string): VerifiedArtifact['writers'] {
  if (writers === null || writers.includes(writer)) return writers
  return writers.length < MOST_WRITERS ? [...writers, writer] : null
}

/** Sums of what a chunk says of the artifact. */
function aboutOf(event: Chunk): Readonly<Record<string, TextSum>> {
  const about: Record<string, TextSum> = {}
  for (const name of ['name', 'description', 'mimeType', 'encoding', 'schema']) {
    const value = (event as unknown as Record<string, unknown>)[name]
    if (value !== undefined) about[name] = summed(emptySum, textOf(value))
  }
  return about
}

/** A value as text, members in one order; of one that is nested too deeply to be written, nothing. */
function textOf(value: unknown): string {
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

function reportChanges(
  scope: CheckContext,
  first: VerifiedWriting['about'],
  later: VerifiedWriting['about'],
): void {
  for (const [name, sum] of Object.entries(later ?? {})) {
    const before = first?.[name]
    if (before !== undefined && isSameSum(before, sum)) continue
    scope.report('chunk-metadata', `${name} is not what the first chunk says.`, { path: `/${name}` })
  }
}

/** How many bytes a chunk stands for. */
function sizeOf(data: string, encoding: VerifiedWriting['encoding']): number {
  return encoding === 'base64' ? base64Size(data) : new TextEncoder().encode(data).length
}
