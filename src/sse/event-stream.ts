/** Events as the body of a response. */

import { requireEnvelope } from '../core/require.ts'
import { openSource, requireSource, type Source } from '../core/source.ts'
import { type EncodeEventOptions, eventMessage, requireEncodeOptions } from './encode.ts'

/**
 * Encodes events as the body of an HTTP response: a stream of bytes that reads an event when its reader asks for more.
 * Events that {@link EncodeEventOptions.internal} leaves out are skipped.
 *
 * Cancelling the stream, as servers do when a client disconnects, cancels the source. If the source throws, the stream
 * fails with its error. The stream does not resume: for clients that reconnect use `createStream` of `turnstream/streams`.
 *
 * @param source - The events, such as those of `taskEvents`.
 * @throws TypeError if the source is not a stream or an iterable, or an option is invalid. The stream fails with one if
 * an event is a draft, without `kind`, `contextId`, `taskId` or `timestamp`.
 *
 * @example
 * ```ts
 * return new Response(eventStream(events), { headers: eventStreamHeaders })
 * ```
 */
export function eventStream(
  source: Source<{ readonly kind: string }>,
  options: Omit<EncodeEventOptions, 'id'> = {},
): ReadableStream<Uint8Array> {
  requireSource(source)
  requireEncodeOptions(options)
  const { profile, internal = false } = options
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
          const text = eventMessage(value, '', profile !== 'data-only', internal)
          if (text === '') continue
          controller.enqueue(encoder.encode(text))
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
