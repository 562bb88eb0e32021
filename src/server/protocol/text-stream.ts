/** The response of a protocol that streams. */

import { encodeComment } from '../../sse/encode.ts'
import { Heartbeat, type Quiet } from '../../streams/serve/heartbeat.ts'

/** After how long without a message a comment is sent, so that proxies keep the connection open. */
const HEARTBEAT_MS = 15_000

/** The body of a response: server-sent events, as they come. A task that works or waits for long is no silence. */
export function textStream(
  texts: AsyncGenerator<string, void, undefined>,
  heartbeatMs: number = HEARTBEAT_MS,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const heartbeat = new Heartbeat(heartbeatMs)
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const quiet: Quiet & { waitsSince: number | undefined } = {
    waitsSince: undefined,
    beat() {
      quiet.waitsSince = performance.now()
      // Whoever reads nothing gets no more than one.
      if ((controller?.desiredSize ?? -1) >= 0) controller?.enqueue(encoder.encode(encodeComment()))
    },
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(opened) {
        controller ??= opened
        heartbeat.join(quiet)
        quiet.waitsSince = performance.now()
        try {
          const { done, value } = await texts.next()
          quiet.waitsSince = undefined
          if (done !== true) return opened.enqueue(encoder.encode(value))
          heartbeat.leave(quiet)
          opened.close()
        } catch (error) {
          heartbeat.leave(quiet)
          throw error
        }
      },
      cancel() {
        heartbeat.leave(quiet)
        texts.return(undefined).catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
