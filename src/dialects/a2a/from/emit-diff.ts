/** Emitting what changed in a slot: a text, a file, a record or a dataset. */

import { boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import { MAX_ARTIFACTS } from '../../shared/limits.ts'
import { LINK_TYPE } from '../../shared/link.ts'
import type { Part, UrlPart } from '../wire/model.ts'
import { carriedOfPart } from './carry.ts'
import type { Description } from './describe.ts'
import { appendChunk, completeChunks, emitChunks, restart, rewriteFile } from './emit-chunks.ts'
import { completeText, emitText, replaceText } from './emit-text.ts'
import type { TaskEventWriter } from './event-writer.ts'
import type { Change } from './merge.ts'
import { uniqueId } from './output-id.ts'
import { copySlot, isSealed, type Slot, toRecord } from './slot.ts'
import { isOwnText, originalId, type SlotId, slotId } from './state.ts'

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
  if (isReplaced && before?.type === 'content' && isLatestText(writer, before)) {
    const slot = copySlot(before)
    slot.count = change.after.count
    slot.hash = change.after.hash
    if (slot.key === '') writer.state.openText = id
    replaceText(writer, slot, added, description, isComplete)
    putSlot(writer, id, slot)
    return
  }
  if (isReplaced) completeSlot(writer, id)
  if (isReplaced && (before === undefined || before.type === 'content')) {
    const message = `Parts of artifact ${describeValue(originalId(id.artifactId))} were replaced; events keep the old ones as well.`
    writer.diagnostic('lossy:parts', message)
  }
  const { after: slot } = change
  if (before === undefined) place(writer, id, slot)
  const isContinued = before !== undefined && !isReplaced
  const isAppended = isContinued && !before.isOpen && before.type !== 'content'
  if (!isAppended) {
    if (!isContinued || !before.isOpen) restart(writer, slot)
    emitParts(writer, id, slot, added, description, isComplete)
  } else if (isSealed(before)) rewriteFile(writer, slot, added, description, isComplete)
  else for (const part of added) appendChunk(writer, slot, part, description)
  putSlot(writer, id, slot)
}

/** Whether a text is the latest of those with its `contentId`: events can replace no earlier one. */
function isLatestText({ state }: TaskEventWriter, { key, order }: Slot): boolean {
  for (const [, other] of boundedEntries(state.slots)) {
    if (other.type === 'content' && other.key === key && other.order > order) return false
  }
  return true
}

function emitParts(
  writer: TaskEventWriter,
  id: SlotId,
  slot: Mutable<Slot>,
  added: readonly Part[],
  description: Description,
  isComplete: boolean,
): void {
  switch (slot.type) {
    case 'content':
      if (!slot.isOpen && slot.key === '') beginText(writer, id)
      emitText(writer, slot, added, description, isComplete)
      break
    case 'link':
      for (const part of added) emitLink(writer, slot, part as UrlPart, description)
      break
    case 'record':
      for (const part of added) emitRecord(writer, slot, part, description)
      break
    default:
      emitChunks(writer, slot, added, description, isComplete)
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
  writer.emitWith(
    {
      kind: 'file-write',
      artifactId: slot.key,
      data: url,
      index: 0,
      complete: true,
      mimeType: LINK_TYPE,
      ...fields,
      metadata,
    },
    carried,
  )
}

function emitRecord(writer: TaskEventWriter, slot: Slot, part: Part, description: Description): void {
  if (part.type !== 'data') return
  const { fields, carried } = description.ofFirst(undefined, carriedOfPart(part))
  writer.emitWith({ kind: 'data-write', artifactId: slot.key, data: toRecord(part.data), ...fields }, carried)
}

/** Gives a new slot its place in the task. */
function place(writer: TaskEventWriter, id: SlotId, slot: Mutable<Slot>): void {
  const { position } = id
  const artifactId = originalId(id.artifactId)
  const { state } = writer
  const stale = boundedGet(state.slots, id.key)
  slot.order = state.slotCount++
  const key = position === 0 ? artifactId : `${artifactId}/${position + 1}`
  if (slot.type === 'content' && position === 0 && isOwnText(state.taskId, artifactId)) {
    slot.key = ''
    return
  }
  // An artifact in events never changes its type.
  const isOther = stale !== undefined && stale.type !== slot.type
  if (stale !== undefined && !isOther) {
    slot.key = stale.key
    slot.version = stale.version
  } else slot.key = uniqueId(writer, id, slot.type, isOther ? `${key}@${slot.order}` : key)
}

/** Completes a slot with a final event, if it is open. */
export function completeSlot(writer: TaskEventWriter, id: SlotId): void {
  const known = boundedGet(writer.state.slots, id.key)
  if (known?.isOpen !== true) return
  const slot = copySlot(known)
  if (slot.type === 'content') completeText(writer, slot)
  else completeChunks(writer, slot)
  putSlot(writer, id, slot)
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
    open.push([slotId(key.slice(end + 1), Number(key.slice(0, end))), slot])
  }
  return open.sort(([, a], [, b]) => a.order - b.order)
}

/** Stores a slot. */
export function putSlot(writer: TaskEventWriter, id: SlotId, slot: Slot): void {
  writer.state.slots = writer.store(writer.state.slots, id.key, slot, MAX_ARTIFACTS)
}
