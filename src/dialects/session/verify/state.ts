/** The state of {@link sessionVerifier}, and its open items. */
import { fnv1a } from '../../../encoding/fnv1a.ts'
import { MAX_ITEMS } from '../wire/limits.ts'
import type { SessionStage } from './stages.ts'

/** The state of {@link sessionVerifier}. */
export interface SessionVerifierState {
  /** The `eventIndex` of the next event. */
  readonly eventIndex: number
  /** The phase of the connection. */
  readonly phase: 'new' | 'connected' | 'open' | 'ended'
  /** The stage of the round. */
  readonly stage: SessionStage
  /** The ids of the planned tasks, at most 1024; `null` without a known plan. */
  readonly tasks: readonly string[] | null
  /** The answer of the round. */
  readonly answer: {
    /** Number of partial answers. */
    readonly chunks: number
    /** Hash of their text. */
    readonly hash: number
    /** Whether the final answer was received. */
    readonly final: boolean
  }
  /**
   * Items that wait for an end, and counters that later events are compared with: by kind and id, oldest
   * first, at most 1024. The value is the last number of a counter.
   */
  readonly open: Readonly<Record<string, number>>
  /** The highest `seq` sent. -1 before the first. */
  readonly highest: number
  /** The highest `seq` acknowledged. -1 before the first. */
  readonly acked: number
  /** Requests of the client without a response. */
  readonly requests: readonly SessionRequest[]
}

/** A request that the server responds to. */
export type SessionRequest = 'cancel' | 'reconnect' | 'export'

/** FNV-1a offset basis. */
const EMPTY_HASH = 0x811c9dc5

/** The answer of a round before its first partial answer. */
export const noAnswer: SessionVerifierState['answer'] = { chunks: 0, hash: EMPTY_HASH, final: false }

/** The hash of a text, continued from the hash of what precedes it. */
export function hashText(text: string, hash: number = EMPTY_HASH): number {
  return fnv1a(hash, text)
}

type Open = SessionVerifierState['open']

/** The open items with one added or replaced. Evicts the oldest if there are too many. */
export function withOpen(open: Open, key: string, value: number): { open: Open; evicted?: string } {
  const next = { ...open, [key]: value }
  const keys = Object.keys(next)
  const [evicted] = keys
  return keys.length > MAX_ITEMS && evicted !== undefined
    ? { open: withoutOpen(next, evicted), evicted }
    : { open: next }
}

/** The open items without one. */
export function withoutOpen(open: Open, key: string): Open {
  const { [key]: _, ...rest } = open
  return rest
}

/** Whether an item is a counter within a round, which needs no end. */
export function isCounter(key: string): boolean {
  return /^(progress|attempt) /.test(key)
}

/** The open items without counters. */
export function withoutCounters(open: Open): Open {
  return Object.fromEntries(Object.entries(open).filter(([key]) => !isCounter(key)))
}
