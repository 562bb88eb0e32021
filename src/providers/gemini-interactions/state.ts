/** What the reader of Interactions keeps between chunks. */

import { type Blocks, noBlocks } from '../shared/blocks.ts'
import type { Citation } from '../shared/cited-bytes.ts'
import type { ModelWriter } from '../shared/model-writer.ts'

/** What a step cites. */
export interface StepCitation extends Citation {
  /** The key of the step. */
  readonly key: string
}

export interface InteractionsState {
  /** The steps. */
  readonly blocks: Blocks
  /** The call that the last result belongs to. Empty: unknown. */
  readonly resultCall: string
  /** They wait for the whole text, which their positions need. */
  readonly citations: readonly StepCitation[]
}

export const initialState: InteractionsState = { blocks: noBlocks, resultCall: '', citations: [] }

export type Writer = ModelWriter<InteractionsState>
