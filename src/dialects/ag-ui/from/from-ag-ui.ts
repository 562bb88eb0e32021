/** Maps events of AG-UI to events of the core vocabulary. */

import type { JsonMessage } from '../../../core/json-message.ts'
import type { Machine } from '../../../core/machine.ts'
import type { MachineState } from '../../../core/machine-state.ts'
import { describeValue } from '../../../core/require.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'
import { setEpoch } from '../../engine/draft.ts'
import { reader } from '../../shared/reader.ts'
import { decodeAgUiEvent } from '../wire/decode.ts'
import { CARRIED, FOREIGN } from '../wire/extension.ts'
import type { AgUiEvent, UnknownAgUiEvent } from '../wire/types/index.ts'
import { endChunks } from './chunks.ts'
import { flush } from './close.ts'
import { reportForeignFields } from './foreign-fields.ts'
import { type FromAgUiOptions, readingOf } from './options.ts'
import { readRawEvent } from './read-other.ts'
import { requireRun } from './read-run.ts'
import { startHeld } from './read-tool.ts'
import { readers } from './readers.ts'
import { isOfOtherThread } from './request.ts'
import { type FromAgUiState, initialState, type RunWriter, runWriter } from './state.ts'

/**
 * Maps the events of an AG-UI agent, version 1.0 or 0.x, to events. Never throws on data: an event that is unknown,
 * malformed or out of place is a diagnostic, and the next one is read.
 *
 * | AG-UI | events |
 * |---|---|
 * | `RUN_STARTED` | `task-created` with `metadata.input`, `task-status: working`; after an interrupt `input-received` and `working` |
 * | `RUN_FINISHED` | `completed` and `task-complete`, `canceled`, or `input-required` and `waiting-input` for interrupts and pending calls |
 * | `RUN_ERROR` | `failed` |
 * | `TEXT_MESSAGE_…` | `content-delta`, `content-complete` with the message as `contentId` |
 * | `REASONING_…` | `thought-delta`, `thought-stream` with an encrypted value as `metadata.signature` |
 * | `TOOL_CALL_…` | `tool-arguments-delta`, `tool-start`, `tool-complete` |
 * | `STATE_…` | `data-write`, `artifact-delta` of the artifact `state` |
 * | `ACTIVITY_…` | `data-write`, `artifact-delta` of an artifact named by its type |
 * | `SUBAGENT_…` | `subtask-created`, and the events of the subtask |
 * | `MESSAGES_SNAPSHOT` | what was not streamed; `content-replace` of texts that differ, `iteration-reset` if all of a model response is gone |
 * | `STEP_…` of `toAgUi` | the `iteration` of texts, thoughts and calls |
 * | `CUSTOM` named `on_interrupt` | `input-required` as the run ends |
 * | other `CUSTOM`, other `STEP_…` | `custom`; a transient one for steps, and with the option `raw` for `RAW` |
 *
 * A run is a task, the thread its context. A run that follows an interrupt continues the task.
 *
 * Diagnostics:
 *
 * - `invalid-event`: the event was dropped; `detail` lists its issues
 * - `dropped:<type>`: the event was dropped; `detail.reason` is `unknown-type`, `after-end`, `repeated`, `not-started`,
 *   `no-equivalent`, `extension` or `invalid-content`. `dropped:MESSAGES_SNAPSHOT` has what no event has: `detail.messages`, and the ids in
 *   `detail.gone`
 * - `lossy:request`: the option `request` is of another run; one of another thread is left out
 * - `lossy:<field>`: the field was dropped or changed; also one that AG-UI does not have
 * - `inferred:<what>`: an event or field that AG-UI does not state, or that is missing in the stream
 * - `gap`: the stream ended before the run did
 * - `state-evicted`: more than 1024 messages, calls or subagents are open
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const response = await fetch(agentUrl, { method: 'POST', headers, body })
 * for await (const event of iterate(pipe(jsonDecoder(), fromAgUi()), response.body ?? [])) handle(event)
 * ```
 */
