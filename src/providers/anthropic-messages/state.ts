/** What the reader of Messages keeps between chunks. */

import { type Blocks, noBlocks } from '../shared/blocks.ts'

export interface AnthropicState {
  readonly blocks: Blocks
  /** The input tokens that are not cached. `null`: unknown. */
  readonly uncachedTokens: number | null
}

export const initialState: AnthropicState = { blocks: noBlocks, uncachedTokens: null }
