/** What the reader of Converse keeps between chunks. */

import { type Blocks, noBlocks } from '../shared/blocks.ts'

/** The result of a tool at the provider, which comes in pieces. */
export interface ResultState {
  /** The key of its block. */
  readonly key: string
  readonly toolCallId: string
  readonly toolName: string
  readonly isError: boolean
  /** Text and other JSON. */
  readonly items: readonly unknown[]
}

export interface BedrockState {
  readonly blocks: Blocks
  /** Those that are open. */
  readonly results: readonly ResultState[]
  /** The bytes of redacted reasoning that wait for the next piece, by block. */
  readonly rests: readonly { readonly key: string; readonly rest: string }[]
}

export const initialState: BedrockState = { blocks: noBlocks, results: [], rests: [] }