export function fromAgUi(
  options: FromAgUiOptions = {},
): Machine<MachineState<'fromAgUi'>, AgUiEvent | UnknownAgUiEvent | JsonMessage, ContextAnyEvent> {
  const reading = readingOf(options)
  const machine: Machine<FromAgUiState, AgUiEvent | UnknownAgUiEvent, ContextAnyEvent> = {
    initial: initialState(options.contextId ?? 'thread'),
    step(state, input) {
      const writer = runWriter(state, reading)
      const event = readInput(writer, input)
      if (event !== undefined) readEvent(writer, event)
      return writer.done()
    },
    end(state) {
      const writer = runWriter(state, reading)
      flush(writer)
      writer.state.isOther = false
      const { run } = state
      if (run?.phase === 'active')
        writer.diagnostic('gap', 'The stream ended before its run did.', { detail: { runId: run.runId } })
      return writer.done()
    },
  }
  return reader(['AG-UI'], machine, {
    isTrusted: options.extension === true,
    showErrors: options.showErrors,
    isForOperators: ({ kind, name }) => kind === 'custom' && name === FOREIGN.raw,
  })
}

/** Decodes an input. `undefined` if it is no known event, which is reported. */
function readInput(writer: RunWriter, input: unknown): AgUiEvent | undefined {
  const decoded = decodeAgUiEvent(input)
  if (decoded.status === 'known') return decoded.event
  if (decoded.status === 'unknown') {
    const message = `Unknown type ${describeValue(decoded.kind)}.`
    writer.dropped(decoded.kind.slice(0, 64), 'unknown-type', message)
    return undefined
  }
  // A start whose copy of the request is malformed is a start all the same.
  if (
    isFields(input) &&
    input.type === 'RUN_STARTED' &&
    decoded.issues.every(({ path }) => path.startsWith('/input'))
  ) {
    const { input: request, ...rest } = input
    const again = decodeAgUiEvent(rest)
    if (again.status === 'known') {
      writer.diagnostic('lossy:input', 'The request that started the run is malformed.', {
        path: '/input',
        detail: decoded.issues,
      })
      return again.event
    }
  }
  writer.invalid(decoded.issues)
  return undefined
}

/** Events that may come between the end of a call and its arguments. */
const OF_CALLS = /^(TOOL_CALL_(START|ARGS|END|CHUNK)|RAW)$/

function readEvent(writer: RunWriter, event: AgUiEvent): void {
  if (isOfOtherThread(writer, event)) return
  const { run } = writer.state
  const { type } = event
  reportForeignFields(writer, event)
  if (run?.isExtended === true && run.phase === 'active' && type !== 'RUN_STARTED') {
    readExtended(writer, event)
    return
  }
  if (event.timestamp !== undefined) setEpoch(writer, 'timestamp', event.timestamp)
  const needsRun = type !== 'RUN_STARTED' && type !== 'MESSAGES_SNAPSHOT'
  if (needsRun && !requireRun(writer, event)) return
  if (!type.endsWith('_CHUNK')) endChunks(writer, event)
  if (!OF_CALLS.test(type)) startHeld(writer)
  const read = readers[type] as (writer: RunWriter, event: AgUiEvent) => void
  read(writer, event)
  readRawEvent(writer, event)
}

/** Reads an event of an extended run. Those of AG-UI itself repeat what the carried ones state. */
function readExtended(writer: RunWriter, event: AgUiEvent): void {
  const { run } = writer.state
  if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') {
    if (run !== null) writer.state.run = { ...run, phase: 'ended' }
    return
  }
  if (event.type !== 'CUSTOM' || !event.name.startsWith(CARRIED)) return
  const { contextId } = writer.options
  const { value } = event
  const carried = contextId !== undefined && isFields(value) ? { ...value, contextId } : value
  const decoded = decodeEvent(carried)
  if (decoded.status === 'known') writer.emit(decoded.event)
  else
    writer.dropped(
      event.type,
      'invalid-content',
      'Expected a valid event of a known kind, got another value.',
    )
}
