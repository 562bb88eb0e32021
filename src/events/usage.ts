/** Token usage of model calls, as model providers count it. */
import type { Metadata } from './metadata.ts'

/**
 * The tokens that one model used. A count that is omitted is unknown, not 0.
 *
 * Parts are contained in their totals, whatever the provider reports: `cachedInputTokens` and
 * `cacheWriteInputTokens` in `inputTokens`, and `reasoningTokens` in `outputTokens`. Some providers, such as
 * Anthropic, report input tokens without those of the cache; add them.
 */
export interface Usage extends Metadata {
  /** The provider, such as `openai`. Omitted if unknown. */
  provider?: string
  /** The model, as named by the provider. Omitted if unknown. */
  model?: string
  /** Tokens of the input, with those read from and written to the cache. Omitted if unknown. */
  inputTokens?: number
  /** Tokens of the output, with those of the reasoning. Omitted if unknown. */
  outputTokens?: number
  /** All tokens, as counted by the provider: usually `inputTokens` plus `outputTokens`. Omitted if unknown. */
  totalTokens?: number
  /** The tokens of `outputTokens` that the model used for its reasoning. Omitted if unknown. */
  reasoningTokens?: number
  /** The tokens of `inputTokens` that were read from the provider's cache. Omitted if unknown. */
  cachedInputTokens?: number
  /** The tokens of `inputTokens` that were written to the provider's cache. Omitted if unknown. */
  cacheWriteInputTokens?: number
}
