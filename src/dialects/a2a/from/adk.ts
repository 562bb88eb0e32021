/**
 * What Google ADK, and kagent by its pattern, sends in the metadata of A2A: thoughts, calls, results, and the event that the
 * pieces of a text belong to.
 */

import type { BoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import type { Message, Part, Update } from '../wire/model.ts'

/** The extension that lets ADK stream artifacts: the value of the header `A2A-Extensions` (of 0.3 `X-A2A-Extensions`). */
export const ADK_EXTENSION_URI = 'https://google.github.io/adk-docs/a2a/a2a-extension/'

const PREFIXES = ['adk_', 'kagent_']

/** A field of ADK in metadata. */
export function adkField(metadata: Metadata | undefined, name: string): unknown {
  if (metadata === undefined) return undefined
  const prefix = PREFIXES.find((each) => Object.hasOwn(metadata, each + name))
  return prefix === undefined ? undefined : metadata[prefix + name]
}

/** Metadata without the bookkeeping of ADK: names of sessions, authors and events. `undefined` if nothing is left. */
export function withoutBookkeeping(metadata: Metadata | undefined): Metadata | undefined {
  if (metadata === undefined) return undefined
  const left = Object.entries(metadata).filter(
    ([key]) => key !== ADK_EXTENSION_URI && !PREFIXES.some((prefix) => key.startsWith(prefix)),
  )
  if (left.length === Object.keys(metadata).length) return metadata
  return left.length === 0 ? undefined : Object.fromEntries(left)
}

/** The event of ADK that an update is of; `undefined` if it is from another agent. */
export function adkEventOf(update: Exclude<Update, { type: 'task' | 'message' }>): string | undefined {
  const own = update.type === 'status' ? update.status.message?.metadata : update.artifact.metadata
  return adkEventIn(update.metadata) ?? adkEventIn(own)
}

/** The event of ADK that metadata names. */
export function adkEventIn(metadata: Metadata | undefined): string | undefined {
  const id = adkField(metadata, 'event_id')
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** The code of the error that a message is the text of; `undefined` if it is of none. */
export function adkErrorOf({ metadata }: Message): string | undefined {
  const code = adkField(metadata, 'error_code')
  return code === undefined || code === null ? undefined : String(code)
}

/** A call, or its result. */
export interface AdkCall {
  readonly type: 'call' | 'result'
  readonly id: string
  readonly name: string
  /** The arguments, or the result. */
  readonly value: Fields
  /** Whether its result comes from the client, in a later message. */
  readonly isLongRunning: boolean
}

/** The call or result that a part is. */
export function adkCallOf(part: Part): AdkCall | undefined {
  if (part.type !== 'data' || !isFields(part.data)) return undefined
  const type = { function_call: 'call', function_response: 'result' }[String(adkField(part.metadata, 'type'))]
  const { id, name, args, response } = part.data
  if (type === undefined || typeof id !== 'string' || typeof name !== 'string' || name === '')
    return undefined
  const value = type === 'call' ? args : response
  const isLongRunning = adkField(part.metadata, 'is_long_running') === true
  return { type: type as AdkCall['type'], id, name, value: isFields(value) ? value : {}, isLongRunning }
}

/** The thoughts and the texts among parts, each as one text. */
export function adkTextsOf(parts: readonly Part[]): Readonly<Record<'thought' | 'text', string>> {
  const texts = { thought: '', text: '' }
  for (const part of parts) {
    if (part.type === 'text')
      texts[adkField(part.metadata, 'thought') === true ? 'thought' : 'text'] += part.text
  }
  return texts
}

/** A text or thought of an event of ADK. */
export interface AdkText {
  /** What events have of it. */
  readonly text: string
  /** What it may be, the shortest first: a piece that repeats it all is the whole, or continues it. */
  readonly readings: readonly string[]
  readonly deltas: number
  readonly isOpen: boolean
}

/** A call of ADK. */
export interface AdkOpenCall {
  /** Its id in events. */
  readonly id: string
  readonly name: string
  readonly phase: 'running' | 'answered' | 'ended'
}

/** What is known of the updates of ADK. */
export interface AdkState {
  readonly eventId: string
  readonly thought: AdkText
  readonly text: AdkText
  readonly calls: BoundedMap<AdkOpenCall>
  /** The events before this one. */
  readonly ended: BoundedMap<true>
  /** How many thoughts there were. */
  readonly thoughts: number
}
