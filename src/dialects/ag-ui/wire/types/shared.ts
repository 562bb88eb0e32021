/** Types that are more exact than what is checked, or that have no fields of their own. */

import type { JsonPatchOperation } from '../../../../events/artifact-change.ts'
import type { Usage } from '../../../../events/usage.ts'

/** Additional information about an event or a message. Clients merge that of events into the message they build. */
export interface AgUiMetadata {
  [key: string]: unknown
}

/** A JSON Patch (RFC 6902). */
export type AgUiPatch = JsonPatchOperation[]

/** Tokens that one model used: the same fields as `Usage` of events. */
export type AgUiUsage = Usage
