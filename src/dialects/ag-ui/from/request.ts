/** The request that was posted to the server, which most servers do not repeat. */

import type { JsonValue } from '../../../core/json-value.ts'
import { describeValue } from '../../../core/require.ts'
import type { AgUiRunInput, AgUiRunStarted } from '../wire/types/index.ts'
import type { RunWriter } from './state.ts'

/** The request of the active run, if the reader was given it. */
export function requestOfRun({ options, state: { run } }: RunWriter): AgUiRunInput | undefined {
  const { request } = options
  return run !== null && request?.threadId === run.threadId && request.runId === run.runId
    ? request
    : undefined
}

/** The request of a run that starts: the one that the event repeats, or that was posted. Reports one of another run. */
export function requestOf(writer: RunWriter, event: AgUiRunStarted): AgUiRunInput | undefined {
  const { threadId, runId, input } = event
  const { request } = writer.options
  if (request === undefined || input !== undefined) return input
  for (const [field, id] of Object.entries({ threadId, runId })) {
    const expected = request[field as 'threadId' | 'runId']
    if (expected === id) continue
    const message = `Expected the ${field} of the request, ${describeValue(expected)}, got ${describeValue(id)}.`
    writer.diagnostic('lossy:request', message, { detail: { [field]: id } })
    return undefined
  }
  return request
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
