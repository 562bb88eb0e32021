/** The state of {@link sessionVerifier}. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import { FNV_OFFSET_BASIS } from '../../../encoding/fnv1a.ts'

/** The state of {@link sessionVerifier}: that of the connection. */
export interface SessionVerifierState {
  /** The `eventIndex` of the next event. */
  readonly eventIndex: number
  /** Whether an event of the server was received. */
  readonly isConnected: boolean
  /** Whether the client has asked to reconnect, without a response so far. */
  readonly isReconnecting: boolean
  /** The session of the last event that stated one. Empty before the first. */
  readonly session: string
  /** The sessions by their ids. */
  readonly sessions: BoundedMap<SessionRound>
  /** Items that wait for an end, and counters that later events are compared with. */
  readonly open: BoundedMap<OpenItem>
  /** Whether some open items are no longer tracked. */
  readonly hasEvicted: boolean
  /** The highest `seq` sent. -1 before the first. */
  readonly highest: number
  /** The highest `seq` acknowledged. -1 before the first. */
  readonly acked: number
}

/** An item that waits for an end, or a counter. */
export interface OpenItem {
  readonly type: string
  readonly id: string
  readonly session: string
  /** The event that set it last. */
  readonly eventIndex: number
  /** How many are open, or the value of the counter. */
  readonly count: number
}

/** The stage of a round. */
export type SessionStage =
  | 'idle'
  | 'planning'
  | 'planned'
  | 'solving'
  | 'cancelled'
  | 'solved'
  | 'aggregating'
  | 'aggregated'
  | 'done'

/** The state of one session. */
export interface SessionRound {
  readonly phase: 'new' | 'open' | 'ended'
  /** Whether it continues a session whose earlier events are unknown. */
  readonly isPartial: boolean
  /** Number of rounds so far. */
  readonly roundCount: number
  /** The stage of the round. */
  readonly stage: SessionStage
  /** The ids of the planned tasks, at most 1024; `null` without a known plan. */
  readonly tasks: readonly string[] | null
  /** The answer of the round. */
  readonly answer: Answer
}

/** The answer of a round. */
export interface Answer {
  /** Number of partial answers. */
  readonly chunks: number
  /** Hash of their text. */
  readonly hash: number
  /** Whether the final answer was received. */
  readonly final: boolean
}

/** The state before the first event. */
export const initialState: SessionVerifierState = {
  eventIndex: 0,
  isConnected: false,
  isReconnecting: false,
  session: '',
  sessions: emptyBoundedMap,
  open: emptyBoundedMap,
  hasEvicted: false,
  highest: -1,
  acked: -1,
}

/** The answer of a round before its first partial answer. */
export const noAnswer: Answer = { chunks: 0, hash: FNV_OFFSET_BASIS, final: false }

/** The state of a session before its first event. */
export const newRound: SessionRound = {
  phase: 'new',
  isPartial: false,
  roundCount: 0,
  stage: 'idle',
  tasks: null,
  answer: noAnswer,
}
