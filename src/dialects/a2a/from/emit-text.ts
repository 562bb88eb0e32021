/** Emitting text: as content of the task, in segments. */

import type { Mutable } from '../../../core/mutable.ts'
import { fingerprintOf } from '../../../encoding/text-hash.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { Part } from '../wire/model.ts'
import { carriedOfPart, present } from './carry.ts'
import type { Description } from './describe.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { contentOf, jsonOf, type Slot } from './slot.ts'
import { MAX_TEXT_LENGTH } from './state.ts'

/** Emits text parts. A text that is complete at once has no deltas. Changes the slot. */
export function emitText(
  writer: TaskEventWriter,
  slot: Mutable<Slot>,
  parts: readonly Part[],
  description: Description,
  isComplete: boolean,
): void {
  const { state } = writer
  const isWhole = isComplete && !slot.isOpen && parts.length === 1
  slot.isOpen = true
  for (const part of parts) {
    const delta = contentOf(part)
    slot.text += delta
    state.textLength += delta.length
    if (delta === '' || isWhole) continue
    writer.emitWith({ kind: 'content-delta', ...contentId(slot), delta, index: slot.nextIndex++ })
  }
  slot.carried = carriedOf(writer, slot, parts, description)
  const isTooLong = !isComplete && state.textLength > MAX_TEXT_LENGTH
  if (isTooLong) {
    writer.inferred('segment', 'The text is too long to store; it continues as another segment.')
  }
  if (isComplete || isTooLong) completeText(writer, slot)
}

/** Replaces a text, open or complete, by that of parts. Changes the slot. */
export function replaceText(
  writer: TaskEventWriter,
  slot: Mutable<Slot>,
  parts: readonly Part[],
  description: Description,
  isComplete: boolean,
): void {
  const { state } = writer
  const content = parts.map(contentOf).join('')
  state.textLength += content.length - slot.text.length
  slot.text = content
  slot.isOpen = true
  slot.nextIndex = 1
  slot.carried = carriedOf(writer, slot, parts, description)
  writer.emitWith({ kind: 'content-replace', ...contentId(slot), content })
  if (isComplete) completeText(writer, slot)
}

/** Ends the open segment of a text. Changes the slot. */
export function completeText(writer: TaskEventWriter, slot: Mutable<Slot>): void {
  const { state } = writer
  const { carried, text: content, key } = slot
  writer.emitWith({ kind: 'content-complete', ...contentId(slot), content }, carried)
  state.textLength -= content.length
  state.lastContent = fingerprintOf(content)
  if (key === '') state.openText = undefined
  slot.nextIndex = 0
  slot.isOpen = false
  slot.text = ''
  slot.carried = undefined
}

function contentId({ key }: Slot): { contentId?: string } {
  return key === '' ? {} : { contentId: key }
}

/** More parts are not carried; their fields are reported. */
const MAX_PARTS = 32

/** What the end of the segment carries: the description of the artifact, and the fields of parts besides their text. */
function carriedOf(
  writer: TaskEventWriter,
  slot: Slot,
  added: readonly Part[],
  description: Description,
): Metadata | undefined {
  const { artifact, parts = [] } = (slot.carried ?? {}) as {
    artifact?: Metadata
    parts?: readonly Metadata[]
  }
  const given = description.take()
  const own = slot.count === added.length ? present(description.descriptor) : given
  const all = [...parts]
  for (const part of added) {
    const extra = carriedOfPart(part)
    if (extra === undefined || jsonOf(extra) === jsonOf(all.at(-1))) continue
    if (all.length < MAX_PARTS) all.push(extra)
    else writer.diagnostic('lossy:metadata', 'Too many parts of the text have metadata.', { detail: extra })
  }
  return present({
    artifact: own === undefined ? artifact : { ...artifact, ...own },
    parts: all.length > 0 ? all : undefined,
  })
}
