/** What the reader of Chat Completions keeps between chunks, and the keys of its items. */

import type { Balance } from '../../json/balance.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { grownPart, type PartState, partOf } from '../shared/parts.ts'

/** A call, as its pieces name it. */
export interface CallRef {
  readonly key: string
  /** `null` if the server numbers no calls. */
  readonly index: number | null
  /** As sent: servers may repeat the id of another call. Empty until it is known. */
  readonly id: string
  /** How far the arguments were searched for their end. */
  readonly searched: Balance
}

export interface ChatState {
  readonly calls: readonly CallRef[]
  /** The key of the call that the last piece belongs to. Empty if there is none. */
  readonly lastCall: string
  /** The key of the thought of the last reasoning detail. Empty if there is none. */
  readonly detail: string
  /** A hash of the sources of the last chunk that stated some: Perplexity repeats all of them in every chunk. */
  readonly sources: number
  /** The texts that were read, by their keys. */
  readonly parts: readonly PartState[]
}

export const initialState: ChatState = { calls: [], lastCall: '', detail: '', sources: 0, parts: [] }

export const TEXT = 'text'
export const MESSAGE = 'message'
export const REFUSAL = 'refusal'
export const REASONING = 'reasoning'

/** Counts a piece of a text. */
export function track({ state }: ModelWriter<ChatState>, key: string, piece: string): void {
  const { parts } = state.own
  const others = parts.filter(({ id }) => id !== key)
  state.own = { ...state.own, parts: [...others, grownPart(partOf(parts, key), piece)] }
}
