/** Writing artifacts: where each is written, and what is stored of it. */

import { boundedGet, boundedSet, boundedValues } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import type { EventKind } from '../../../events/event.ts'
import type { Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import {
  type ArtifactRecord,
  type ArtifactType,
  describedArtifact,
  fileFields,
  MAX_ARTIFACTS,
  MAX_BODY_LENGTH,
} from './artifact-record.ts'
import { artifactKey, type Target, textKey } from './state.ts'

/** The record of an artifact of the events; `undefined` if nothing was written to it. */
export function artifactRecord(writer: A2aWriter, artifactId: string): ArtifactRecord | undefined {
  const record = boundedGet(writer.state.artifacts, artifactId)
  // Only where a text has the id is the artifact written under another one.
  return record?.type === 'content' ? recordAt(writer, artifactKey(artifactId)) : record
}

/** The record of the last segment of a text. */
export function textRecord(writer: A2aWriter, contentId: string | undefined): ArtifactRecord | undefined {
  return recordAt(writer, textKey(contentId))
}

function recordAt({ state }: A2aWriter, key: string): ArtifactRecord | undefined {
  const target = boundedGet(state.targets, key)
  return target === undefined ? undefined : boundedGet(state.artifacts, target.id)
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
    // Empty texts that are complete are reported where they end.
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
  const { targets, artifacts } = writer.state
  const holder = boundedGet(artifacts, artifactId)
  if (holder?.type !== 'content') return newRecord(artifactId, type, holder?.order ?? nextOrder(writer))
  const key = artifactKey(artifactId)
  const target = boundedGet(targets, key) ?? freeTarget(writer, artifactId, 2)
  setTarget(writer, key, target)
  if (!writer.hasExtension) {
    writer.lossy('artifactId', `Another artifact has the id ${artifactId}; sent as ${target.id}.`)
  }
  return newRecord(target.id, type, boundedGet(artifacts, target.id)?.order ?? nextOrder(writer))
}

/** Begins a segment of a text: an artifact of its own, with `#2`, `#3` and so on at the end of its id. */
export function beginText(writer: A2aWriter, contentId: string | undefined): Mutable<ArtifactRecord> {
  const { targets, task } = writer.state
  const key = textKey(contentId)
  const target = freeTarget(
    writer,
    contentId ?? `${task?.id}:content`,
    (boundedGet(targets, key)?.nth ?? 0) + 1,
  )
  setTarget(writer, key, target)
  return newRecord(target.id, 'content', nextOrder(writer))
}

/** The first id from the `nth` on that no other artifact has. */
function freeTarget({ state }: A2aWriter, base: string, from: number): Target {
  for (let nth = from; ; nth++) {
    const id = nth === 1 ? base : `${base}#${nth}`
    if (boundedGet(state.artifacts, id) === undefined) return { id, nth }
  }
}

function setTarget(writer: A2aWriter, key: string, target: Target): void {
  // Records are evicted first: there are at most as many.
  writer.state.targets = boundedSet(writer.state.targets, key, target, 2 * MAX_ARTIFACTS).map
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
    version: undefined,
    nextIndex: 0,
    pendingSurrogate: '',
    isWritten: false,
    isComplete: false,
    completedAt: undefined,
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
  const length = boundedGet(artifacts, record.id)?.body?.length ?? 0
  let total = counts.bodyLength - length + (record.body?.length ?? 0)
  if (total > MAX_BODY_LENGTH) {
    const message = `Artifact ${record.id} is too large to be part of snapshots.`
    writer.diagnostic('state-evicted', message)
    total -= record.body?.length ?? 0
    record.body = undefined
  }
  if (total !== counts.bodyLength) setBodyLength(writer, total)
  const { map, hasEvicted } = boundedSet(artifacts, record.id, record, MAX_ARTIFACTS)
  writer.state.artifacts = map
  if (!hasEvicted) return
  let bodyLength = 0
  for (const { body } of boundedValues(map)) bodyLength += body?.length ?? 0
  setBodyLength(writer, bodyLength)
  const message = `More than ${MAX_ARTIFACTS} artifacts: those not written for the longest time are left out of snapshots.`
  writer.diagnostic('state-evicted', message)
}

function setBodyLength({ state }: A2aWriter, bodyLength: number): void {
  const { messages, artifacts } = state.counts
  state.counts = { messages, artifacts, bodyLength }
}
