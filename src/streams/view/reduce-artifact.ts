/** Folding the writes of artifacts. */

import { describeValue } from '../../core/require.ts'
import { appendBase64, fromBase64 } from '../../encoding/base64.ts'
import { digestOf } from '../../encoding/sha256.ts'
import type { DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import type { ContextEvent } from '../../events/event.ts'
import { keyedGet, keyedSet } from '../collections/keyed-list.ts'
import { emptyVector, vectorPush } from '../collections/vector.ts'
import type {
  ArtifactContent,
  ArtifactDescriptor,
  ArtifactVersion,
  ArtifactView,
  PendingVersion,
} from './artifact.ts'
import { reduceArtifactDelta } from './reduce-artifact-delta.ts'
import { type Reducers, type ViewBuilder, withOpen } from './view-builder.ts'

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
    reduceChunk(builder, event, 'dataset', { type: 'rows', rows: emptyVector }, (content) => {
      if (content.type !== 'rows') return undefined
      return { type: 'rows', rows: event.rows.reduce(vectorPush, content.rows) }
    })
  },

  'data-write'(builder, event) {
    const artifact = resolveArtifact(builder, event, 'data')
    if (artifact === undefined) return
    const { artifactId: id, expectedVersion: expected, data } = event
    const current = artifact.committed?.version
    if (expected !== undefined && current !== undefined && expected !== current) {
      const message = `The write needs version ${describeValue(expected)}, but the current version is ${describeValue(current)}.`
      builder.diagnostic('version-conflict', message, { id, expected, actual: current })
      return
    }
    const descriptor = mergeDescriptor(artifact.descriptor, event)
    const version = event.version ?? event.metadata?.version
    commitVersion(builder, { ...artifact, descriptor }, version, { type: 'data', data })
  },

  'artifact-delta': reduceArtifactDelta,
}

/** The artifact of an event, or a new one. `undefined` if it has another type, which is reported. */
function resolveArtifact(
  builder: ViewBuilder,
  { artifactId, contextId, taskId, timestamp: at }: ContextEvent<DataWriteEvent> | Chunk,
  type: ArtifactView['type'],
): ArtifactView | undefined {
  const known = keyedGet(builder.artifacts, builder.key(artifactId))
  if (known !== undefined && known.type !== type) {
    const details = { id: artifactId, expected: known.type, actual: type }
    builder.diagnostic(
      'wrong-type',
      `Expected artifact type ${describeValue(known.type)}, got ${describeValue(type)}.`,
      details,
    )
    return undefined
  }
  if (builder.part('artifact', artifactId) === undefined) {
    builder.setPart(artifactId, { type: 'artifact', at, artifactId })
  }
  return known === undefined ? { artifactId, contextId, taskId, type, descriptor: {} } : { ...known, taskId }
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
  let pending: PendingVersion = { ...before, taskId, nextIndex: end + 1 }
  if (version !== undefined) pending = { ...pending, version }
  if (index !== expected) {
    builder.diagnostic('gap', message, { id, expected, actual: index })
    pending = { ...pending, fault: 'gap' }
  }
  if (pending.fault === undefined) {
    const content = append(pending.content)
    if (content === undefined) {
      builder.diagnostic('bad-base64', `Chunk ${describeValue(index)} is not Base64.`, { id })
      pending = { ...pending, fault: 'bad-base64' }
    } else pending = { ...pending, content }
  }
  const written: ArtifactView = {
    ...artifact,
    descriptor: mergeDescriptor(artifact.descriptor, event),
    pending,
  }
  const writer = artifact.pending?.taskId
  // Any task may go on with a write; only the end of the last one that did abandons it.
  if (writer !== undefined && writer !== taskId) {
    builder.changeTask(writer, (task) => withOpen(task, 'writes', id, false))
  }
  if (event.complete) {
    // On datasets, `digest` is an unknown field.
    completeWrite(builder, written, pending, event.kind === 'file-write' ? event.digest : undefined)
  } else {
    setArtifact(builder, written)
    builder.setOpen('writes', id, true)
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

/** Commits a pending version if it has no fault and the right digest. */
function completeWrite(
  builder: ViewBuilder,
  artifact: ArtifactView,
  pending: PendingVersion,
  digest: string | undefined,
): void {
  const { pending: _, ...rest } = artifact
  const { artifactId: id } = artifact
  builder.setOpen('writes', id, false)
  const content = completeContent(pending.content)
  const actual = digest === undefined ? undefined : digestOf(bytesOf(content))
  if (pending.fault !== undefined) {
    const reason = pending.fault === 'gap' ? 'a chunk is missing' : 'a chunk is not Base64'
    const message = `Artifact ${describeValue(id)} cannot be completed: ${reason} (${pending.fault}).`
    builder.diagnostic('incomplete-write', message, { id, actual: pending.fault })
    setArtifact(builder, rest)
  } else if (digest !== actual) {
    const message = `Expected digest ${describeValue(digest)}, got ${describeValue(actual)}.`
    builder.diagnostic('digest-mismatch', message, { id, expected: digest, actual })
    setArtifact(builder, rest)
  } else commitVersion(builder, rest, pending.version, content, digest)
}

/** Makes a version the current one, unless it is older. */
function commitVersion(
  builder: ViewBuilder,
  artifact: ArtifactView,
  given: number | undefined,
  content: ArtifactContent,
  digest?: string,
): void {
  const current = artifact.committed?.version
  const next = (current ?? 0) + 1
  const version = given ?? next
  if (current !== undefined && version <= current) {
    const details = { id: artifact.artifactId, expected: next, actual: version }
    builder.diagnostic(
      'repeated',
      `Expected version ${describeValue(next)} or later, got ${describeValue(version)}.`,
      details,
    )
    setArtifact(builder, artifact)
    return
  }
  const committed: ArtifactVersion = { version, content }
  setArtifact(builder, {
    ...artifact,
    committed: digest === undefined ? committed : { ...committed, digest },
  })
}

function setArtifact(builder: ViewBuilder, artifact: ArtifactView): void {
  builder.artifacts = keyedSet(builder.artifacts, builder.key(artifact.artifactId), artifact)
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

/** A descriptor with the fields that an event sets; the others stay. */
function mergeDescriptor(
  descriptor: ArtifactDescriptor,
  event: ContextEvent<DataWriteEvent> | Chunk,
): ArtifactDescriptor {
  const { name, description, metadata } = event
  // On other kinds, these are unknown fields.
  const mimeType = event.kind === 'file-write' ? event.mimeType : undefined
  const schema = event.kind === 'dataset-write' ? event.schema : undefined
  if ((name ?? description ?? mimeType ?? schema ?? metadata) === undefined) return descriptor
  return {
    ...descriptor,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(schema === undefined ? {} : { schema }),
    ...(metadata === undefined ? {} : { metadata: { ...descriptor.metadata, ...metadata } }),
  }
}
