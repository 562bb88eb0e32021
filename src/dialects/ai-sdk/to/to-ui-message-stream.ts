/** From turnstream events to a UI message stream of the AI SDK. */

import type { Machine, Step } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { mismatch, requireBoolean, requireObject, requireOneOf, requireOnly } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { defaultViewer, type Viewer } from '../../../streams/access/viewer.ts'
import { guarded } from '../../shared/guarded.ts'
import { oneIdSpace } from '../../shared/wire-ids.ts'
import { toExtension } from '../wire/extension.ts'
import type { AiSdkVersion, UiMessageChunk } from '../wire/types.ts'
import { ChunkWriter, type WriterOptions } from './chunk-writer.ts'
import { initialState, type ToUiState } from './state.ts'
import { hasNoItems, writeEvent } from './write-event.ts'
import { endStream } from './write-task.ts'

/** Options of {@link toUiMessageStream}. */
export interface ToUiMessageStreamOptions {
  /**
   * The version of the AI SDK that reads the stream: that of the package `ai` of the page. A reader ends the message at
   * a chunk that its version does not know.
   *
   * @defaultValue `7`
   */
  readonly version?: AiSdkVersion
  /**
   * The names of the tools that the page has types for: their parts are `tool-<name>`. The parts of other tools are
   * `dynamic-tool`.
   *
   * @defaultValue none
   */
  readonly tools?: readonly string[]
  /**
   * Whether each event is also sent as a whole, in a transient `data-turnstream` chunk before its own chunks, so that
   * {@link fromUiMessageStream} restores it without loss. Pages ignore these chunks.
   *
   * @defaultValue `false`
   */
  readonly extension?: boolean
  /**
   * Who reads the stream: events that this viewer may not see are dropped, fields removed.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer
}

/** How {@link toUiMessageStream} handles the end of its input. */
export type ToUiMessageStreamEnd = {
  /**
   * `fail` reports a task that has not ended as an `error`, so that the page does not show a part of the answer as all
   * of it; `keep` leaves the message as it is, to be continued. A task that waits for the user, itself or through its
   * subtasks, has not failed.
   *
   * @defaultValue `'fail'`
   */
  readonly unfinished?: 'fail' | 'keep'
}

/**
 * Maps the events of one task to the chunks of one message, as `useChat` and `readUIMessageStream` of the AI SDK read
 * them. Never throws on data.
 *
 * | event | chunks |
 * |---|---|
 * | `task-created` | `start` with the `taskId` as `messageId`, `start-step` |
 * | `content-delta`, `content-complete` | `text-start`, `text-delta`, `text-end`; sources as `source-url` and `citations` |
 * | `content-replace` | `reset-step` and the step again, if it has only texts and thoughts; otherwise the new text follows the old one |
 * | `iteration-reset` | `reset-step`, unless calls of the step have started or it has data; version 7 only |
 * | `thought-delta`, `thought-stream` | `reasoning-start`, `reasoning-delta`, `reasoning-end` |
 * | `tool-arguments-delta`, `tool-start` | `tool-input-start`, `tool-input-delta`, `tool-input-available` |
 * | `tool-progress` | output as a preliminary `tool-output-available`, the rest as transient `data-tool-progress` |
 * | `tool-complete` | `tool-output-available`, `tool-output-error`, `tool-output-denied` |
 * | arguments that are cut off | `tool-input-error` |
 * | `input-required` about a tool call | `tool-approval-request`, after the input of the call |
 * | other requests and their answers | `data-input` and `data-auth`, with the id of the request |
 * | `file-write` | `file` with a `data:` URL when the file is complete |
 * | `data-write`, `dataset-write`, `artifact-delta` | `data-<name>` with the id of the artifact, each time whole |
 * | `custom` | `data-<name>` |
 * | events of subtasks | `data-subtask` with the id of the task; requests, the calls they ask to approve, artifacts and custom events as those of the task |
 * | `task-error` | `data-error`: the page continues |
 * | `task-status` `failed`, `canceled` | `error`, `abort` |
 * | `task-status` `waiting-input`, `waiting-auth`, `waiting-subtask` once no subtask works and one waits for the user | `finish` with `tool-calls`; what follows continues the message |
 * | `completed`, `task-complete` | `finish` |
 *
 * A changed artifact is sent whole: with the change, or later if it is large and changes often, at the latest before the
 * message ends or pauses. A step begins with each `iteration`; where it is not stated,
 * a step begins where the model writes after a call has ended. What chunks have no field for is in their
 * `providerMetadata`, under `turnstream`. Use one machine for each message; further root tasks are dropped.
 *
 * Diagnostics:
 *
 * - `dropped:<kind>`: the event was dropped; `detail.reason` is `no-equivalent`, `unknown-kind`, `audience`, `other-task`,
 *   `after-end`, `repeated`, `out-of-order`, `not-started`, or `invalid-content` for a patch that cannot be applied or an
 *   artifact of more than 8 Mi characters
 * - `lossy:<field>`: the field was dropped or changed, see {@link aiSdkLosses}; `path` leads to it. What only numbers, dates
 *   or places an event is lost without a report
 * - `inferred:start`: the stream lacks its `task-created`
 * - `gap`: deltas, chunks of an artifact, or the result of a call are missing, or the stream ended before its task; what follows
 *   a missing delta is sent with the whole
 * - `invalid-event`: the event was dropped; `detail` lists its issues
 * - `state-evicted`: more than 1024 open items, or other entries of one sort
 *
 * @throws TypeError if an option, or `unfinished` at the end, has an unsupported value.
 *
 * @example
 * ```ts
 * const { push, end } = run(toUiMessageStream())
 * for (const chunk of push(event)) response.write(encodeUiMessageChunk(chunk))
 * ```
 */
export function toUiMessageStream(
  options: ToUiMessageStreamOptions = {},
): Machine<MachineState<'toUiMessageStream'>, ContextAnyEvent, UiMessageChunk, ToUiMessageStreamEnd> {
  requireOnly('options', options, ['version', 'tools', 'extension', 'viewer'])
  const { version = 7, tools = [], extension = false, viewer = defaultViewer } = options
  requireOneOf('version', version, [5, 6, 7])
  if (!Array.isArray(tools) || !tools.every((name) => typeof name === 'string')) {
    throw mismatch('tools', 'an array of names', tools)
  }
  requireBoolean('extension', extension)
  const writing: WriterOptions = { version, tools: new Set(tools), hasExtension: extension }
  /** The step, with the event before its chunks. */
  const done = <State>(
    step: Step<State, UiMessageChunk>,
    event?: ContextAnyEvent,
  ): Step<State, UiMessageChunk> => {
    if (!extension || (event === undefined && step.out.length === 0)) return step
    return { ...step, out: [toExtension(event, step.out.length), ...step.out] }
  }
  const written = oneIdSpace<ToUiState, UiMessageChunk, ToUiMessageStreamEnd>(
    {
      initial: initialState,
      step(state, event) {
        const writer = new ChunkWriter(state, writing)
        writeEvent(writer, event)
        return writer.done()
      },
      end(state, reason = {}) {
        requireObject('reason', reason)
        const { unfinished = 'fail' } = reason
        requireOneOf('unfinished', unfinished, ['fail', 'keep'])
        const writer = new ChunkWriter(state, writing)
        endStream(writer, unfinished)
        return writer.done()
      },
    },
    hasNoItems,
  )
  const machine: typeof written = {
    initial: written.initial,
    step: (state, event) => done(written.step(state, event), event),
    end: (state, reason) => done(written.end(state, reason)),
  }
  return opaque(guarded(viewer, machine))
}
