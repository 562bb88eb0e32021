/** What the reader of Gemini keeps between chunks, and the keys of its items. */

import type { Citation } from '../shared/cited-bytes.ts'
import { noArguments, type PathArguments } from './path-arguments.ts'

export interface GeminiState {
  /** How many calls and files there were. */
  readonly count: number
  /** The key of the call whose arguments go on. Empty: none. */
  readonly call: string
  readonly args: PathArguments
  /** They wait for the whole text, which their positions need. */
  readonly citations: readonly Citation[]
}

export const initialState: GeminiState = { count: 0, call: '', args: noArguments, citations: [] }

export const TEXT = 'text'
export const THOUGHT = 'thought'
