/**
 * Writes texts, thoughts and calls: one tracker for every format. When an item is complete, what a reader of the format has of
 * it is the whole, whichever deltas were lost, repeated or merged on the way: what follows a missing delta waits for the whole.
 * A format states how items begin, go on and end.
 */

import type { StepBuilder } from '../../core/step-builder.ts'
import { fnv1a } from '../../encoding/fnv1a.ts'
import { isSameMark, isStartOf, markOf, type TextMark } from '../../encoding/text-mark.ts'
import { jsonText } from '../../json/json-text.ts'
import { parsedJson } from '../../json/parsed.ts'
import { isEqualJson } from '../../json/value.ts'
import { MAX_ARGUMENTS } from '../shared/limits.ts'
import {
  type DeltaEvent,
  type EventOfItem,
  endedItem,
  endItem,
  type Item,
  type ItemEvent,
  type ItemHolder,
  type Items,
  type ItemType,
  isBefore,
  nameOf,
  newItem,
  openItem,
  type ReplaceEvent,
  setEnded,
  setItem,
  someItem,
  type WholeEvent,
} from './item.ts'

/** A step of a writer that has items. */
export type ItemWriter = StepBuilder<{ items: Items }, unknown>

/** How a format writes items of one type. What is omitted has no mark in the format. */
export interface ItemFormat<Writer, Type extends ItemType = ItemType> {
  /** The id of an item in the format. Asked for once, when it begins, also without text. Omitted: that of the stream. */
  id?(writer: Writer, event: EventOfItem<Type>): string
  /** Begins an item, or one that was cut again. */
  open?(writer: Writer, item: Item, event: EventOfItem<Type>): void
  /** Writes more of an item, because of an event. */
  append?(writer: Writer, item: Item, text: string, event: EventOfItem<Type>): void
  /** Ends an item with the event that states the whole. */
  close?(writer: Writer, item: Item, event: EventOfItem<Type> & WholeEvent, isOther: boolean): void
  /** Ends an item that is cut off. */
  cut?(writer: Writer, item: Item): void
  /**
   * Writes a complete item without text. Returns whether the format has such. Omitted: it is written as others, and so are
   * deltas without text, which otherwise add nothing.
   */
  empty?(writer: Writer, item: Item, event: EventOfItem<Type> & WholeEvent): boolean
  /**
   * Replaces what was written. Returns whether the format can; if not, or omitted, readers keep it, which is reported. `'new'`: it
   * can, and the item has yet to begin, as the format has no empty ones.
   */
  replace?(writer: Writer, item: Item, content: string): boolean | 'new'
  /** `close` states the whole, whatever was written before. */
  readonly closesWithWhole?: true
  /** The results of calls have the name of their tool, or none are written. Omitted: readers have that of the start. */
  readonly namesResults?: true
  /** The format has one open item of the type: while one is, others wait for their whole. */
  readonly isAlone?: true
}

export type ItemFormats<Writer> = { readonly [Type in ItemType]: ItemFormat<Writer, Type> }

/** What of a whole was not written of an item; `undefined` if it does not begin with what was. */
export function restOf(item: Item, whole: string): string | undefined {
  return isStartOf(item, whole) ? whole.slice(item.length) : undefined
}

/** An item with its id in the format. One of which nothing is written, as it waits for its whole, has none. */
function withId<Writer extends ItemWriter>(
  writer: Writer,
  format: ItemFormat<Writer>,
  item: Item,
  event: ItemEvent,
): Item {
  if (item.phase !== 'new' || item.id !== '') return item
  return { ...item, id: idOf(writer, format, ofIteration(event, item.iteration)) }
}

/** An event as one of the model response that its item began with: the item stays a part of that, as in views. */
function ofIteration<Event extends ItemEvent>(event: Event, iteration: number | null): Event {
  const isSame = iteration === (event.iteration ?? null)
  return isSame ? event : { ...event, iteration: iteration ?? undefined }
}

function idOf<Writer>(writer: Writer, format: ItemFormat<Writer>, event: ItemEvent): string {
  return format.id === undefined ? nameOf(event)[1] : format.id(writer, event)
}

/** Begins an item, unless it is open, and writes what follows. */
function append<Writer extends ItemWriter>(
  writer: Writer,
  format: ItemFormat<Writer>,
  item: Item,
  event: ItemEvent,
  text: string,
): void {
  if (item.phase !== 'open') format.open?.(writer, item, ofIteration(event, item.iteration))
  if (text !== '' || keepsEmpty(format, event)) format.append?.(writer, item, text, event)
}

/** Whether a format has deltas without text. Those of arguments add nothing anywhere. */
function keepsEmpty<Writer>({ empty }: ItemFormat<Writer>, { kind }: ItemEvent): boolean {
  return empty === undefined && (kind === 'content-delta' || kind === 'thought-delta')
}

/**
 * Writes a delta of a text, a thought or the arguments of a call. After a gap it waits for the whole; what is complete gets no more,
 * with a report.
 */
