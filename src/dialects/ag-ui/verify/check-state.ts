/** Checks shared state, snapshots of messages, and events without order. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { applyJsonPatch } from '../../../json/patch.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { eventShapes } from '../wire/shapes.generated.ts'
import type { AgUiPatch } from '../wire/types/index.ts'
import { type AgUiContext, textOf } from './context.ts'

export function checkSnapshot(context: AgUiContext, event: Fields): void {
  const { state } = context
  if (state.deltas > 0) {
    const message = `Expected a snapshot before the deltas, got one that replaces ${state.deltas}.`
    context.report('snapshot-keeps-deltas', message)
  }
  const value = event.snapshot ?? null
  state.shared = bounded(value, sizeOf(value))
  state.hasSnapshot = true
  state.deltas = 0
}

/** A larger state is not checked, as each change copies a part of it. */
const MAX_STATE = 65_536

function bounded(value: unknown, size: number): { value: unknown; size: number } | null {
  return size > MAX_STATE ? null : { value, size }
}

/** The size of a value as JSON, in UTF-16 units; infinite for a value that is not JSON. */
function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Checks a change whose operations are well-formed. */
export function checkDelta(context: AgUiContext, delta: AgUiPatch): void {
  const { state } = context
  if (!state.hasSnapshot && !state.hasReportedDelta && !state.isPartial) {
    context.report('snapshot-first', 'Expected STATE_SNAPSHOT before the first STATE_DELTA, got none.')
    state.hasReportedDelta = true
  }
  if (state.shared !== null) {
    const patched = applyJsonPatch(state.shared.value, delta)
    if (patched.ok) state.shared = bounded(patched.value, state.shared.size + sizeOf(delta))
    else {
      const { code, operation } = patched
      const message = `Expected a change that applies to the state, got one that fails with ${code}.`
      context.report('delta-applies', message, { path: `/delta/${operation}` })
    }
  }
  state.deltas++
}

/** Stores the ids of a conversation, which later events may name. */
export function readMessages(context: AgUiContext, { messages }: Fields): void {
  if (!Array.isArray(messages)) return
  context.state.messagesAt = context.index
  for (const message of messages.filter(isFields)) {
    const id = textOf(message, 'id')
    if (id !== undefined && context.item(`text: ${id}`) === undefined) {
      context.setItem(`text: ${id}`, 'known', 'snapshot')
    }
    const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isFields) : []
    for (const call of calls) {
      const callId = textOf(call, 'id')
      if (callId === undefined) continue
      const key = `call: ${callId}`
      const known = boundedGet(context.state.items, key)
      if (known === undefined) context.setItem(key, 'known', 'snapshot')
      // One that is cut off continues.
      else context.setText(key, { ...known, index: context.index }, known.text)
    }
  }
}

export function checkRaw(context: AgUiContext, { event }: Fields): void {
  const type = isFields(event) ? textOf(event, 'type') : undefined
  if (type === undefined || !Object.hasOwn(eventShapes, type)) return
  const message = `Expected an event of another system, got one of type ${type}.`
  context.report('raw-untyped', message, { path: '/event/type' })
}

/** A namespace ends with a dot, a colon or a slash. `PredictState` is a name of the protocol. */
const NAMESPACED = /^(PredictState$|[^.:/]+[.:/].)/

export function checkCustom(context: AgUiContext, event: Fields): void {
  const name = textOf(event, 'name')
  if (name === undefined || NAMESPACED.test(name)) return
  const message = `Expected a name with a namespace, such as "acme.event", got ${describeValue(name)}.`
  context.report('custom-namespace', message, { path: '/name' })
}
