/** The state of `agUiVerifier`: bounded, whatever the length of the stream. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'

/** A message, call, step or span. */
export interface SeenItem {
  /** `known`: it belongs to the conversation, but not to the run. */
  readonly phase: 'open' | 'closed' | 'known'
  /** Where it began; where it ended if it is closed. */
  readonly index: number
  /** The run it belongs to. */
  readonly run: number
  /** The arguments of a call so far; `null` if they are too long. */
  readonly text: string | null
  /** What opened it. */
  readonly by: string
}

export interface AgUiVerifierState {
  /** The position of the next event. */
  readonly nextIndex: number
  /** Whether earlier events are unknown. */
  readonly isPartial: boolean
  /** The number of runs so far. */
  readonly run: number
  readonly phase: 'none' | 'active' | 'ended'
  /** The ids of the run; `null` if it began without `RUN_STARTED`. */
  readonly ids: { readonly threadId: string; readonly runId: string; readonly index: number } | null
  /** The event that ended the run. */
  readonly end: { readonly type: string; readonly index: number } | null
  /** By type and id. */
  readonly items: BoundedMap<SeenItem>
  /** The open items: at least 1024 of them. */
  readonly open: BoundedMap<true>
  /** The message or call that chunks continue, by type. */
  readonly chunks: Readonly<Record<'text' | 'call' | 'reasoning', string | null>>
  /** The state that agent and client share, with its size; `null` if it is not known, or too large to be checked. */
  readonly shared: { readonly value: unknown; readonly size: number } | null
  /** Where the last snapshot of the messages is; -1 if there is none. */
  readonly messagesAt: number
  /** The number of deltas since the last snapshot. */
  readonly deltas: number
  readonly hasSnapshot: boolean
  readonly hasReportedDelta: boolean
  readonly hasTimestamp: boolean
}

export function initialState(startIndex: number): AgUiVerifierState {
  return {
    nextIndex: startIndex,
    isPartial: startIndex > 0,
    run: 0,
    phase: startIndex > 0 ? 'active' : 'none',
    ids: null,
    end: null,
    items: emptyBoundedMap,
    open: emptyBoundedMap,
    chunks: { text: null, call: null, reasoning: null },
    shared: null,
    messagesAt: -1,
    deltas: 0,
    hasSnapshot: false,
    hasReportedDelta: false,
    hasTimestamp: false,
  }
}
