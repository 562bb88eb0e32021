/** Reading a response body as events: the one call most frontends need. */
import { type Diagnostic, start } from '../core/machine.ts'
import { readItems } from '../core/read-items.ts'
import { optional, requireFunction, requireOnly, requireSignal } from '../core/require.ts'
import { requireSource, type Source } from '../core/source.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { type DecodedMessage, type EventDecoderOptions, eventDecoder } from './event-decoder.ts'
import { openTasks } from './open-tasks.ts'
import { bodyOf, isResponse, requireContentTypes } from './response-error.ts'
import { reportStreamMessage } from './stream-message.ts'

/** Options of {@link readEvents}. */
export interface ReadEventsOptions extends EventDecoderOptions {
  /** Called with each event of an unknown kind. Omitted: they are ignored. */
  readonly onUnknown?: (decoded: Extract<DecodedMessage, { status: 'unknown' }>) => void
  /** Called with each message that is not a valid event. Omitted: they are ignored. */
  readonly onInvalid?: (decoded: Extract<DecodedMessage, { status: 'invalid' }>) => void
  /** Called with each diagnostic of {@link eventDecoder}, and with `ended-early`, `stream-loss` and `stream-reset`. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Aborting it cancels the body, yields nothing more and makes the generator throw the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * The media types that a `Response` may have, without parameters; `any` accepts all, and none.
   *
   * @defaultValue ['text/event-stream']
   */
  readonly contentTypes?: readonly string[] | 'any'
}

/**
 * Reads the known events of a body. Unknown events and invalid messages go to the callbacks; reading continues.
 *
 * Leaving the loop early cancels the body. An error of the body, such as a lost connection, is rethrown. The body is
 * unlocked when reading ends in any way.
 *
 * Diagnostics: `ended-early` if the body ends before a task did of which there were events; `detail.taskIds` lists at
 * most 32 of them, `detail.omitted` counts the others, of the first 1000 that were open. A subtask ends with the task it belongs to. Also those of
 * {@link eventDecoder}, and of a body that is a connection to a log, as of `createStream`: `stream-loss` if the server
 * dropped events, with their number by kind as `detail.loss`; `stream-reset` if the events start again elsewhere. The
 * snapshot that comes with a reset is dropped: use `watchStream` of `turnstream/streams`, which takes it and resumes.
 *
 * @param source - A `Response`, its body, or any (async) iterable of chunks.
 *
 * @throws TypeError if the source is something else, such as a string or a `Response` without a readable `body`, or an
 * option is invalid or unknown.
 * @throws {@link ResponseError} before the first event, if a `Response` is not successful or not an event stream.
 * One without a body, such as status 204, has no events.
 *
 * @example
 * ```ts
 * for await (const event of readEvents(await fetch('/chat'))) {
 *   if (event.kind === 'content-delta') show(event.delta)
 * }
 * ```
 */
export function readEvents(
  source: Source<string | Uint8Array> | Response,
  options: ReadEventsOptions = {},
): AsyncGenerator<ContextAnyEvent, void, undefined> {
  requireOnly('options', options, [
    'onUnknown',
    'onInvalid',
    'onDiagnostic',
    'signal',
    'contentTypes',
    'maxMessageSize',
    'maxDepth',
    'inexactNumbers',
  ])
  const { onUnknown, onInvalid, onDiagnostic, signal, contentTypes, ...limits } = options
  optional(requireFunction, 'onUnknown', onUnknown)
  optional(requireFunction, 'onInvalid', onInvalid)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  optional(requireSignal, 'signal', signal)
  if (contentTypes !== undefined) requireContentTypes(contentTypes)
  const body = isResponse(source) ? bodyOf(source, contentTypes) : source
  requireSource(body, 'a Response, ')
  if ('locked' in body && body.locked)
    throw new TypeError('"source" must be a body that nobody has read, got a locked one.')
  const inexactNumbers = onDiagnostic !== undefined
  const { push, end } = start(eventDecoder({ inexactNumbers, ...limits }), onDiagnostic)
  const tasks = onDiagnostic && openTasks()
  return readItems<string | Uint8Array, DecodedMessage, ContextAnyEvent>(body, {
    push,
    end() {
      const rest = end()
      const diagnostic = tasks?.endedEarly()
      if (diagnostic !== undefined) onDiagnostic?.(diagnostic)
      return rest
    },
    deliver(decoded) {
      if (decoded.status === 'known') {
        tasks?.add(decoded.event)
        return { done: false, value: decoded.event }
      }
      if (decoded.status === 'unknown') onUnknown?.(decoded)
      else {
        const report = reportStreamMessage(decoded.value)
        if (report === undefined) onInvalid?.(decoded)
        else if (report !== null) onDiagnostic?.(report)
      }
      return undefined
    },
    signal,
  })
}
