/** Live streams. Those with ids are resumed after a lost connection. */
import { givenUp, isEventOfLog, messageOf, openBody, Reconnects } from '../../../live/index.ts'
import type { State } from '../state.ts'
import type { LiveStream } from './connect.ts'
import { readLog } from './log.ts'
import { newReading, readMessages, reportLost, stopReading } from './messages.ts'
import { readBody } from './read-body.ts'

export { connectLive } from './connect.ts'

/** Reads a stream until it ends, or `signal` is aborted: what was read stays, unless something else was opened. */
export async function readLive(state: State, stream: LiveStream, signal: AbortSignal): Promise<void> {
  state.open(stream.name)
  state.live = signal
  state.progress = 'Live'
  state.changed()
  await readStream(state, stream, signal)
  if (state.live === signal) state.finished(signal.aborted ? 'Disconnected' : '')
}

async function readStream(
  state: State,
  { response, connect }: LiveStream,
  signal: AbortSignal,
): Promise<void> {
  const reconnects = new Reconnects({
    connect,
    signal,
    onLost(message) {
      state.recording.report({ severity: 'warn', code: 'disconnected', message })
      state.progress = 'Reconnecting'
      state.grown()
    },
    onResumed() {
      state.progress = 'Live'
    },
    onGivenUp: (message) => reportLost(state, message),
  })
  let connection: Response | undefined = response
  while (connection?.body) {
    const { start, isSse, fault, body } = await openBody(connection.body)
    if (signal.aborted) return
    if (fault === undefined) {
      if (isEventOfLog(start)) return readLogFrom(state, new Response(body, connection), connect, signal)
      return isSse ? readMessages(state, body, reconnects, signal) : readOnce(state, body, signal)
    }
    // Nothing is shown yet, so nothing is shown twice.
    connection = await reconnects.next(fault, { lastEventId: '', retry: undefined })
  }
}

/** Reads a log whose first connection is open. */
async function readLogFrom(
  state: State,
  first: Response,
  connect: LiveStream['connect'],
  signal: AbortSignal,
): Promise<void> {
  let opened: Response | undefined = first
  try {
    await readLog(state, signal, (lastEventId) => {
      const connection = opened ?? connect(lastEventId)
      opened = undefined
      return connection
    })
  } catch (error) {
    if (!signal.aborted)
      state.recording.report({ severity: 'error', code: 'disconnected', message: messageOf(error) })
  }
}

/** Reads what cannot be resumed: JSON Lines, JSON. */
async function readOnce(state: State, body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  const reading = newReading(state)
  const push = async (chunk: Uint8Array): Promise<typeof reading> => {
    await reading.push(chunk)
    return reading
  }
  const reason = await readBody(body, signal, push, () => state.grown())
  if (signal.aborted) return stopReading(state, reading, signal)
  if (reason !== undefined) reportLost(state, givenUp(reason, 'its values have no ids'))
  await reading.end()
}
