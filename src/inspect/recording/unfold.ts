/** Values that hold others: transcripts, named lists of events. */

import { type Fields, isFields } from '../../validation/predicates.ts'
import { notJson } from './json-fault.ts'
import { faultAt, parseJson, type Receive, type RecordedValue } from './recorded.ts'

/** Emits a value, or those that it holds. */
export function unfold(recorded: RecordedValue, receive: Receive): void {
  const { value, line } = recorded
  if (!isFields(value)) {
    receive(recorded)
    return
  }
  const text = transcribed(value)
  if (text !== undefined) {
    const inner = parseJson(text)
    if (inner === undefined) {
      receive(faultAt(line, 'invalid-json', `Expected JSON as the recorded text, got ${notJson(text)}.`))
      return
    }
    receive({ value: inner, line, ...statedBy(value), ...timeOf(value) })
    return
  }
  const lists = namedLists(value)
  if (lists === undefined) receive(recorded)
  else for (const list of lists) for (const each of list) receive({ value: each, line })
}

/** The text of a message in a transcript, such as `{"dir":"in","raw":"{…}"}` or `{"event":"a","data":"{…}"}`. */
function transcribed(value: Fields): string | undefined {
  if (typeof value.raw === 'string' && value.type === undefined && value.kind === undefined) return value.raw
  if (typeof value.data !== 'string') return undefined
  return Object.keys(value).every((key) => /^(?:event|data|id|retry|at|time)$/.test(key))
    ? value.data
    : undefined
}

function statedBy({ event, id }: Fields): Pick<RecordedValue, 'event' | 'id'> {
  return {
    ...(typeof event === 'string' && event !== '' && event !== 'message' && { event }),
    ...(typeof id === 'string' && id !== '' && { id }),
  }
}

function timeOf({ at, time }: Fields): Pick<RecordedValue, 'at'> {
  const stated = at ?? time
  return typeof stated === 'number' || typeof stated === 'string' ? { at: stated } : {}
}

/** The lists of an object that has nothing else, each of events. `undefined` if it is another object. */
function namedLists(value: Fields): unknown[][] | undefined {
  const lists = Object.values(value)
  const isList = (list: unknown): boolean => Array.isArray(list) && isEventLike(list[0])
  return lists.length > 0 && lists.every(isList) ? (lists as unknown[][]) : undefined
}

function isEventLike(value: unknown): boolean {
  if (!isFields(value)) return false
  return [value.type, value.kind, value.event, value.event_type, value.jsonrpc].some(
    (name) => typeof name === 'string',
  )
}