export function writeDelta<Writer extends ItemWriter>(
  writer: Writer,
  formats: ItemFormats<Writer>,
  event: DeltaEvent,
): void {
  const { kind, delta, index, indexEnd = index } = event
  const [type, key] = nameOf(event)
  const known = openItem(writer, event, type, key)
  if (known?.phase === 'running') {
    writer.dropped(kind, 'out-of-order', 'Expected the arguments before the start of the call.')
    return
  }
  const ended = known === undefined ? endedItem(writer, event, type, key) : undefined
  // The id of a text may be used again; its next delta is the first.
  if (ended !== undefined && (type !== 'text' || index > 0 || isBefore(event, ended))) {
    writer.dropped(kind, 'repeated', `Expected nothing more of what is complete, got delta ${index}.`)
    return
  }
  const format: ItemFormat<Writer> = formats[type]
  const item = known ?? newItem(event, '')
  if (indexEnd < item.next) {
    if (!item.isWaiting)
      writer.dropped(kind, 'repeated', `Expected delta ${item.next}, got delta ${index} again.`)
    return
  }
  const isNext = index === item.next
  const isBehind =
    format.isAlone === true && !item.isWaiting && item.phase !== 'open' && hasOpen(writer, item)
  if (item.isWaiting || isBehind || !(isNext || (index === 0 && isStartOf(item, delta)))) {
    if (!item.isWaiting && !isBehind) {
      const message = `Expected delta ${item.next}, got ${index}: what follows is written with the whole.`
      writer.diagnostic('gap', message, { path: '/index', detail: { expected: item.next, actual: index } })
    }
    const waiting = item.waiting + delta.length
    setItem(writer, { ...item, isWaiting: true, waiting, next: indexEnd + 1 })
    return
  }
  // A merged delta may begin with what was written.
  const text = isNext ? delta : delta.slice(item.length)
  // A first delta without text announces a call.
  const isSilent = text === '' && !keepsEmpty(format, event) && (type !== 'call' || item.phase === 'open')
  if (isSilent) setItem(writer, { ...withId(writer, format, item, event), next: indexEnd + 1 })
  else {
    const begun = withId(writer, format, item, event)
    append(writer, format, begun, event, text)
    setItem(writer, written(begun, text, indexEnd + 1))
  }
}

/** Whether another item of the type is open. */
function hasOpen(writer: ItemWriter, { taskId, type }: Item): boolean {
  return someItem(writer, taskId, (item) => item.type === type && item.phase === 'open')
}

/** An item with more text. Written out: spreading is slow. */
function written(item: Item, text: string, next: number): Item {
  const isCompared =
    item.type === 'call' && item.text !== null && item.text.length + text.length <= MAX_ARGUMENTS
  return {
    type: item.type,
    taskId: item.taskId,
    key: item.key,
    id: item.id,
    toolName: item.toolName,
    iteration: item.iteration,
    phase: 'open',
    wasCut: item.wasCut,
    next,
    written: text === '' && item.type === 'call' ? item.written : item.written + 1,
    isWaiting: false,
    waiting: 0,
    length: item.length + text.length,
    hash: fnv1a(item.hash, text),
    text: isCompared ? item.text + text : null,
  }
}

/**
 * Writes a whole text or thought, or the start of a call, with what the deltas lacked, and ends it. Returns whether it did;
 * otherwise it is dropped with a report.
 */
export function writeWhole<Writer extends ItemWriter>(
  writer: Writer,
  formats: ItemFormats<Writer>,
  event: WholeEvent,
): boolean {
  const [type, key] = nameOf(event)
  const known = openItem(writer, event, type, key)
  const format: ItemFormat<Writer> = formats[type]
  const whole = wholeOf(writer, event, format.closesWithWhole === true)
  const record = { ...markOf(whole), timestamp: event.timestamp }
  if (
    known?.phase === 'running' ||
    ((known === undefined || (type === 'text' && !isWholeOf(known, whole))) &&
      isRepeated(writer, event, record))
  ) {
    writer.dropped(event.kind, 'repeated', `Expected one ${event.kind} of what is complete, got another.`)
    return false
  }
  const item = withId(writer, format, known ?? newItem(event, ''), event)
  if (type === 'call')
    setItem(writer, { ...item, phase: 'running', isWaiting: false, waiting: 0, text: null })
  else endItem(writer, item, record)
  const isUnwritten = item.length === 0
  if (isUnwritten && whole === '' && item.phase === 'new' && format.empty !== undefined) {
    if (format.empty(writer, item, event)) return true
    writer.dropped(event.kind, 'no-equivalent', 'The format has no empty messages.')
    return false
  }
  if (format.closesWithWhole === true) {
    format.close?.(writer, item, event, false)
    return true
  }
  const rest = restOf(item, whole)
  const isOther = rest === undefined && !isSameCall(item, event)
  append(writer, format, item, event, rest ?? '')
  const replaced = isOther && format.replace?.(writer, { ...item, phase: 'open' }, whole)
  if (replaced === 'new') return true
  if (isOther && replaced !== true) {
    const field = type === 'call' ? 'arguments' : 'content'
    writer.lossy(field, `Expected the ${field} to go on from the deltas: readers keep those.`)
  }
  format.close?.(writer, item, event, isOther && replaced !== true)
  return true
}

