/** Why a model stopped: the names of providers, by what they mean. */

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'interrupted' | 'error'

const reasons: readonly (readonly [FinishReason, RegExp])[] = [
  ['stop', /^(stop|end_turn|stop_sequence|complete|completed)$/i],
  ['length', /^(length|max_tokens|max_output_tokens|model_context_window_exceeded|model_length)$/i],
  [
    'content-filter',
    /^(content[_-]filter|content_filtered|refusal|safety|recitation|prohibited_content|blocklist|spii|guardrail_intervened)$/i,
  ],
  ['tool-calls', /^(tool[_-]calls|tool_use|function_call)$/i],
  ['interrupted', /^(canceled|cancelled|pause_turn|interrupted)$/i],
  ['error', /^error$/i],
]

/** What the reason that a provider states means; `undefined` if it is not known. */
export function finishReasonOf(reason: string): FinishReason | undefined {
  return reasons.find(([, names]) => names.test(reason))?.[0]
}
