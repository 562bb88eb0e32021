/** The state of `a2aVerifier`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { State } from '../wire/model.ts'

/** The state of `a2aVerifier`. */
export interface StreamState {
  /** The position of the next item. */
  readonly nextIndex: number
  /**
   * `joined`: the stream was joined late, and no item was seen. `paused`: input is required; the next item belongs to
   * another stream of the task.
   */
  readonly phase: 'new' | 'joined' | 'open' | 'paused' | 'ended'
  /** The position of the item that began the phase. */
  readonly phaseIndex: number
  /** The position of the task in the current stream. `null` if it had none. */
  readonly taskIndex: number | null
  /** `null` before an item states it. */
  readonly taskId: string | null
  readonly contextId: string | null
  readonly state: State | null
  /** Known artifacts, by id: the position of the last chunk; `null` while there may be more. */
  readonly artifacts: BoundedMap<{ readonly lastIndex: number | null }>
  /** Messages, by id. */
  readonly messages: BoundedMap<SeenMessage>
  /** Whether unknown artifacts may have been seen: the stream was joined late, or state was evicted. */
  readonly isPartial: boolean
}

/** A message, by the hash of its JSON. */
export interface SeenMessage {
  readonly hash: string
  readonly index: number
}

export function initialStreamState(startIndex: number): StreamState {
  return {
    nextIndex: startIndex,
    phase: startIndex > 0 ? 'joined' : 'new',
    phaseIndex: startIndex,
    taskIndex: null,
    taskId: null,
    contextId: null,
    state: null,
    artifacts: emptyBoundedMap,
    messages: emptyBoundedMap,
    isPartial: startIndex > 0,
  }
}
