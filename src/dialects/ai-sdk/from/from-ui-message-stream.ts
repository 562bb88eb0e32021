/** From a UI message stream of the AI SDK to turnstream events. */

import type { JsonMessage } from '../../../core/json-message.ts'
import type { Machine } from '../../../core/machine.ts'
import type { MachineState } from '../../../core/machine-state.ts'
import { randomId } from '../../../core/random-id.ts'
import { optional, requireBoolean, requireFunction, requireOnly, requireText } from '../../../core/require.ts'
import { MAX_DIAGNOSTICS } from '../../../core/step-builder.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isTaskEnd } from '../../../events/task-end.ts'
import { readClock } from '../../../validation/callbacks.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { ShowErrors } from '../../shared/labels.ts'
import { reader } from '../../shared/reader.ts'
import { reportUndecoded } from '../../shared/report-undecoded.ts'
import type { ChatRequest } from '../wire/chat-request.ts'
import { decodeUiMessageChunk } from '../wire/decode.ts'
import { type CarriedEvent, EXTENSION_TYPE, readExtension } from '../wire/extension.ts'
import { chunkShapes, dataShape } from '../wire/shapes.ts'
import type { UiMessageChunk, UnknownUiMessageChunk } from '../wire/types.ts'
import { startHeldCall } from './calls.ts'
import { mapChunk } from './map-chunk.ts'
import { fail } from './map-end.ts'
import { endTexts } from './map-text.ts'
import { postedIn } from './posted.ts'
import {
  type FromUiState,
  initialState,
  type MessageWriter,
  messageWriter,
  type ReaderOptions,
} from './state.ts'

