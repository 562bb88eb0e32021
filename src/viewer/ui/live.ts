/** Live streams: those of a log are resumed after a lost connection, all others are read once. */

import { type Diagnostic, run } from '../../core/machine.ts'
import { dialectTitles } from '../../inspect/index.ts'
import type { Violation } from '../../rules/violation.ts'
import { verifier } from '../../streams/verify/index.ts'
import { watchStream } from '../../streams/watch/index.ts'
import { isEventOfLog } from '../model/log-stream.ts'
import { readInto } from '../model/reading.ts'
import type { State } from './state.ts'

/** Reads a stream until it ends, or `signal` is aborted. */
export async function readLive(
  state: State,
  url: string,
  authorization: string,
  signal: AbortSignal,
): Promise<void> {
  state.open(url)
  state.progress = 'Connecting'
  state.changed()
  const connect = (lastEventId: string | undefined): Promise<Response> =>
    fetch(url, {
      signal,
      headers: {
        accept: 'text/event-stream, application/x-ndjson, application/json',
        ...(authorization !== '' && { authorization }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    })
  try {
    const response = await connect(undefined)
    if (!response.ok || response.body === null)
      throw new Error(`Expected status 200, got ${response.status}.`)
    state.progress = 'Live'
    const source = response.body.getReader()
    const first = await firstBytes(source)
    if (isEventOfLog(new TextDecoder().decode(first))) {
      let opened: Response | undefined = new Response(joined(first, source), response)
      await watch(state, signal, (lastEventId) => {
        const connection = opened ?? connect(lastEventId)
        opened = undefined
        return connection
      })
    } else await readOnce(state, joined(first, source), signal)
  } catch (error) {
    if (!signal.aborted)
      state.recording.report({ severity: 'error', code: 'disconnected', message: messageOf(error) })
  }
  if (!signal.aborted) state.finished()
}

async function watch(
  state: State,
  signal: AbortSignal,
  connect: (lastEventId: string | undefined) => Response | Promise<Response>,
): Promise<void> {
  state.dialect = dialectTitles.core
  const onDiagnostic = ({ code, message }: Diagnostic): void =>
    state.recording.report({ severity: 'warn', code, message })
  let checks = run(verifier())
  const report = (violations: readonly Violation[]): void => {
    for (const { severity, rule, message, eventIndex, path } of violations) {
      const index = Math.min(eventIndex, state.recording.events.length - 1)
      state.recording.report({ severity, code: rule, message, index, ...(path !== undefined && { path }) })
    }
  }
  for await (const { received } of watchStream(connect, { signal, onDiagnostic })) {
    if (received.type === 'reset') {
      checks = run(verifier())
      state.restart()
    }
    if (received.type === 'events' || received.type === 'reset') {
      for (const event of received.events ?? []) {
        state.recording.add(event)
        report(checks.push(event))
      }
    }
    if (received.type === 'closed') report(checks.end())
    state.grown()
  }
}

async function readOnce(state: State, body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  const reading = readInto(state.recording, (dialect) => {
    state.dialect = dialect
  })
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
    await reading.push(part.value)
    state.grown()
  }
  if (!signal.aborted) await reading.end()
}

/** The bytes up to the first message with data, which shows what the stream is. */
async function firstBytes(source: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  let bytes = new Uint8Array()
  while (bytes.length < 65_536) {
    // A connection that breaks here breaks again when the rest is read, where that is handled.
    const { done, value } = await source.read().catch(() => ({ done: true, value: undefined }))
    if (done || value === undefined) break
    const longer = new Uint8Array(bytes.length + value.length)
    longer.set(bytes)
    longer.set(value, bytes.length)
    bytes = longer
    if (/^data:.*\r?\n\r?\n/m.test(new TextDecoder().decode(bytes))) break
  }
  return bytes
}

/** What was read, and the rest. */
function joined(
  first: Uint8Array,
  rest: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await rest.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => rest.cancel(reason),
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
