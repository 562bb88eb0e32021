/** Server-Sent Events of any protocol. They are resumed if they have ids. */
import { givenUp, type Reconnects, SseMessages } from '../../../live/index.ts'
import { LiveReading } from '../../model/live-reading.ts'
import type { State } from '../state.ts'
import { readBody } from './read-body.ts'

/** Reads messages to their end, over several connections. */
export async function readMessages(
  state: State,
  first: ReadableStream<Uint8Array>,
  reconnects: Reconnects,
  signal: AbortSignal,
): Promise<void> {
  const messages = new SseMessages()
  let reading = newReading(state)
  const push = async (chunk: Uint8Array): Promise<LiveReading> => {
    const { text, isRestart } = messages.push(chunk)
    if (isRestart) {
      state.restart()
      reading = newReading(state)
    }
    if (text !== '') {
      reconnects.received()
      await reading.push(text)
    }
    return reading
  }
  let body: ReadableStream<Uint8Array> | null | undefined = first
  while (body) {
    const reason = await readBody(body, signal, push, () => state.grown())
    if (signal.aborted) break
    const rest = messages.disconnect()
    if (reason === undefined) {
      await reading.push(rest)
      break
    }
    await reading.decide()
    state.grown()
    if (messages.lastEventId === '') {
      reportLost(state, givenUp(reason, 'its messages have no ids'))
      break
    }
    // A response without a body: the stream is at its end.
    body = (await reconnects.next(reason, messages))?.body
  }
  await (signal.aborted ? stopReading(state, reading, signal) : reading.end())
}

/** Ends a reading whose signal was aborted. Nothing is read if something else was opened. */
export async function stopReading(state: State, reading: LiveReading, signal: AbortSignal): Promise<void> {
  if (state.live === signal) await reading.stop()
}

/** A reading into the recording of a state. */
export function newReading(state: State): LiveReading {
  return new LiveReading(state.recording, (dialect) => {
    state.dialect = dialect
  })
}

/** Reports that a connection was lost for good. */
export function reportLost(state: State, message: string): void {
  state.recording.losses.add('disconnected')
  state.recording.report({ severity: 'error', code: 'disconnected', message })
}