/** Options of {@link fromUiMessageStream}. */
export interface FromUiMessageStreamOptions extends ShowErrors {
  /**
   * The task of the events. Not empty. Omitted: the `messageId` of the stream, or the id of the message that the request
   * continues, or `newId()` if there is none.
   */
  readonly taskId?: string
  /** The context of the events. Not empty. Omitted: the `id` of the request, or the id of the task if it has none. */
  readonly contextId?: string
  /**
   * The request that was posted, as responses do not repeat it: what `useChat` posts. It has the prompt of the task, and the
   * answers and results that the task continues with. If the response continues a message, go on with the state of the reader
   * that has read it. Omitted: what the response does not repeat is unknown.
   */
  readonly request?: ChatRequest
  /** Creates the id of the task if neither the stream nor `taskId` states one. Omitted: a random UUID. */
  readonly newId?: () => string
  /**
   * Whether to read what `toUiMessageStream` with `extension: true` writes: the original events, as they were. Only for
   * servers that are trusted, as they then choose all fields of the events, ids and audiences included.
   *
   * @defaultValue `false`
   */
  readonly extension?: boolean
  /**
   * The clock: chunks state no time. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339
   * date-time with time zone.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: () => Date | number | string
}

/**
 * Maps a UI message stream of AI SDK 5, 6 or 7 to the events of one task. Never throws on data: an unknown or malformed
 * chunk is reported, and reading continues.
 *
 * The input is parsed JSON, or a message of `jsonDecoder`.
 *
 * | chunk | events |
 * |---|---|
 * | `start` | `task-created`, `task-status: working` |
 * | `text-…`, `reasoning-…` | `content-delta` and `content-complete` with the id as `contentId`, `thought-delta` and `thought-stream` |
 * | `source-url`, `source-document`, `citations` | `metadata.sources` of the text; `data-write` if no text is open |
 * | `tool-input-…` | `tool-arguments-delta`, `tool-start`; plain text (`inputEncoding`) as the argument `input` |
 * | `tool-output-…` | `tool-progress` if preliminary, otherwise `tool-complete` |
 * | `tool-input-error` | `task-error`; `tool-complete` follows with the output, or at the end |
 * | `tool-approval-request`, `-response` | `input-required` with `metadata.toolCall`, `input-received`; `tool-start` once approved |
 * | `file`, `reasoning-file` | `file-write`: the bytes of a `data:` URL, or the address as `text/uri-list` |
 * | `data-<name>` | `data-write`, or `dataset-write` for a list of objects, with the id as `artifactId`; `custom` if transient |
 * | `custom` | `custom` |
 * | `message-metadata` | metadata of `task-complete`; the tokens as `usage`, of its `model` |
 * | `reset-step` | `iteration-reset`; the steps are the `iteration`s of texts, thoughts and calls |
 * | `error` | `task-error` if the stream continues, otherwise `task-status: failed`; its text is for operators |
 * | `abort` | `task-status: canceled` |
 * | `finish` | `completed` and `task-complete`; `waiting-input` while a call waits for approval or for the page, which is asked by `input-required` with `metadata.provider` `client`; with the tokens as `metadata.usage` |
 *
 * What events have no field for is in their `metadata`, under `aiSdk`. With the extension on both sides, the events are
 * exactly those that {@link toUiMessageStream} was given.
 *
 * Diagnostics:
 *
 * - `invalid-event`: the input is not a chunk, or the extension holds an invalid event; `detail` lists the issues
 * - `dropped:<type>`: the chunk was dropped; `detail.reason` is `unknown-kind`, `after-end`, `repeated`,
 *   `not-started`, `other-task`, `invalid-content`, `extension` for `data-turnstream` without that option, or
 *   `no-equivalent` for `data-file`, whose file follows, and for
 *   `steering-message`, which `detail` has
 * - `lossy:<field>`: the field was dropped or changed; `detail` has it
 * - `lossy:request`: the option `request` is about another message than the task that waits
 * - `lossy:reset-step`: the step begins again after its calls have started; they stay
 * - `inferred:<what>`: the stream lacks what events require, such as the type of a thought
 * - `gap`: the stream ended before the message did
 * - `state-evicted`: more than 1024 items of one sort
 *
 * @throws TypeError if an option is invalid; later if `now` returns no valid time, or `newId` no id.
 *
 * @example
 * ```ts
 * const reader = pipe(jsonDecoder(), fromUiMessageStream({ contextId }))
 * for await (const event of iterate(reader, response.body)) handle(event)
 * ```
 */
export function fromUiMessageStream(
  options: FromUiMessageStreamOptions = {},
): Machine<
  MachineState<'fromUiMessageStream'>,
  UiMessageChunk | UnknownUiMessageChunk | JsonMessage,
  ContextAnyEvent
> {
  requireOnly('options', options, [
    'taskId',
    'contextId',
    'request',
    'newId',
    'now',
    'showErrors',
    'extension',
  ])
  const { taskId, contextId, newId = randomId, now = Date.now, showErrors, extension = false } = options
  optional(requireText, 'taskId', taskId)
  optional(requireText, 'contextId', contextId)
  requireFunction('newId', newId)
  requireFunction('now', now)
  requireBoolean('extension', extension)
  optional(requireBoolean, 'showErrors', showErrors)
  const posted = options.request === undefined ? undefined : postedIn(options.request)
  const reading: ReaderOptions = { taskId, contextId, newId, clock: () => readClock(now), posted }
  const machine: Machine<FromUiState, UiMessageChunk | UnknownUiMessageChunk, ContextAnyEvent> = {
    initial: initialState,
    step(state, input) {
      const writer = messageWriter(state, reading)
      const decoded = decodeUiMessageChunk(input)
      const isExtension = decoded.status === 'known' && decoded.event.type === EXTENSION_TYPE
      if (state.skip > 0 && !isExtension) writer.state.skip--
      else if (decoded.status === 'known') readChunk(writer, decoded.event, extension)
      else reportUndecoded(writer, decoded)
      return writer.done()
    },
    end(state) {
      const writer = messageWriter(state, reading)
      startHeldCall(writer)
      if (state.error !== null) fail(writer)
      else if (state.phase === 'open') {
        endTexts(writer)
        writer.diagnostic('gap', 'The stream ended before its finish.', { detail: { taskId: state.taskId } })
      }
      return writer.done()
    },
  }
  return reader(['AI SDK'], machine, { isTrusted: extension, showErrors })
}

function readChunk(writer: MessageWriter, chunk: UiMessageChunk, hasExtension: boolean): void {
  const carried = readExtension(chunk)
  if (carried !== undefined) {
    if (hasExtension) readCarried(writer, carried)
    else writer.dropped(chunk.type, 'extension', 'The option "extension" is not set.')
    return
  }
  reportUnknownFields(writer, chunk)
  mapChunk(writer, chunk)
}

/** Emits a whole event; its chunks are skipped. An event that cannot be read is read from its chunks. */
function readCarried(writer: MessageWriter, { event: value, chunks }: CarriedEvent): void {
  const { state, options } = writer
  state.skip = 0
  if (value === undefined) {
    state.skip = chunks
    return
  }
  const { contextId } = options
  const decoded = decodeEvent(isFields(value) && contextId !== undefined ? { ...value, contextId } : value)
  if (decoded.status !== 'known') {
    reportUndecoded(writer, decoded)
    return
  }
  state.skip = chunks
  const { event } = decoded
  writer.emit(event)
  state.time = event.timestamp
  if (state.phase === 'new' && event.parentTaskId === undefined) {
    state.phase = 'open'
    state.taskId = event.taskId
    state.contextId = event.contextId
  }
  if (event.taskId === state.taskId && state.phase !== 'ended') state.phase = phaseAfter(event) ?? state.phase
}

/** The phase after an event of the task itself; `undefined` if it stays. */
function phaseAfter(event: ContextAnyEvent): 'open' | 'waiting' | 'ended' | undefined {
  if (isTaskEnd(event)) return 'ended'
  if (event.kind !== 'task-status') return undefined
  return event.status.startsWith('waiting-') ? 'waiting' : 'open'
}

/** Reports the fields that no version defines. */
function reportUnknownFields(writer: MessageWriter, chunk: UiMessageChunk): void {
  const shape = Object.hasOwn(chunkShapes, chunk.type) ? chunkShapes[chunk.type] : dataShape
  for (const field in chunk) {
    if (field === 'type' || (shape !== undefined && Object.hasOwn(shape, field))) continue
    if (!Object.hasOwn(chunk, field) || writer.diagnostics.length >= MAX_DIAGNOSTICS) continue
    writer.lossy(
      field,
      `No version of ${chunk.type} has the field ${field}.`,
      chunk[field as keyof typeof chunk],
    )
  }
}