/**
 * Starts a call that a format has shown, and closed, with the question about it: nothing more is written. `undefined` for any other
 * call: use {@link writeWhole}.
 */
export function startShown(writer: ItemHolder, event: WholeEvent): Item | undefined {
  if (event.kind !== 'tool-start' || Object.keys(event.metadata ?? {}).length > 0) return undefined
  const known = openItem(writer, event, 'call', event.toolCallId)
  if (known?.phase !== 'cut' || known.text === null || !isSameCall(known, event)) return undefined
  setItem(writer, { ...known, phase: 'running', text: null })
  return known
}

/** Whether a whole may be that of an item that has begun: it begins with its deltas. */
function isWholeOf(item: Item, whole: string): boolean {
  return item.next > 0 && !item.isWaiting && isStartOf(item, whole)
}

/** Whether the same was complete before. Thoughts and calls are so once; a text with its time and content. */
function isRepeated(writer: ItemHolder, event: WholeEvent, record: TextMark): boolean {
  const [type, key] = nameOf(event)
  const replaced = type === 'text' ? endedItem(writer, event, 'replaced', key) : undefined
  if (replaced !== undefined && isBefore(event, replaced)) return true
  const ended = endedItem(writer, event, type, key)
  if (ended === undefined) return false
  const isSame = isSameMark(ended, record) && ended.timestamp === event.timestamp
  return type !== 'text' || isBefore(event, ended) || isSame
}

/** Whether the arguments that were written are those that a call starts with, in other words. */
function isSameCall({ text, isWaiting }: Item, event: WholeEvent): boolean {
  if (event.kind !== 'tool-start' || isWaiting) return false
  return text === null || isEqualJson(parsedJson(text), event.arguments)
}

/** The text of an item; that of arguments is their JSON, which a format that states them itself does not need. */
function wholeOf(writer: ItemWriter, event: WholeEvent, isStated: boolean): string {
  if (event.kind !== 'tool-start') return event.content
  if (isStated) return ''
  const text = jsonText(event.arguments)
  if (text === undefined) writer.lossy('arguments', 'The value is nested too deeply.')
  return text ?? '{}'
}

/**
 * Replaces a text that is open, or was complete. A format that cannot replace keeps what was written, and the new text follows it.
 */
export function writeReplace<Writer extends ItemWriter>(
  writer: Writer,
  formats: ItemFormats<Writer>,
  stated: ReplaceEvent,
): void {
  const [type, key] = nameOf(stated)
  const { content } = stated
  const format: ItemFormat<Writer> = formats[type]
  const known = openItem(writer, stated, type, key)
  const ended = known === undefined ? endedItem(writer, stated, type, key) : undefined
  const before = known ?? ended
  const isKnown = before !== undefined
  const event = isKnown ? ofIteration(stated, before.iteration) : stated
  const record = { ...markOf(content), timestamp: event.timestamp }
  const last = endedItem(writer, event, 'replaced', key)
  const isSame = last?.timestamp === event.timestamp && isSameMark(last, record)
  if (isSame || [last, ended].some((other) => other !== undefined && isBefore(event, other))) {
    writer.dropped(event.kind, 'repeated', 'Expected one content-replace of each text, got another.')
    return
  }
  let item = withId(writer, format, newItem(event, before?.id ?? ''), event)
  const shown = known === undefined ? item : { ...known, id: item.id }
  const replaced = isKnown && format.replace?.(writer, shown, content)
  const isEmpty = content === '' && (!isKnown || format.empty !== undefined)
  if (replaced !== true && replaced !== 'new') {
    if (known?.phase === 'open') format.cut?.(writer, known)
    if (isKnown) {
      writer.lossy('content', 'Readers keep the text before; the new one follows it.')
      item = newItem(event, idOf(writer, format, event))
    }
    if (!isEmpty) append(writer, format, item, stated, content)
  }
  const isNew = replaced === 'new' || (replaced !== true && isEmpty)
  setItem(writer, { ...written(item, content, 1), phase: isNew ? 'new' : 'open' })
  setEnded(writer, item, 'replaced', record)
}

/** Writes a delta, a whole or a replacement. */
export function writeItem<Writer extends ItemWriter>(
  writer: Writer,
  formats: ItemFormats<Writer>,
  event: ItemEvent,
): void {
  switch (event.kind) {
    case 'content-replace':
      writeReplace(writer, formats, event)
      break
    case 'content-delta':
    case 'thought-delta':
    case 'tool-arguments-delta':
      writeDelta(writer, formats, event)
      break
    default:
      writeWhole(writer, formats, event)
  }
}
