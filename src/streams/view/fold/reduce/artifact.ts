/** Folding the writes of artifacts. */

import type { Mutable } from '../../../../core/mutable.ts'
import { describeValue } from '../../../../core/require.ts'
import { appendBase64, fromBase64 } from '../../../../encoding/base64.ts'
import { digestOf } from '../../../../encoding/sha256.ts'
import type { DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from '../../../../events/artifact.ts'
import type { ContextEvent } from '../../../../events/event.ts'
import type { Metadata } from '../../../../events/metadata.ts'
import type { ArtifactContent, ArtifactVersion, ArtifactView, PendingVersion } from '../../artifact.ts'
import { commonAudience, labelOf, withoutLabel } from '../../audience-label.ts'
import type { Reducers, ViewBuilder } from '../view-builder.ts'
import { isConflict, reduceArtifactDelta, versionOf } from './artifact-delta.ts'
import { endArtifactPart, setArtifactPart } from './artifact-part.ts'

type ArtifactKind = 'file-write' | 'data-write' | 'dataset-write' | 'artifact-delta'
type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>
type PendingContent = PendingVersion['content']

export const artifactReducers: Reducers<ArtifactKind> = {
  'file-write'(builder, event) {
    const empty: PendingContent =
      event.encoding === 'base64' ? { type: 'bytes', base64: '' } : { type: 'text', text: '' }
    reduceChunk(builder, event, 'file', empty, (content) => {
      if (content.type === 'text') return { type: 'text', text: content.text + event.data }
      const bytes = content.type === 'bytes' ? appendBase64(content, event.data) : undefined
      return bytes && { type: 'bytes', ...bytes }
    })
  },

  'dataset-write'(builder, event) {
    reduceChunk(builder, event, 'dataset', { type: 'rows', rows: [] }, (content) => {
      if (content.type !== 'rows') return undefined
      return { type: 'rows', rows: builder.append(content.rows, event.rows) }
    })
  },

  'data-write'(builder, event) {
    const artifact = resolveArtifact(builder, event, 'data')
    if (artifact === undefined) return
    const { expectedVersion, data } = event
    if (isConflict(builder, artifact, expectedVersion)) return
    const version = event.version ?? event.metadata?.version
    if (!commitVersion(builder, artifact, version, { type: 'data', data })) return
    addMetadata(builder, artifact, event)
    setArtifactPart(builder.task, event, 'complete')
  },

  'artifact-delta': reduceArtifactDelta,
}

/**
 * The artifact after what an event states about it, or a new one. `undefined` if it has another type, which is
 * reported.
 */
function resolveArtifact(
  builder: ViewBuilder,
  event: ContextEvent<DataWriteEvent> | Chunk,
  type: ArtifactView['type'],
): Mutable<ArtifactView> | undefined {
  const { artifactId, contextId, taskId } = event
  const known = builder.artifact(artifactId)
  if (known !== undefined && known.type !== type) {
    const details = { id: artifactId, expected: known.type, actual: type }
    builder.diagnostic(
      'wrong-type',
      `Expected artifact type ${describeValue(known.type)}, got ${describeValue(type)}.`,
      details,
    )
    return undefined
  }
  return describe(known ?? { artifactId, contextId, taskId, type }, event)
}

function reduceChunk(
  builder: ViewBuilder,
  event: Chunk,
  type: 'file' | 'dataset',
  empty: PendingContent,
  append: (content: PendingContent) => PendingContent | undefined,
): void {
  const artifact = resolveArtifact(builder, event, type)
  if (artifact === undefined) return
  const { artifactId: id, index, version, taskId } = event
  const end = Math.max(index, event.indexEnd ?? index)
  const before = pendingBefore(builder, artifact, event, empty)
  const { nextIndex: expected } = before
  const message = `Expected chunk index ${describeValue(expected)}, got ${describeValue(index)}.`
  if (end < expected) {
    builder.diagnostic('repeated', message, { id, expected, actual: index })
    return
  }
  addMetadata(builder, artifact, event)
  const pending: Mutable<PendingVersion> = { ...before, taskId, nextIndex: end + 1 }
  if (version !== undefined) pending.version = version
  if (index !== expected) {
    builder.diagnostic('gap', message, { id, expected, actual: index })
    pending.fault = 'gap'
  }
  if (pending.fault === undefined) {
    const content = append(pending.content)
    if (content === undefined) {
      builder.diagnostic('bad-base64', `Chunk ${describeValue(index)} is not Base64.`, { id })
      pending.fault = 'bad-base64'
    } else pending.content = content
  }
  const writer = artifact.pending?.taskId
  // Any task may go on with a write; only the end of the last one that did abandons it.
  if (writer !== undefined && writer !== taskId) {
    const other = builder.knownTask(writer)
    if (other !== undefined) endArtifactPart(other, id)
  }
  if (event.complete) {
    // On datasets, `digest` is an unknown field.
    const digest = event.kind === 'file-write' ? event.digest : undefined
    const isCommitted = completeWrite(builder, artifact, pending, digest)
    setArtifactPart(builder.task, event, isCommitted ? 'complete' : 'ended')
  } else {
    artifact.pending = pending
    builder.setArtifact(artifact)
    setArtifactPart(builder.task, event, 'writing')
  }
}

/** The pending version before a chunk: a new one before the first chunk. */
function pendingBefore(
  builder: ViewBuilder,
  { pending, artifactId: id }: ArtifactView,
  { index, taskId }: Chunk,
  empty: PendingContent,
): PendingVersion {
  const initial = { taskId, content: empty, nextIndex: 0 }
  if (index > 0) return pending ?? initial
  if (pending !== undefined) {
    const message = `The write of artifact ${describeValue(id)} was restarted before it was complete.`
    builder.diagnostic('abandoned-write', message, { id })
  }
  return initial
}

/** Commits a pending version if it has no fault and the right digest. Returns whether it did. */
function completeWrite(
  builder: ViewBuilder,
  artifact: Mutable<ArtifactView>,
  pending: PendingVersion,
  digest: string | undefined,
): boolean {
  delete artifact.pending
  const { artifactId: id } = artifact
  const content = completeContent(pending.content)
  const actual = digest === undefined ? undefined : digestOf(bytesOf(content))
  if (pending.fault !== undefined) {
    const reason = pending.fault === 'gap' ? 'a chunk is missing' : 'a chunk is not Base64'
    const message = `Artifact ${describeValue(id)} cannot be completed: ${reason} (${pending.fault}).`
    builder.diagnostic('incomplete-write', message, { id, actual: pending.fault })
  } else if (digest !== actual) {
    const message = `Expected digest ${describeValue(digest)}, got ${describeValue(actual)}.`
    builder.diagnostic('digest-mismatch', message, { id, expected: digest, actual })
  } else if (commitVersion(builder, artifact, pending.version, content, digest)) return true
  builder.setArtifact(artifact)
  return false
}

/** Makes a version the current one, unless it is older, which is reported. Returns whether it did. */
function commitVersion(
  builder: ViewBuilder,
  artifact: Mutable<ArtifactView>,
  given: number | undefined,
  content: ArtifactContent,
  digest?: string,
): boolean {
  const current = versionOf(artifact)
  // The largest version stays: no event could state a later one.
  const expected = Math.min((current ?? 0) + 1, Number.MAX_SAFE_INTEGER)
  const version = given ?? expected
  if (given !== undefined && current !== undefined && given <= current) {
    const message = `Expected version ${describeValue(expected)} or later, got ${describeValue(version)}.`
    builder.diagnostic('repeated', message, { id: artifact.artifactId, expected, actual: version })
    return false
  }
  const committed: ArtifactVersion = { version, content }
  artifact.committed = digest === undefined ? committed : { ...committed, digest }
  delete artifact.latestVersion
  builder.setArtifact(artifact)
  return true
}

function completeContent(content: PendingContent): ArtifactContent {
  if (content.type !== 'bytes' || content.rest === undefined) return content
  return { type: 'bytes', base64: content.base64 + content.rest }
}

/** The bytes of a file. */
function bytesOf(content: ArtifactContent): Uint8Array {
  if (content.type === 'text') return new TextEncoder().encode(content.text)
  return (content.type === 'bytes' ? fromBase64(content.base64) : undefined) ?? new Uint8Array()
}

/** Adds the metadata of an event that has an effect: a write may add to many keys of those before it. */
function addMetadata(
  builder: ViewBuilder,
  artifact: Mutable<ArtifactView>,
  event: ContextEvent<DataWriteEvent> | Chunk,
): void {
  const rest = withoutLabel(event.metadata)
  const { metadata } = artifact
  if (rest === undefined || metadata === undefined || metadata === rest) return
  artifact.metadata = builder.merge<Metadata>(metadata, rest)
}

/** A copy of an artifact with the fields that an event sets, its metadata only if it is the first; the others stay. */
function describe(
  artifact: ArtifactView,
  event: ContextEvent<DataWriteEvent> | Chunk,
): Mutable<ArtifactView> {
  const { audience: before, ...known } = artifact
  const stated = {
    audience: commonAudience(before, labelOf(event)),
    name: event.name,
    description: event.description,
    // On other kinds, these are unknown fields.
    mimeType: event.kind === 'file-write' ? event.mimeType : undefined,
    schema: event.kind === 'dataset-write' ? event.schema : undefined,
    metadata: artifact.metadata ?? withoutLabel(event.metadata),
  }
  const copy: Mutable<ArtifactView> & Record<string, unknown> = { ...known, taskId: event.taskId }
  for (const [name, value] of Object.entries(stated)) if (value !== undefined) copy[name] = value
  return copy
}
