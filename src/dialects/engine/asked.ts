/** Requests for input and authentication: each is written once, and not again after its answer. */

import { type BoundedMap, boundedGet, boundedSet } from '../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../core/mutable.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import type { ContextEvent, EventOf } from '../../events/event.ts'
import { contextKey } from '../../streams/context-key.ts'
import { MAX_ITEMS } from '../shared/limits.ts'
import { dropRepeated } from './drop.ts'

/** The part of a state that knows the requests that came, by kind, task and id. Plain JSON. */
export interface Asked {
  readonly asked: BoundedMap<true>
}

/** Drops a request that came before. Returns whether it did. */
export function dropAskedAgain(
  writer: Pick<StepBuilder<Mutable<Asked>, unknown>, 'state' | 'dropped'>,
  event: ContextEvent<EventOf<'input-required' | 'auth-required'>>,
): boolean {
  const { state } = writer
  const { kind, taskId } = event
  const id = kind === 'input-required' ? event.inputId : event.authId
  const place = `${kind} ${contextKey(taskId, id)}`
  const isAgain = boundedGet(state.asked, place) !== undefined
  if (isAgain) dropRepeated(writer, kind, id)
  else state.asked = boundedSet(state.asked, place, true, MAX_ITEMS).map
  return isAgain
}
