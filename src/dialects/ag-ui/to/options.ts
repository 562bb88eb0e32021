/** Options of `toAgUi`. */

import { optional, requireArray, requireBoolean, requireOnly, requireText } from '../../../core/require.ts'
import type { Viewer } from '../../../streams/access/viewer.ts'
import type { AgUiMessage } from '../wire/types/index.ts'

/** Options of {@link toAgUi}. */
export interface ToAgUiOptions {
  /** The `threadId` of all runs: that of the request. Omitted: the `contextId` of the events. Not empty. */
  readonly threadId?: string
  /**
   * The `runId` of the next run: that of the request. Omitted, and for later runs: the id of the task, with a number from
   * its second run on. Not empty.
   */
  readonly runId?: string
  /**
   * The messages that the client has before the stream: those of the request. A text that is replaced, or a model response
   * that begins again, is a `MESSAGES_SNAPSHOT`, and clients drop the messages that it does not repeat. The ids of their
   * thoughts, and of their calls with a result, are those of earlier runs: others get a suffix. Omitted: none.
   */
  readonly messages?: readonly AgUiMessage[]
  /**
   * Whether to carry each event whole, as `CUSTOM` with the name `turnstream:<kind>`, so that `fromAgUi` with the same
   * option restores it, with its audience label. Other readers ignore them. Doubles the size of the stream.
   *
   * @defaultValue `false`
   */
  readonly extension?: boolean
  /**
   * Who reads the stream.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer
}

/**
 * Requires valid options, but for the viewer.
 *
 * @throws TypeError naming the option.
 */
export function requireOptions(options: ToAgUiOptions): void {
  requireOnly('options', options, ['threadId', 'runId', 'messages', 'extension', 'viewer'])
  optional(requireText, 'threadId', options.threadId)
  optional(requireText, 'runId', options.runId)
  optional(requireArray, 'messages', options.messages)
  optional(requireBoolean, 'extension', options.extension)
}
