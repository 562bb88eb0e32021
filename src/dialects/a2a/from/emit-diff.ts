/** Emitting what changed in a slot: a text, a file, a record or a dataset. */

import { boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { Part, UrlPart } from '../wire/model.ts'
import { LINK_TYPE } from '../wire/model.ts'
import { carriedOfPart } from './carry.ts'
import type { Description } from './describe.ts'
import { appendChunk, completeChunks, emitChunks, restarted, rewriteFile } from './emit-chunks.ts'
import { completeText, emitText } from './emit-text.ts'
import type { TaskEventWriter } from './event-writer.ts'
import type { Change } from './merge.ts'
import { uniqueId } from './output-id.ts'
import { isSealed, type Slot, toRecord } from './slot.ts'
import { isOwnText, MAX_ARTIFACTS, originalId, type SlotId, slotKey } from './state.ts'

/** Emits the events for a change of a slot, and stores the slot. */
export function emitDiff(
  writer: TaskEventWriter,
  id: SlotId,
  change: Change,
  description: Description,
  isComplete: boolean,
): void {
  const { before, added, isReplaced } = change
  if (before !== undefined && added.length === 0) {
    if (isComplete) completeSlot(writer, id)
    return
  }
  if (isReplaced) completeSlot(writer, id)
  if (isReplaced && (before === undefined || before.type === 'content')) {
    const message = `Parts of artifact ${describeValue(originalId(id.artifactId))} were replaced; events keep the old ones as well.`
    writer.diagnostic('lossy:parts', message)
  }
  const after = before === undefined ? place(writer, id, change.after) : change.after
  const isContinued = before !== undefined && !isReplaced
  const isAppended = isContinued && !before.isOpen && before.type !== 'content'
  const slot = isAppended
    ? isSealed(before)
      ? rewriteFile(writer, after, added, description, isComplete)
      : added.reduce((last, part) => appendChunk(writer, last, part, description), after)
    : emitParts(
        writer,
        id,
        isContinued && before.isOpen ? after : restarted(writer, after),
        added,
        description,
        isComplete,
      )
  putSlot(writer, id, slot)
}

function emitParts(
  writer: TaskEventWriter,
  id: SlotId,
  slot: Slot,
  added: readonly Part[],
  description: Description,
  isComplete: boolean,
): Slot {
  switch (slot.type) {
    case 'content':
      if (!slot.isOpen && slot.key === '') beginText(writer, id)
      return emitText(writer, slot, added, description, isComplete)
    case 'link':
      for (const part of added) emitLink(writer, slot, part as UrlPart, description)
      return slot
    case 'record':
      for (const part of added) emitRecord(writer, slot, part, description)
      return slot
    default:
      return emitChunks(writer, slot, added, description, isComplete)
  }
}

/** Only one text without a `contentId` is open: the next one ends the one before. */
function beginText(writer: TaskEventWriter, id: SlotId): void {
  const { openText } = writer.state
  if (openText !== undefined) completeSlot(writer, openText)
  writer.state.openText = id
}

function emitLink(writer: TaskEventWriter, slot: Slot, part: UrlPart, description: Description): void {
  const { url, name, mediaType, metadata: partMetadata } = part
  const { fields, carried } = description.ofFirst(name, partMetadata && { metadata: partMetadata })
  const metadata = mediaType === undefined ? fields.metadata : { ...fields.metadata, mimeType: mediaType }
  writer.emitDraft(
    {
      kind: 'file-write',
      artifactId: slot.key,
      data: url,
      index: 0,
      complete: true,
      mimeType: LINK_TYPE,
      ...fields,
      ...(metadata !== undefined && { metadata }),
    },
    carried,
  )
}

function emitRecord(writer: TaskEventWriter, slot: Slot, part: Part, description: Description): void {
  if (part.type !== 'data') return
  const { fields, carried } = description.ofFirst(undefined, carriedOfPart(part))
  writer.emitDraft(
    { kind: 'data-write', artifactId: slot.key, data: toRecord(part.data), ...fields },
    carried,
  )
}

/** Gives a new slot its place in the task. */
function place(writer: TaskEventWriter, id: SlotId, slot: Slot): Slot {
  const { position } = id
  const artifactId = originalId(id.artifactId)
  const { state } = writer
  const stale = boundedGet(state.slots, slotKey(id))
  const order = state.slotCount
  state.slotCount = order + 1
  const key = position === 0 ? artifactId : `${artifactId}/${position + 1}`
  if (slot.type === 'content' && position === 0 && isOwnText(state.id, artifactId)) {
    return { ...slot, order, key: '' }
  }
  // An artifact in events never changes its type.
  const isOther = stale !== undefined && stale.type !== slot.type
  if (stale !== undefined && !isOther) return { ...slot, order, key: stale.key, version: stale.version }
  return { ...slot, order, key: uniqueId(writer, id, slot.type, isOther ? `${key}@${order}` : key) }
}

/** Completes a slot with a final event, if it is open. */
export function completeSlot(writer: TaskEventWriter, id: SlotId): void {
  const slot = boundedGet(writer.state.slots, slotKey(id))
  if (slot?.isOpen !== true) return
  putSlot(writer, id, slot.type === 'content' ? completeText(writer, slot) : completeChunks(writer, slot))
}

/** Completes all open slots, in the order in which they began. */
export function completeAll(writer: TaskEventWriter): void {
  for (const [id] of openSlots(writer)) completeSlot(writer, id)
}

/** The open slots, in the order in which they began. */
export function openSlots({ state }: Pick<TaskEventWriter, 'state'>): [SlotId, Slot][] {
  const open: [SlotId, Slot][] = []
  for (const [key, slot] of boundedEntries(state.slots)) {
    if (!slot.isOpen) continue
    const end = key.indexOf('/')
    open.push([{ artifactId: key.slice(end + 1), position: Number(key.slice(0, end)) }, slot])
  }
  return open.sort(([, a], [, b]) => a.order - b.order)
}

/** Stores a slot. */
export function putSlot(writer: TaskEventWriter, id: SlotId, slot: Slot): void {
  writer.state.slots = writer.store(writer.state.slots, slotKey(id), slot, MAX_ARTIFACTS)
}
