/** What the reader of Gemini keeps between chunks, and the keys of its items. */

import type { Citation } from '../shared/cited-bytes.ts'
import type { PathArguments } from './path-arguments.ts'

/** A call whose arguments go on. */
export interface OpenCall {
  readonly key: string
  /** As sent. Empty if it is not known. */
  readonly id: string
  readonly name: string
  readonly args: PathArguments
}

export interface GeminiState {
  /** How many calls and files there were. */
  readonly count: number
  /** Those whose arguments go on. */
  readonly calls: readonly OpenCall[]
  /** They wait for the whole text, which their positions need. */
  readonly citations: readonly Citation[]
}

export const initialState: GeminiState = { count: 0, calls: [], citations: [] }

export const TEXT = 'text'
export const THOUGHT = 'thought'
