/** Why a model stopped, in the closed set of the AI SDK. */

import { finishReasonOf } from '../../shared/finish-reason.ts'
import type { AiSdkVersion, UiFinishReason } from './types.ts'

/** The reason that a provider states, as the AI SDK names it. Version 5 and 6 have no `interrupted`. */
export function toFinishReason(reason: string, version: AiSdkVersion): UiFinishReason {
  const found = finishReasonOf(reason) ?? 'other'
  return found === 'interrupted' && version < 7 ? 'other' : found
}
