/** Slots: the outputs that the parts of an artifact hold, such as a text, a file or a dataset. */

import type { JsonValue } from '../../../core/json-value.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { emptyTextHash, extendTextHash, isSameText, type TextHash } from '../../../encoding/text-hash.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { jsonText } from '../../../json/json-text.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { Part } from '../wire/model.ts'

/**
 * What a slot is mapped to: a text of the task, a file that was sent as text, a file, a file that is a link, a record,
 * or the rows of a dataset.
 */
export type SlotType = 'content' | 'text' | 'file' | 'link' | 'record' | 'rows'

/** A run of parts of the same type, name and media type, as far as it was received. */
export interface Slot {
  readonly type: SlotType
  readonly name: string | undefined
  readonly mediaType: string | undefined
  /** How many parts it has. */
  readonly count: number
  /** The hash of the content of all parts. */
  readonly hash: TextHash
  /** Its position among all slots of the task. */
  readonly order: number
  /** The `artifactId` in events; of a text its `contentId`, or `''` if it has none. */
  readonly key: string
  /** Index of the next delta, chunk or batch. */
  readonly nextIndex: number
  /** Whether an event that completes it is still to come. */
  readonly isOpen: boolean
  /** The version of a file or dataset in events: how often it was completed or changed. */
  readonly version: number
  /** The open segment of a text; of a file its chunks of Base64, one a line, unless they are too long to store. */
  readonly text: string
  /** Whether the chunks in events are text, though those of A2A are Base64. */
  readonly isUtf8: boolean
  /** Whether bytes were appended after the last chunk, so that no chunk counts as the last one. */
  readonly isReopened: boolean
  /** What the event that completes a text carries in its metadata. */
  readonly carried: Metadata | undefined
}

/** A slot for a run that begins with a part, before it has a place in a task. */
export function newSlot(part: Part): Slot {
  const { name, mediaType } = part
  return {
    type: typeOf(part),
    name,
    mediaType,
    count: 0,
    hash: emptyTextHash,
    order: 0,
    key: '',
    nextIndex: 0,
    isOpen: false,
    version: 0,
    text: '',
    isUtf8: false,
    isReopened: false,
    carried: undefined,
  }
}

function typeOf(part: Part): SlotType {
  switch (part.type) {
    case 'text':
      return part.name === undefined ? 'content' : 'text'
    case 'raw':
      return 'file'
    case 'url':
      return 'link'
    case 'data':
      return isRows(part.data) ? 'rows' : 'record'
  }
}

/** A copy to change. Written out, as it is made for each update: a spread takes many times as long. */
export function copySlot(slot: Slot): Mutable<Slot> {
  return {
    type: slot.type,
    name: slot.name,
    mediaType: slot.mediaType,
    count: slot.count,
    hash: slot.hash,
    order: slot.order,
    key: slot.key,
    nextIndex: slot.nextIndex,
    isOpen: slot.isOpen,
    version: slot.version,
    text: slot.text,
    isUtf8: slot.isUtf8,
    isReopened: slot.isReopened,
    carried: slot.carried,
  }
}

/** Whether data is a list of objects: the rows of a dataset. */
export function isRows(data: unknown): data is Record<string, unknown>[] {
  return Array.isArray(data) && data.every(isFields)
}

/** Data as the record of an event. */
export function toRecord(data: JsonValue): Record<string, unknown> {
  return isFields(data) ? { ...data } : { value: data }
}

/**
 * Whether a part belongs to the run. A part without a media type has that of the part before; one without a name, that of
 * the part before too, unless it is a file of bytes: A2A does not distinguish two files from chunks of one.
 */
export function isPartOf({ type, name, mediaType }: Slot, part: Part): boolean {
  const own = typeOf(part)
  const isSameType = own === type || (own === 'content' && type === 'text')
  const isNamed = part.type !== 'raw' || part.isChunk === true || part.name !== undefined
  return (
    isSameType &&
    type !== 'link' &&
    type !== 'record' &&
    isNamed &&
    (part.name === undefined || part.name === name) &&
    (part.mediaType === undefined || part.mediaType === mediaType)
  )
}

/** Whether a slot is a complete file of bytes: it can only be written again, as no event appends bytes. */
export function isSealed({ type, isOpen, isUtf8 }: Slot): boolean {
  return type === 'file' && !isOpen && !isUtf8
}

/** Whether a slot takes no more parts: it is sealed, and its bytes are not stored. */
export function isClosed(slot: Slot): boolean {
  return isSealed(slot) && slot.text === ''
}

/** The slot with more parts: a copy to change. */
export function withParts(slot: Slot, parts: readonly Part[]): Mutable<Slot> {
  const copy = copySlot(slot)
  copy.count += parts.length
  copy.hash = extendHash(slot.hash, parts)
  return copy
}

/** The hash of the content of parts after others. */
function extendHash(hash: TextHash, parts: readonly Part[]): TextHash {
  let next = hash
  for (const part of parts) {
    const content = contentOf(part)
    // Cutting a text into other parts does not change it.
    next = extendTextHash(next, part.type === 'text' ? content : `${content}\n`)
  }
  return next
}

/** The parts of a run that were not received yet; `undefined` if it does not begin with those that were. */
export function partsAfter(slot: Slot, parts: readonly Part[]): readonly Part[] | undefined {
  const [first] = parts
  if (first?.type === 'text') {
    const text = parts.map(contentOf).join('')
    const { length } = slot.hash
    if (!isSameText(extendTextHash(emptyTextHash, text.slice(0, length)), slot.hash)) return undefined
    let end = 0
    return parts.flatMap((part) => {
      const content = contentOf(part)
      const start = Math.max(length - end, 0)
      end += content.length
      return part.type === 'text' && start < content.length ? [{ ...part, text: content.slice(start) }] : []
    })
  }
  const start = extendHash(emptyTextHash, parts.slice(0, slot.count))
  return isSameText(start, slot.hash) ? parts.slice(slot.count) : undefined
}

/** The content of a part as text. */
export function contentOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'raw':
      return part.bytes
    case 'url':
      return part.url
    case 'data':
      return jsonOf(part.data)
  }
}

/** A value as JSON; empty if it is nested too deeply to be serialized. */
export function jsonOf(value: unknown): string {
  return jsonText(value) ?? ''
}
