/** The error of a call that may not start. */

import type { ApprovalErrorCode } from '../commands/ledger/gate.ts'

/** Rejects the `append` of a `tool-start` that may not come: nothing was logged, and the tool must not run. */
export class ApprovalError extends Error {
  /** Why the call may not start. */
  readonly code: ApprovalErrorCode
  readonly toolCallId: string

  constructor(code: ApprovalErrorCode, toolCallId: string, message: string) {
    super(message)
    this.name = 'ApprovalError'
    this.code = code
    this.toolCallId = toolCallId
  }
}
