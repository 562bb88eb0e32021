// Proves, when it compiles, that the chunks of the `@anthropic-ai/sdk` package are what the library reads.

import type Anthropic from '@anthropic-ai/sdk'
import type { AnthropicMessagesChunk } from 'agentwire/providers'

export const messages = (chunk: Anthropic.Messages.RawMessageStreamEvent): AnthropicMessagesChunk => chunk
export const beta = (chunk: Anthropic.Beta.Messages.BetaRawMessageStreamEvent): AnthropicMessagesChunk =>
  chunk
