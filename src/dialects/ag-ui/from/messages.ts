/** The messages of the active run, to be compared with snapshots. */

import {
  boundedDelete,
  boundedGet,
  boundedSet,
  boundedValues,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import { markOf, noMark } from '../../../encoding/text-mark.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import type { KnownMessage, RunWriter } from './state.ts'

export function knownMessage(
  writer: RunWriter,
  type: KnownMessage['type'],
  id: string,
): KnownMessage | undefined {
  return boundedGet(writer.state.messages, `${type} ${id}`)
}

/** Stores what has ended: of a text its next segment, of others the whole. */
export function addMessage(
  writer: RunWriter,
  message: Pick<KnownMessage, 'type' | 'id' | 'owner' | 'iteration'> &
    Partial<Pick<KnownMessage, 'contentId' | 'itemId' | 'hasStarted'>>,
  text: string,
): void {
  const { type, id } = message
  const known = type === 'text' ? knownMessage(writer, type, id) : undefined
  const before = known === undefined ? noMark : { length: known.length, hash: known.hash }
  const defaults = { contentId: null, itemId: id, hasStarted: false }
  setMessage(writer, { ...defaults, ...message, before, ...markOf(text, before) })
}

export function setMessage(writer: RunWriter, message: KnownMessage): void {
  const { type, id } = message
  const set = boundedSet(writer.state.messages, `${type} ${id}`, message, MAX_ITEMS)
  writer.state.messages = set.map
  if (set.hasEvicted) writer.state.hasForgotten = true
}

export function forgetMessage(writer: RunWriter, type: KnownMessage['type'], id: string): void {
  writer.state.messages = boundedDelete(writer.state.messages, `${type} ${id}`)
}

/** Forgets the messages of a run that has ended, but that they were there. */
export function forgetMessages(writer: RunWriter): void {
  const { state } = writer
  for (const { type, id } of boundedValues(state.messages))
    state.past = boundedSet(state.past, `${type} ${id}`, true, MAX_ITEMS).map
  state.messages = emptyBoundedMap
  state.hasForgotten = false
}
