/** Which tool calls must not start before they were approved. */

import { readDecision } from '../validation/callbacks.ts'

/** A call, as {@link NeedsApproval} is asked about it. */
export interface CallToStart {
  /** Name of the tool. */
  readonly toolName: string
  /** Where the tool runs, as `metadata.provider` of its `tool-start`. Omitted if unknown. */
  readonly provider?: string
}

/**
 * Names the calls that must not start unless they were approved. Called several times for one call: depend on nothing else. A
 * call for which it throws, or returns neither `true` nor `false`, needs an approval.
 */
export type NeedsApproval = (call: CallToStart) => boolean

/** Whether a call needs an approval. */
export function mustBeApproved(needsApproval: NeedsApproval | undefined, call: CallToStart): boolean {
  return needsApproval !== undefined && readDecision(() => needsApproval(call), true)
}
