/** Recording what a server sends, over as many connections as it takes. */

import { isValue, recordingReader } from '../../inspect/recording/reader.ts'
import { givenUp, isEventOfLog, messageOf, openBody, Reconnects, SseMessages } from '../../live/index.ts'
import { jsonText } from '../escape.ts'
import { placeText } from '../recording/words.ts'
import { UsageError } from '../usage-error.ts'

/** What is recorded, and where to. */
export interface Recorder {
  /** Connects again, to continue after a message. `undefined` if that has another effect. */
  readonly reconnect: ((lastEventId: string | undefined) => Promise<Response>) | undefined
  /** Aborted to end the recording. What came until then is kept. */
  readonly signal: AbortSignal
  /** The time, in milliseconds since 1970. */
  readonly now: () => number
  /** The most bytes that are received. */
  readonly maxBytes: number
  /** Writes a text; `messages` is how many came so far. */
  readonly write: (text: string, messages: number) => Promise<void>
  /** Called with what happens, for people. */
  readonly onLog: (text: string) => void
}

/** How a recording ended: by the end of the stream, by the one who records or a limit, or by a lost connection. */
export type Outcome = 'whole' | 'stopped' | 'lost'

/** What was recorded. */
export interface RecordedStream {
  readonly messages: number
  readonly bytes: number
  readonly outcome: Outcome
}

/** Whether a server states that a log has ended. */
const isClosed = (text: string): boolean => /^event: ?stream-closed\r?$/m.test(text)

/** Records a stream, whose first connection is open, to its end. */
export async function recordStream(first: Response, recorder: Recorder): Promise<RecordedStream> {
  const total = { messages: 0, bytes: 0 }
  if (first.body === null) return { ...total, outcome: 'whole' }
  const { isSse, body } = await openBody(first.body)
  const outcome = await (isSse ? recordMessages(body, recorder, total) : recordValues(body, recorder, total))
  return { ...total, outcome }
}

type Total = { messages: number; bytes: number }

/** How a connection ended. */
type End = Exclude<Outcome, 'lost'> | { readonly fault: string }

/**
 * Server-Sent Events, as they came. Before those that arrive together, a comment states when: readers of recordings know it,
 * and other clients ignore it.
 */
async function recordMessages(
  first: ReadableStream<Uint8Array>,
  recorder: Recorder,
  total: Total,
): Promise<Outcome> {
  const { reconnect, signal, now, write, onLog } = recorder
  const messages = new SseMessages()
  const reconnects = new Reconnects({
    connect: reconnect ?? (() => Promise.reject(new Error('the request has a body'))),
    signal,
    onLost: onLog,
    onResumed: () => {},
    onGivenUp: onLog,
  })
  let isLog = false
  for (let body: ReadableStream<Uint8Array> | null = first; ; ) {
    let isOver = false
    let isRestart = false
    const end: End = await readBody(body, recorder, total, async (chunk) => {
      const { text, count, isRestart: isAgain } = messages.push(chunk)
      isRestart = isAgain
      if (text === '' || isAgain) return !isAgain
      reconnects.received()
      isLog ||= isEventOfLog(text)
      isOver ||= isClosed(text)
      total.messages += count
      await write(`: at ${new Date(now()).toISOString()}\n${text}`, total.messages)
      return true
    })
    const rest = messages.disconnect()
    if (isRestart) {
      onLog('The server begins again with its first message, not after the last one: the recording ends.')
      return 'lost'
    }
    if (end === 'stopped') return end
    const isEnd = end === 'whole'
    if (isEnd && (isOver || !isLog || reconnect === undefined)) {
      await write(rest, total.messages)
      return end
    }
    const fault = isEnd ? 'expected the end of the stream, got that of the connection' : end.fault
    const isFirst = total.messages === 0
    if (reconnect === undefined || (messages.lastEventId === '' && !isFirst)) {
      onLog(givenUp(fault, reconnect === undefined ? 'the request has a body' : 'its messages have no ids'))
      return 'lost'
    }
    const next: Response | undefined = await reconnects.next(fault, messages)
    if (next === undefined) return signal.aborted ? 'stopped' : 'lost'
    // No more comes.
    if (next.body === null) return 'whole'
    body = next.body
  }
}

/** Other values, each on a line with the time of its arrival. */
async function recordValues(
  body: ReadableStream<Uint8Array>,
  recorder: Recorder,
  total: Total,
): Promise<Outcome> {
  const reader = recordingReader()
  const take = async (all: ReturnType<typeof reader.push>): Promise<true> => {
    const at = new Date(recorder.now()).toISOString()
    for (const recorded of all) {
      if (isValue(recorded)) {
        total.messages++
        const line = jsonText({ at, raw: JSON.stringify(recorded.value) })
        await recorder.write(`${line}\n`, total.messages)
      } else recorder.onLog(`Line ${placeText({ line: recorded.line })}: ${recorded.diagnostic.message}`)
    }
    return true
  }
  const end = await readBody(body, recorder, total, (chunk) => take(reader.push(chunk)))
  if (end === 'stopped') return end
  await take(reader.end())
  if (end === 'whole') return end
  recorder.onLog(givenUp(end.fault, 'its values have no ids'))
  return 'lost'
}

/**
 * Reads one connection.
 *
 * @param take - Receives each chunk, and resolves to whether to go on.
 */
async function readBody(
  body: ReadableStream<Uint8Array>,
  { signal, maxBytes, onLog }: Recorder,
  total: Total,
  take: (chunk: Uint8Array) => Promise<boolean>,
): Promise<End> {
  const source = body.getReader()
  const stop = (): void => void source.cancel().catch(() => {})
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      const { done, value } = await source.read()
      if (signal.aborted) return 'stopped'
      if (done) return 'whole'
      total.bytes += value.length
      if (total.bytes > maxBytes) {
        onLog(`The recording ends at its limit of ${maxBytes / 2 ** 20} MiB.`)
        stop()
        return 'stopped'
      }
      if (await take(value)) continue
      stop()
      return 'stopped'
    }
  } catch (error) {
    if (error instanceof UsageError) {
      stop()
      throw error
    }
    return signal.aborted ? 'stopped' : { fault: messageOf(error) }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
