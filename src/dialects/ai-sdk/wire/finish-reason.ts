/** Why a model stopped, in the closed set of the AI SDK. */

import type { AiSdkVersion, UiFinishReason } from './types.ts'

const reasons: readonly (readonly [UiFinishReason, RegExp])[] = [
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

/** The reason that a provider states, as the AI SDK names it. Version 5 and 6 have no `interrupted`. */
export function toFinishReason(reason: string, version: AiSdkVersion): UiFinishReason {
  const found = reasons.find(([, names]) => names.test(reason))?.[0] ?? 'other'
  return found === 'interrupted' && version < 7 ? 'other' : found
}
