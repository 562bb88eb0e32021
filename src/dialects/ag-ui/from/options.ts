/** Options of `fromAgUi`. */

import {
  mismatch,
  optional,
  requireBoolean,
  requireFunction,
  requireOnly,
  requireText,
} from '../../../core/require.ts'
import { readClock } from '../../../validation/callbacks.ts'
import type { ShowErrors } from '../../shared/labels.ts'
import { decodeRunAgentInput } from '../wire/decode.ts'
import type { AgUiRunInput } from '../wire/types/index.ts'

/** Options of {@link fromAgUi}. */
export interface FromAgUiOptions extends ShowErrors {
  /** The `contextId` of all events. Omitted: the `threadId` of the run. Not empty. */
  readonly contextId?: string
  /**
   * The request that was posted, as servers seldom repeat it: it has the prompt of the run, the answers that it resumes with,
   * the messages before it and the tools of the client. Calls of other tools without a result are then no calls that the
   * client is to execute. It is that of the run with its `threadId` and `runId`; for the next run of the thread, make a
   * reader with the next request, and go on with the state of this one. Omitted: what the server does not repeat is unknown.
   */
  readonly request?: AgUiRunInput
  /** The user who answers interrupts: the `userId` of `input-received`. Not empty. Omitted: `user`. */
  readonly userId?: string
  /**
   * The clock, for events without a `timestamp`. Returns the current time as a `Date`, as milliseconds since 1970, or as an
   * RFC 3339 date-time with time zone. If the server states other times, these events have its time: that of the last one,
   * and what has passed since.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: () => Date | number | string
  /**
   * Whether to read the events of other systems: `RAW`, and the `rawEvent` of events. They become transient events named
   * `ag-ui.raw`, for operators only, as they may contain anything. `false`: they are ignored.
   *
   * @defaultValue `false`
   */
  readonly raw?: boolean
  /**
   * Whether to read what `toAgUi` with `extension: true` writes: runs marked by it give the original events, as they were.
   * Only for servers that are trusted, as they then choose all fields of the events, ids and audiences included.
   *
   * @defaultValue `false`
   */
  readonly extension?: boolean
}

/** Options with their defaults. */
export type Reading = FromAgUiOptions & { readonly clock: () => string; readonly tools: ReadonlySet<string> }

/**
 * Requires valid options.
 *
 * @throws TypeError naming the option.
 */
export function readingOf(options: FromAgUiOptions): Reading {
  requireOnly('options', options, ['contextId', 'request', 'userId', 'now', 'raw', 'showErrors', 'extension'])
  const { contextId, userId, now = Date.now, raw, showErrors, extension } = options
  optional(requireText, 'contextId', contextId)
  optional(requireText, 'userId', userId)
  requireFunction('now', now)
  optional(requireBoolean, 'raw', raw)
  optional(requireBoolean, 'showErrors', showErrors)
  optional(requireBoolean, 'extension', extension)
  const request = options.request === undefined ? undefined : requestIn(options.request)
  return {
    ...options,
    ...(request !== undefined && { request }),
    tools: new Set(request?.tools.map(({ name }) => name)),
    clock: () => readClock(now),
  }
}

/** The request, with the fields that older clients omit. */
function requestIn(request: unknown): AgUiRunInput {
  const decoded = decodeRunAgentInput(request)
  if (decoded.status === 'known') return decoded.event
  throw mismatch('request', 'a RunAgentInput, as decodeRunAgentInput returns it', request)
}
