/** What events of several types have. */

import type { JsonPatchOperation } from '../../../../events/artifact-change.ts'
import type { Usage } from '../../../../events/usage.ts'

/** Additional information about an event or a message. Clients merge that of events into the message they build. */
export interface AgUiMetadata {
  [key: string]: unknown
}

/** The fields that every event may have. */
export interface AgUiEventBase {
  /** When the event was created, in milliseconds since 1970: an integer. Omitted if unknown. */
  timestamp?: number
  /** The event of the provider that this one was made from: any JSON but `null`. Omitted if none. */
  rawEvent?: unknown
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** The fields that every event of an agent or a subagent may have. */
export interface AgUiOwnedEvent extends AgUiEventBase {
  /** The subagent the event is from. Omitted: the agent of the run. */
  subagentRunId?: string
}

/** A JSON Patch (RFC 6902). */
export type AgUiPatch = JsonPatchOperation[]

/** Tokens that one model used: the same fields as `Usage` of events. */
export type AgUiUsage = Usage

/** Where the bytes of a part are: in `value`, at the URL in `value`, or at a provider under the handle in `value`. */
export type AgUiPartSource =
  | { type: 'data'; value: string; mimeType: string }
  | { type: 'url'; value: string; mimeType?: string }
  | { type: 'file'; value: string; provider?: string; mimeType?: string }

/** A part of the content of a message of a user or a tool. */
export type AgUiContentPart =
  | { type: 'text'; id?: string; text: string; metadata?: unknown }
  | {
      type: 'image' | 'audio' | 'video' | 'document'
      id?: string
      source: AgUiPartSource
      metadata?: unknown
    }
