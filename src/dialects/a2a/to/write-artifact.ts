/** Writing artifacts: where each is written, and what is stored of it. */

import {
  boundedGet,
  boundedSet,
  boundedUpdate,
  boundedValues,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import type { EventKind } from '../../../events/event.ts'
import { noChunks } from '../../engine/artifact-chunks.ts'
import type { Item } from '../../engine/item.ts'
import { MAX_ARTIFACTS } from '../../shared/limits.ts'
import type { Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import {
  type ArtifactRecord,
  type ArtifactType,
  describedArtifact,
  fileFields,
  MAX_BODY_LENGTH,
  storedLength,
} from './artifact-record.ts'

/** The record of an artifact of the events; `undefined` if nothing was written to it. */
export function artifactRecord({ state }: A2aWriter, artifactId: string): ArtifactRecord | undefined {
  const record = boundedGet(state.artifacts, artifactId)
  if (record?.type !== 'content') return record
  // Only where a text has the id is the artifact written under another one.
  const nth = boundedGet(state.ids, artifactKey(artifactId))
  return nth === undefined ? undefined : boundedGet(state.artifacts, nthId(artifactId, nth))
}

/** The events that write an artifact. */
const KINDS: Readonly<Record<ArtifactType, EventKind>> = {
  content: 'content-delta',
  file: 'file-write',
  link: 'file-write',
  data: 'data-write',
  dataset: 'dataset-write',
}

/** Reports the artifacts of a task or stream that ends which have no content: A2A has no artifacts without parts. */
export function reportUnwritten(writer: A2aWriter): void {
  if (writer.hasExtension) return
  for (const record of boundedValues(writer.state.artifacts)) {
    if (record.isWritten || record.nextIndex === 0) continue
    const kind = KINDS[record.type]
    const message = `Expected content of artifact ${describeValue(record.id)}, got none.`
    const { parts, ...described } = describedArtifact(record, [])
    writer.diagnostic(`dropped:${kind}`, message, {
      detail: { reason: 'no-equivalent', ...described, ...fileFields(record) },
    })
  }
}

/** Begins an artifact, or another version of it under the same id. */
export function beginArtifact(
  writer: A2aWriter,
  artifactId: string,
  type: ArtifactType,
): Mutable<ArtifactRecord> {
  const known = artifactRecord(writer, artifactId)
  const isFree = known === undefined && boundedGet(writer.state.artifacts, artifactId) === undefined
  const id = known?.id ?? (isFree ? artifactId : newId(writer, artifactKey(artifactId), artifactId))
  if (id !== artifactId) {
    writer.lossy('artifactId', `Another artifact has the id ${artifactId}; sent as ${id}.`)
  }
  return newRecord(id, type, known?.order ?? nextOrder(writer))
}

/** Begins a segment of a text: an artifact of its own, with `#2`, `#3` and so on at the end of its id. */
export function beginText(writer: A2aWriter, contentId: string | undefined, base: string): ArtifactRecord {
  const id = newId(writer, contentId === undefined ? 'text' : `text:${contentId}`, base)
  const record = newRecord(id, 'content', nextOrder(writer))
  storeRecord(writer, record)
  return record
}

/** The next id of a text or an artifact that no other has. */
function newId({ state }: A2aWriter, key: string, base: string): string {
  let nth = boundedGet(state.ids, key) ?? 0
  let known: ArtifactRecord | undefined
  do {
    // The id of a text that was complete without a character is free.
    known = nth === 0 ? undefined : boundedGet(state.artifacts, nthId(base, nth))
    if (known?.type === 'content' && !known.isWritten) return known.id
    nth++
  } while (boundedGet(state.artifacts, nthId(base, nth)) !== undefined)
  // Records are evicted first: there are at most as many.
  state.ids = boundedSet(state.ids, key, nth, 2 * MAX_ARTIFACTS).map
  return nthId(base, nth)
}

const artifactKey = (artifactId: string): string => `artifact:${artifactId}`
const nthId = (base: string, nth: number): string => (nth === 1 ? base : `${base}#${nth}`)

/** A text whose record was evicted: what was written of it is not stored. */
export function evictedText(writer: A2aWriter, { id, length }: Item): Mutable<ArtifactRecord> {
  return { ...newRecord(id, 'content', nextOrder(writer)), isWritten: length > 0, body: undefined }
}

function nextOrder({ state }: A2aWriter): number {
  const { messages, artifacts, bodyLength } = state.counts
  state.counts = { messages, artifacts: artifacts + 1, bodyLength }
  return artifacts
}

function newRecord(id: string, type: ArtifactType, order: number): Mutable<ArtifactRecord> {
  return {
    id,
    order,
    type,
    name: undefined,
    description: undefined,
    mediaType: undefined,
    metadata: undefined,
    isBase64: false,
    ...noChunks,
    isWritten: false,
    data: null,
    body: '',
  }
}

/**
 * Emits a part of an artifact and stores the artifact. Nothing written before: the part creates or replaces it.
 *
 * @param added - What the part adds to the body.
 */
export function writePart(
  writer: A2aWriter,
  record: Mutable<ArtifactRecord>,
  part: Part,
  added: string,
  last: boolean,
): void {
  const { id, type, isWritten, body } = record
  const parts = [part]
  writer.emitArtifact(
    isWritten ? { artifactId: id, parts } : describedArtifact(record, parts),
    isWritten,
    last,
  )
  if (!isWritten) record.body = added
  else if (body !== undefined && added !== '')
    record.body = type === 'content' ? body + added : `${body}\n${added}`
  record.isWritten = true
  storeRecord(writer, record)
}

/** Stores an artifact; its body only if there is room. */
export function storeRecord(writer: A2aWriter, record: Mutable<ArtifactRecord>): void {
  const { artifacts, counts } = writer.state
  let total = counts.bodyLength
  const store = (known: ArtifactRecord | undefined): ArtifactRecord => {
    if (known !== undefined) total -= storedLength(known)
    const length = storedLength(record)
    if (total + length <= MAX_BODY_LENGTH) total += length
    else {
      writer.diagnostic('state-evicted', `Artifact ${record.id} is too large to be part of snapshots.`)
      record.body = undefined
      record.data = null
    }
    return record
  }
  const { map, hasEvicted } = boundedUpdate(artifacts, record.id, store, MAX_ARTIFACTS)
  writer.state.artifacts = map
  if (hasEvicted) {
    total = 0
    for (const each of boundedValues(map)) total += storedLength(each)
    const message = `More than ${MAX_ARTIFACTS} artifacts: those not written for the longest time are left out of snapshots.`
    writer.diagnostic('state-evicted', message)
  }
  const { messages, artifacts: count } = counts
  if (total !== counts.bodyLength) writer.state.counts = { messages, artifacts: count, bodyLength: total }
}
