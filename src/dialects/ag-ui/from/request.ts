/** The request that was posted to the server, which most servers do not repeat. */

import type { JsonValue } from '../../../core/json-value.ts'
import { describeValue } from '../../../core/require.ts'
import type { AgUiEvent, AgUiRunInput, AgUiRunStarted } from '../wire/types/index.ts'
import type { RunWriter } from './state.ts'

/** The request of the active run, if the reader was given it. */
export function requestOfRun({ options: { request }, state: { run } }: RunWriter): AgUiRunInput | undefined {
  return request?.runId === run?.runId ? request : undefined
}

/**
 * Whether an event is left out: it is of a run of another thread than the request states. Reports the start of that run. The
 * run that it interrupts continues after it.
 */
export function isOfOtherThread(writer: RunWriter, event: AgUiEvent): boolean {
  const { state, options } = writer
  const expected = options.request?.threadId
  if (event.type === 'RUN_STARTED') {
    const { threadId } = event
    // A request without a thread takes that of the server, and a server may state none.
    state.isOther = ![threadId, '', undefined].includes(expected) && threadId !== ''
    if (state.isOther) reportOther(writer, 'threadId', threadId)
    return state.isOther
  }
  if (!state.isOther) return false
  if (state.run?.phase !== 'active') return true
  state.isOther = event.type !== 'RUN_FINISHED' && event.type !== 'RUN_ERROR'
  return event.type !== 'RUN_FINISHED' || event.threadId !== expected
}

function reportOther(writer: RunWriter, field: 'threadId' | 'runId', id: string): void {
  const expected = describeValue(writer.options.request?.[field])
  const message = `Expected the ${field} of the request, ${expected}, got ${describeValue(id)}.`
  writer.diagnostic('lossy:request', message, { detail: { [field]: id } })
}

/** The request of a run that starts: the one that the event repeats, or that was posted. Reports one of another run. */
export function requestOf(writer: RunWriter, { runId, input }: AgUiRunStarted): AgUiRunInput | undefined {
  const { request } = writer.options
  if (request === undefined || input !== undefined) return input
  if (request.runId === runId) return request
  reportOther(writer, 'runId', runId)
  return undefined
}

/**
 * The message of the user that started the run.
 *
 * @param isFirst - Whether no earlier run of the thread is known: a later one may go on with the message of an earlier one.
 */
export function promptOf(request: AgUiRunInput | undefined, isFirst: boolean): JsonValue | undefined {
  const last = request?.messages.findLast(({ role }) => role === 'user' || (!isFirst && answers.has(role)))
  return last?.role === 'user' ? (last.content as JsonValue) : undefined
}

/** Of messages that follow the one that is answered. */
const answers: ReadonlySet<string> = new Set(['assistant', 'tool'])
