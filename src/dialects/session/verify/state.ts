/** What the verifier of a session remembers, and how its parts change. */
import { MOST } from '../wire/limits.ts'
import type { SessionStage } from './rules.ts'

/** What a {@link sessionVerifier} remembers. */
export interface SessionVerifierState {
  /** Where the connection stands. */
  readonly phase: 'new' | 'connected' | 'open' | 'ended'
  /** Where the round stands. */
  readonly stage: SessionStage
  /** Ids of the tasks of the plan, up to 1024. `null`: no plan told them. */
  readonly tasks: readonly string[] | null
  /** The partial answers of the round: how many, and a digest of their text. */
  readonly answer: {
    /** How many partial answers there were. */
    readonly chunks: number
    /** A digest of their text. */
    readonly digest: number
    /** Whether the final answer has come. */
    readonly final: boolean
  }
  /**
   * What waits for an end or is compared with what follows, by kind and id, oldest first; up to 1024.
   * The value is the last number seen.
   */
  readonly open: Readonly<Record<string, number>>
  /** The highest `seq` sent. -1: none yet. */
  readonly highest: number
  /** The highest `seq` acknowledged. -1: none yet. */
  readonly acked: number
  /** What the client has asked for and not got. */
  readonly asked: readonly ('cancel' | 'reconnect' | 'export')[]
}

/** The partial answers of a round that has none. */
export const noAnswer: SessionVerifierState['answer'] = { chunks: 0, digest: 0x811c9dc5, final: false }

/** The digest of a text that begins with what `digest` stands for: FNV-1a over its code units. */
export function digestOf(text: string, digest: number = noAnswer.digest): number {
  let hash = digest
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

type Open = SessionVerifierState['open']

/** With a number under a key; the oldest key goes when there are too many. */
export function opened(open: Open, key: string, value: number): { open: Open; forgotten?: string } {
  const next = { ...open, [key]: value }
  const keys = Object.keys(next)
  const [forgotten] = keys
  return keys.length > MOST && forgotten !== undefined
    ? { open: closed(next, forgotten), forgotten }
    : { open: next }
}

/** Without a key. */
export function closed(open: Open, key: string): Open {
  const { [key]: _, ...rest } = open
  return rest
}

/** Whether what is under a key is counted within a round, and needs no end. */
export function isCounted(key: string): boolean {
  return /^(progress|attempt) /.test(key)
}

/** Without what is counted within a round. */
export function withoutCounts(open: Open): Open {
  return Object.fromEntries(Object.entries(open).filter(([key]) => !isCounted(key)))
}
