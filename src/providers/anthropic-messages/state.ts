/** What the reader of Messages keeps between chunks. */

import { type Blocks, noBlocks } from '../shared/blocks.ts'

/** Tokens by the names of the API. */
export type Tokens = Readonly<Record<string, number>>

export interface AnthropicState {
  readonly blocks: Blocks
  readonly tokens: Tokens
  /** Those of iterations that `tokens` does not include. */
  readonly furtherTokens: Tokens
}

export const initialState: AnthropicState = { blocks: noBlocks, tokens: {}, furtherTokens: {} }
