/** Writing artifacts: when to append, when to replace, and when to start another. */

import type { ExtensionEvent } from '../wire/extension.ts'
import type { Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { type ArtifactRecord, type ArtifactType, MAX_BODY_LENGTH, toBody } from './artifact-record.ts'

/** The fields of an artifact before anything is written to it. */
export type NewArtifact = Pick<ArtifactRecord, 'key' | 'type'> &
  Partial<Pick<ArtifactRecord, 'contentId' | 'name' | 'description' | 'mediaType' | 'metadata' | 'isBase64'>>

/** How parts are written. */
export interface WriteOptions {
  /** Index of the next delta, chunk or batch. Omitted: unchanged. */
  readonly nextIndex?: number
  readonly pendingSurrogate?: string
  /** Whether the artifact is complete afterwards. */
  readonly isComplete?: boolean
  /** Time of the event, if it completes the artifact. */
  readonly completedAt?: string
  /** Whether the parts replace everything written before. */
  readonly replace?: boolean
}

/** The artifact with the key that was created last; of content, with the id of its text. */
export function latestArtifact(
  writer: A2aWriter,
  key: string,
  contentId?: string,
): ArtifactRecord | undefined {
  const { openArtifacts, completeArtifacts } = writer.state
  const matches = (record: ArtifactRecord): boolean => record.key === key && record.contentId === contentId
  const open = openArtifacts.findLast(matches)
  const complete = completeArtifacts.findLast(matches)
  return open === undefined || (complete !== undefined && complete.order > open.order) ? complete : open
}

/** The artifact with the key that can be appended to. */
export function openArtifact(
  writer: A2aWriter,
  key: string,
  type: ArtifactType,
  contentId?: string,
): ArtifactRecord | undefined {
  return writer.state.openArtifacts.findLast(
    (record) => record.key === key && record.type === type && record.contentId === contentId,
  )
}

/**
 * Creates an artifact. A complete artifact never changes: writing to its key again creates another one,
 * with `#2`, `#3` and so on at the end of its id.
 */
export function createArtifact(writer: A2aWriter, artifact: NewArtifact): ArtifactRecord {
  const { openArtifacts, completeArtifacts, task } = writer.state
  const all = [...completeArtifacts, ...openArtifacts]
  const base = artifact.key === '' ? `${task?.id}:content` : artifact.key
  let nth = all.filter((record) => record.key === artifact.key).length + 1
  let id = nth === 1 ? base : `${base}#${nth}`
  while (all.some((record) => record.id === id)) id = `${base}#${++nth}`
  if (artifact.key !== '' && id !== artifact.key && !writer.settings.extension) {
    writer.lossy('artifactId', `Artifact ${artifact.key} is complete; its new content is sent as ${id}.`)
  }
  const record: ArtifactRecord = {
    ...artifact,
    id,
    order: all.length,
    nextIndex: 0,
    pendingSurrogate: '',
    isComplete: false,
    isWritten: false,
    body: '',
  }
  writer.state.openArtifacts = [...openArtifacts, record]
  return record
}

/** Emits parts of an artifact and stores them. */
export function writeParts(
  writer: A2aWriter,
  record: ArtifactRecord,
  parts: readonly Part[],
  { replace = false, ...changes }: WriteOptions,
  extensionEvent?: ExtensionEvent,
): void {
  const { id: artifactId, name, description, metadata, isWritten, body } = record
  const append = isWritten && !replace
  // Replacing an artifact replaces its name as well.
  const descriptor = !append && {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
  }
  const flags = { append, last: changes.isComplete === true }
  writer.emitArtifact({ artifactId, ...descriptor, parts }, flags, extensionEvent)

  const separator = record.type === 'content' ? '' : '\n'
  const added = parts.map(toBody).join(separator)
  if (!append) updateArtifact(writer, record, { ...changes, isWritten: true, body: added })
  else if (body === undefined) updateArtifact(writer, record, changes)
  else updateArtifact(writer, record, { ...changes, body: body + separator + added })
}

/** Stores changes of an artifact; its body only if there is room. */
export function updateArtifact(
  writer: A2aWriter,
  record: ArtifactRecord,
  changes: Partial<ArtifactRecord>,
): void {
  let next: ArtifactRecord = { ...record, ...changes }
  const length = record.body?.length ?? 0
  const added = (next.body?.length ?? 0) - length
  const { openArtifacts, counts } = writer.state
  if (counts.bodyLength + added > MAX_BODY_LENGTH) {
    writer.diagnostic('snapshot-limit', `Artifact ${record.id} is too large to be part of snapshots.`)
    const { body: _, ...rest } = next
    next = rest
    writer.state.counts = { ...counts, bodyLength: counts.bodyLength - length }
  } else if (added !== 0) {
    writer.state.counts = { ...counts, bodyLength: counts.bodyLength + added }
  }
  if (next.isComplete) {
    writer.state.openArtifacts = openArtifacts.filter((other) => other.id !== record.id)
    writer.state.completeArtifacts = [...writer.state.completeArtifacts, next]
  } else {
    writer.state.openArtifacts = openArtifacts.map((other) => (other.id === record.id ? next : other))
  }
}
