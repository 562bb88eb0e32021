/** Folding the writing of artifacts. */

import { appendBase64, fromBase64 } from '../../encoding/base64.ts'
import { digestOf } from '../../encoding/sha256.ts'
import type { DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import type { ContextEvent } from '../../events/event.ts'
import { emptyList, listWith } from '../collections/list.ts'
import { tableGet, tableWith } from '../collections/table.ts'
import type {
  ArtifactContent,
  ArtifactMetadata,
  ArtifactVersion,
  ArtifactView,
  PendingVersion,
} from './artifact.ts'
import { foldChange } from './reduce-artifact-delta.ts'
import { type Draft, type Folds, withOpen } from './view-builder.ts'

type ArtifactKind = 'file-write' | 'data-write' | 'dataset-write' | 'artifact-delta'
type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>
type Content = PendingVersion['content']

export const artifactFolds: Folds<ArtifactKind> = {
  'file-write'(draft, event) {
    const empty: Content =
      event.encoding === 'base64' ? { type: 'bytes', base64: '' } : { type: 'text', text: '' }
    foldChunk(draft, event, 'file', empty, (content) => {
      if (content.type === 'text') return { type: 'text', text: content.text + event.data }
      const bytes = content.type === 'bytes' ? appendBase64(content, event.data) : undefined
      return bytes && { type: 'bytes', ...bytes }
    })
  },

  'dataset-write'(draft, event) {
    foldChunk(draft, event, 'dataset', { type: 'rows', rows: emptyList }, (content) => {
      if (content.type !== 'rows') return undefined
      return { type: 'rows', rows: event.rows.reduce(listWith, content.rows) }
    })
  },

  'data-write'(draft, event) {
    const artifact = artifactFor(draft, event, 'data')
    if (artifact === undefined) return
    const { expectedVersion, data } = event
    const current = artifact.committed?.version
    if (expectedVersion !== undefined && current !== undefined && expectedVersion !== current) {
      draft.problem('version-conflict', 'The record is of another version than the write expects.', {
        id: event.artifactId,
        expected: expectedVersion,
        actual: current,
      })
      return
    }
    const about = aboutWith(artifact.about, event)
    const version = event.version ?? event.metadata?.version
    commit(draft, { ...artifact, about }, version, { type: 'data', data })
  },

  'artifact-delta': foldChange,
}

/** The artifact an event writes to, new where there is none; `undefined` when it is of another type. */
function artifactFor(
  draft: Draft,
  { artifactId, contextId, taskId, timestamp: at }: ContextEvent<DataWriteEvent> | Chunk,
  type: ArtifactView['type'],
): ArtifactView | undefined {
  const known = tableGet(draft.artifacts, draft.key(artifactId))
  if (known !== undefined && known.type !== type) {
    const more = { id: artifactId, expected: known.type, actual: type }
    draft.problem('wrong-type', `The artifact is a ${known.type}.`, more)
    return undefined
  }
  if (draft.part('artifact', artifactId) === undefined) {
    draft.setPart(artifactId, { type: 'artifact', at, artifactId })
  }
  return known === undefined ? { artifactId, contextId, taskId, type, about: {} } : { ...known, taskId }
}

function foldChunk(
  draft: Draft,
  event: Chunk,
  type: 'file' | 'dataset',
  empty: Content,
  append: (content: Content) => Content | undefined,
): void {
  const artifact = artifactFor(draft, event, type)
  if (artifact === undefined) return
  const { artifactId, index, version } = event
  const end = Math.max(index, event.indexEnd ?? index)
  const before = writingBefore(draft, artifact, event, empty)
  if (end < before.next) {
    const more = { id: artifactId, expected: before.next, actual: index }
    draft.problem('repeated', 'A chunk that was there before.', more)
    return
  }
  let writing: PendingVersion = { ...before, taskId: event.taskId, next: end + 1 }
  if (version !== undefined) writing = { ...writing, version }
  if (index !== before.next) {
    draft.problem('gap', 'Chunks are missing.', { id: artifactId, expected: before.next, actual: index })
    writing = { ...writing, fault: 'gap' }
  }
  if (writing.fault === undefined) {
    const content = append(writing.content)
    if (content === undefined) draft.problem('bad-base64', 'A chunk is not Base64.', { id: artifactId })
    writing = content === undefined ? { ...writing, fault: 'bad-base64' } : { ...writing, content }
  }
  const written: ArtifactView = { ...artifact, about: aboutWith(artifact.about, event), writing }
  const writer = artifact.writing?.taskId
  // Any task may write to it, but what is being written is given up only when the last who did has ended.
  if (writer !== undefined && writer !== event.taskId) {
    draft.changeTask(writer, (task) => withOpen(task, 'writes', artifactId, false))
  }
  // Datasets have no digest; a field of that name is somebody's own.
  if (event.complete) finish(draft, written, writing, event.kind === 'file-write' ? event.digest : undefined)
  else {
    put(draft, written)
    draft.setOpen('writes', artifactId, true)
  }
}

/** What is being written before a chunk: a new version when the chunk is the first one. */
function writingBefore(draft: Draft, artifact: ArtifactView, event: Chunk, empty: Content): PendingVersion {
  const { writing, artifactId } = artifact
  const { index, taskId } = event
  if (index > 0) return writing ?? { taskId, content: empty, next: 0 }
  if (writing !== undefined) {
    draft.problem('abandoned-write', 'The artifact is written anew before it was complete.', {
      id: artifactId,
    })
  }
  return { taskId, content: empty, next: 0 }
}

function finish(
  draft: Draft,
  artifact: ArtifactView,
  writing: PendingVersion,
  digest: string | undefined,
): void {
  const { writing: _, ...rest } = artifact
  const { artifactId: id } = artifact
  draft.setOpen('writes', id, false)
  const content = whole(writing.content)
  const actual = digest === undefined ? undefined : digestOf(bytesOf(content))
  if (writing.fault !== undefined) {
    draft.problem('incomplete-write', 'What was written has a fault.', { id, actual: writing.fault })
    put(draft, rest)
  } else if (digest !== actual) {
    draft.problem('digest-mismatch', 'The bytes are not those of the digest.', {
      id,
      expected: digest,
      actual,
    })
    put(draft, rest)
  } else commit(draft, rest, writing.version, content, digest)
}

/** Makes a version the current one, unless it is older. */
function commit(
  draft: Draft,
  artifact: ArtifactView,
  given: number | undefined,
  content: ArtifactContent,
  digest?: string,
): void {
  const current = artifact.committed?.version
  const version = given ?? (current ?? 0) + 1
  if (current !== undefined && version <= current) {
    const more = { id: artifact.artifactId, expected: current + 1, actual: version }
    draft.problem('repeated', 'A version that is not newer than the current one.', more)
    put(draft, artifact)
    return
  }
  const committed: ArtifactVersion = { version, content }
  put(draft, { ...artifact, committed: digest === undefined ? committed : { ...committed, digest } })
}

function put(draft: Draft, artifact: ArtifactView): void {
  draft.artifacts = tableWith(draft.artifacts, draft.key(artifact.artifactId), artifact)
}

function whole(content: Content): ArtifactContent {
  if (content.type !== 'bytes' || content.rest === undefined) return content
  return { type: 'bytes', base64: content.base64 + content.rest }
}

/** The bytes of a file. */
function bytesOf(content: ArtifactContent): Uint8Array {
  if (content.type === 'text') return new TextEncoder().encode(content.text)
  return (content.type === 'bytes' ? fromBase64(content.base64) : undefined) ?? new Uint8Array()
}

/** What is told of an artifact with what an event tells; what the event leaves out is as it was. */
function aboutWith(about: ArtifactMetadata, event: ContextEvent<DataWriteEvent> | Chunk): ArtifactMetadata {
  const { name, description, metadata } = event
  // On the other kinds, fields of these names are somebody's own.
  const mimeType = event.kind === 'file-write' ? event.mimeType : undefined
  const schema = event.kind === 'dataset-write' ? event.schema : undefined
  if ((name ?? description ?? mimeType ?? schema ?? metadata) === undefined) return about
  return {
    ...about,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(schema === undefined ? {} : { schema }),
    ...(metadata === undefined ? {} : { metadata: { ...about.metadata, ...metadata } }),
  }
}
