/** What the reader of Chat Completions keeps between chunks, and the keys of its items. */

export interface ChatState {
  /** The key of the call that the last piece belongs to. Empty if there is none. */
  readonly lastCall: string
  /** A hash of the sources of the last chunk that stated some: Perplexity repeats all of them in every chunk. */
  readonly sources: number
}

export const TEXT = 'text'
export const REFUSAL = 'refusal'
export const REASONING = 'reasoning'
