/** Matching events to tool calls, whose ids are optional in AgentEvents. */

import type { StepBuilder } from '../../../core/step-builder.ts'

/** A call without a result. */
export interface OpenCall {
  readonly id: string
  readonly toolName: string
}

/** More open calls are not stored: the oldest is removed, so that memory stays bounded. */
const MAX_OPEN_CALLS = 1024

/**
 * The open call of an event: of the calls of its tool, the one with its id, or the oldest if the event has no
 * id. `undefined` if no call matches.
 */
export function findCall<C extends OpenCall>(
  calls: readonly C[],
  event: { readonly toolName: string; readonly toolCallId?: string },
): C | undefined {
  const { toolName, toolCallId } = event
  return calls.find(
    (call) => call.toolName === toolName && (toolCallId === undefined || call.id === toolCallId),
  )
}

/**
 * The open calls with one more. Removes the oldest if there are too many, and reports that to the builder if
 * one is given.
 */
export function addCall<C extends OpenCall, State, Out>(
  calls: readonly C[],
  call: C,
  builder?: StepBuilder<State, Out>,
): readonly C[] {
  if (calls.length < MAX_OPEN_CALLS) return [...calls, call]
  const message = `More than ${MAX_OPEN_CALLS} calls have no result; removed the oldest.`
  builder?.diagnostic('too-many-open-calls', message, { detail: calls[0] })
  return [...calls.slice(1), call]
}

/** The open calls without one of them. */
export function removeCall<C extends OpenCall>(calls: readonly C[], call: C): readonly C[] {
  return calls.filter((other) => other !== call)
}
