// Proves, when it compiles, that the chunks of the `@anthropic-ai/sdk` package are what the library reads, and that
// the content of a turn is what its next request takes.

import type Anthropic from '@anthropic-ai/sdk'
import type { AnthropicMessagesChunk, ModelTurn } from 'turnstream/providers'
import type { AnthropicContentBlock } from '../../../src/providers/shared/turn-blocks.ts'

export const messages = (chunk: Anthropic.Messages.RawMessageStreamEvent): AnthropicMessagesChunk => chunk
export const beta = (chunk: Anthropic.Beta.Messages.BetaRawMessageStreamEvent): AnthropicMessagesChunk =>
  chunk

export const reply = ({ content }: ModelTurn<AnthropicContentBlock>): Anthropic.MessageParam => {
  return { role: 'assistant', content }
}
