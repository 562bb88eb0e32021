/** Events as the body of a response. */

import type { Diagnostic } from '../../core/machine.ts'
import { requireEnvelope, requireOnly } from '../../core/require.ts'
import { openSource, requireSource, type Source } from '../../core/source.ts'
import { projectionFor, viewerIn } from '../../streams/access/reader.ts'
import { createTaskTree } from '../../streams/access/task-tree.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import { type EventMessageOptions, eventMessage, requireProfile } from '../encode.ts'

/** Options of {@link eventStream}. */
export interface EventStreamOptions extends EventMessageOptions {
  /**
   * Who reads the stream: each event is projected for this viewer. `'all'`: with all fields.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer | 'all'
  /**
   * Called with what the viewer does not see because no schema allows it: `hidden:<field>` for each undeclared field, once per
   * kind, and `invalid-event` for an event that is hidden as it is not valid. Must not throw. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * Encodes events as the body of an HTTP response: a stream of bytes that reads an event when its reader asks for more.
 * Events that are not valid, or hidden from the viewer, are skipped. An event of a subtask whose parent an earlier event stated gets that
 * `parentTaskId`.
 *
 * Cancelling the stream, as servers do when a client disconnects, cancels the source. If the source throws, the stream
 * fails with its error. The stream does not resume: for clients that reconnect use `createStream` of `turnstream/streams`.
 *
 * @param source - The events, such as those of `taskEvents`.
 * @throws TypeError if the source is not a stream or an iterable, or an option is invalid or unknown. The stream fails with one if
 * an event is a draft, without `kind`, `contextId`, `taskId` or `timestamp`.
 *
 * @example
 * ```ts
 * return new Response(eventStream(events), { headers: eventStreamHeaders })
 * ```
 */
export function eventStream(
  source: Source<{ readonly kind: string }>,
  options: EventStreamOptions = {},
): ReadableStream<Uint8Array> & AsyncIterable<Uint8Array> {
  requireSource(source)
  requireOnly('options', options, ['viewer', 'profile', 'onDiagnostic'])
  requireProfile(options)
  const { profile, onDiagnostic } = options
  const projected = projectionFor(viewerIn(options), onDiagnostic)
  const tree = createTaskTree()
  const encoder = new TextEncoder()
  const { pull, cancel, release } = openSource(source)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await pull()
          if (done === true) {
            release()
            controller.close()
            return
          }
          requireEnvelope(value)
          const event = projected(tree.stamp(value))
          if (event === undefined) continue
          controller.enqueue(encoder.encode(eventMessage(event, '', profile !== 'data-only')))
          return
        }
      },
      async cancel(reason) {
        await cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
