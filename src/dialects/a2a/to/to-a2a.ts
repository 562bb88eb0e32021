/** From turnstream events to A2A. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireBoolean, requireObject, requireOneOf, requireOnly } from '../../../core/require.ts'
import type { ContextAnyEvent, ContextEvent, EventKind, EventOf } from '../../../events/event.ts'
import { isInternal } from '../../../events/kinds.ts'
import { isBareEnd } from '../../../events/task-end.ts'
import { defaultViewer, type Viewer } from '../../../streams/access/viewer.ts'
import { sendAllWaiting, sendWaiting } from '../../engine/artifact-changes.ts'
import { dropAfterEnd, dropOfOtherTask } from '../../engine/drop.ts'
import { takeItems } from '../../engine/end-items.ts'
import type { ItemEvent } from '../../engine/item.ts'
import { writeItem } from '../../engine/write-item.ts'
import { guarded } from '../../shared/guarded.ts'
import { isInterrupted } from '../wire/model.ts'
import { type A2aEvent, type A2aVersion, requireVersion } from '../wire/version.ts'
import { A2aWriter, type CloseText } from './a2a-writer.ts'
import { initialState, type ToA2aState } from './state.ts'
import { reportUnwritten } from './write-artifact.ts'
import { changeFormat, writeArtifactDelta } from './write-change.ts'
import { writeDatasetWrite, writeDataWrite } from './write-data.ts'
import { writeFileWrite } from './write-files.ts'
import {
  withoutCredentials,
  writeAuthEnd,
  writeAuthRequired,
  writeInputEnd,
  writeInputRequired,
} from './write-requests.ts'
import {
  endTask,
  failureParts,
  flushDeferredStatus,
  writeTaskComplete,
  writeTaskCreated,
  writeTaskStatus,
} from './write-task.ts'
import { formats, reportEmptyTexts } from './write-text.ts'

/** Options of {@link toA2a}. */
export interface ToA2aOptions<V extends A2aVersion> {
  /** The A2A version to write: the one the client asked for in `A2A-Version`. */
  readonly version: V
  /**
   * Whether updates carry the events that A2A has no equivalent for (thoughts, tools, subtasks, …) in their
   * metadata, under {@link a2aExtensionUri}. Use it only for clients that activated the extension.
   *
   * @defaultValue `false`
   */
  readonly extension?: boolean
  /**
   * How streamed text is completed. `empty-part` appends what the deltas lacked, or an empty part. `snapshot` replaces the text with the
   * whole text: it corrects a client that missed a delta, but a client that always appends shows the text
   * twice.
   *
   * @defaultValue `'empty-part'`
   */
  readonly closeText?: CloseText
  /**
   * Who reads the items: events that this viewer may not see are dropped, fields removed.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer
}

/** How {@link toA2a} handles the end of its input. */
export type ToA2aEnd = {
  /**
   * `fail` marks a task that has not ended as failed, so that clients stop waiting; `keep` leaves it open to
   * resume later. A task that waits for input or authentication always stays open.
   *
   * @defaultValue `'fail'`
   */
  readonly unfinished?: 'fail' | 'keep'
}

/**
 * Maps the events of one task to A2A stream responses.
 *
 * Use one machine per task; {@link demuxTasks} splits a stream of several tasks. The first item is the task.
 * Each segment of text is an artifact of its own. An item for which {@link isA2aStreamEnd} is true ends its stream;
 * later items belong to the next stream of the task, which starts with the task again.
 *
 * With the extension, `completed` without content of its own waits for the `task-complete` that follows it, and an event
 * that changes nothing that A2A shows, such as `waiting-input` after its `input-required`, for the next item. `end` sends
 * what waits.
 *
 * Diagnostics:
 *
 * - `dropped:<kind>`: the event is left out; `detail.reason` is `no-equivalent`, `unknown-kind`, `audience`,
 *   `other-task`, `after-end`, `repeated`, `out-of-order`, `invalid-content` if a patch cannot be applied, or `waiting` if
 *   the task waits and a new status would replace its prompt; see {@link a2aCoverage}
 * - `lossy:<field>`: the field is left out or changed; see {@link a2aLosses}
 * - `invalid-event`: the input is not a valid event; `detail` lists the issues
 * - `gap`: deltas are missing, so that what follows is sent with the whole text; or the whole does not come, and `detail`
 *   states how many characters are `lost`; or chunks are missing
 * - `state-evicted`: an artifact is too large, or there are too many, to be part of {@link a2aSnapshot}; or there are too
 *   many open requests
 *
 * @throws TypeError if an option, or `unfinished` at the end, has an unsupported value.
 *
 * @example
 * ```ts
 * const mapper = run(toA2a({ version: '1.0' }))
 * for await (const event of events) for (const item of mapper.push(event)) send(wrapJsonRpc(requestId, item))
 * for (const item of mapper.end()) send(wrapJsonRpc(requestId, item))
 * ```
 *
 * @see docs/spec/internal-event-protocol.md#mapping-to-a2a
 */
export function toA2a<V extends A2aVersion>(
  options: ToA2aOptions<V>,
): Machine<MachineState<'toA2a', { readonly version: V }>, ContextAnyEvent, A2aEvent<V>, ToA2aEnd> {
  requireOnly('options', options, ['version', 'extension', 'closeText', 'viewer'])
  const { version, extension = false, closeText = 'empty-part', viewer = defaultViewer } = options
  requireVersion(version)
  requireBoolean('extension', extension)
  requireOneOf('closeText', closeText, ['empty-part', 'snapshot'])

  const machine: Machine<ToA2aState, ContextAnyEvent, A2aEvent, ToA2aEnd> = {
    initial: initialState(version, extension),
    step(state, event) {
      const writer = new A2aWriter(state, closeText, event)
      if (accepts(writer, event)) writeEvent(writer, event)
      return writer.done()
    },
    end(state, reason = {}) {
      requireObject('reason', reason)
      const { unfinished = 'fail' } = reason
      requireOneOf('unfinished', unfinished, ['fail', 'keep'])
      const writer = new A2aWriter(state, closeText)
      writeEnd(writer, unfinished)
      return writer.done()
    },
  }
  // What it writes is of the version of its state.
  return opaque(
    guarded(viewer, machine as unknown as Machine<ToA2aState<V>, ContextAnyEvent, A2aEvent<V>, ToA2aEnd>),
  )
}

/** Whether the event is to be written; otherwise reports why it is dropped. Sends the status that waits for another one. */
function accepts(writer: A2aWriter, event: ContextAnyEvent): boolean {
  const { task, phase, deferredStatus } = writer.state
  if (isInternal(event)) {
    writer.dropped(event.kind, 'no-equivalent', 'Internal events are never sent to clients.')
    return false
  }
  if (dropOfOtherTask(writer, phase === 'new' ? null : task.id, event)) return false
  const awaited = deferredStatus?.state === 'completed' ? 'task-complete' : 'input-required'
  if (event.kind !== awaited) flushDeferredStatus(writer)
  if (writer.state.phase === 'ended' && (writer.hasExtension || !isBareEnd(event)))
    dropAfterEnd(writer, event)
  return writer.state.phase !== 'ended'
}

function writeEvent(writer: A2aWriter, event: ContextAnyEvent): void {
  if (event.kind !== 'task-created' && writer.state.phase === 'new') writer.createTask(event)
  const mayEnd = event.kind.startsWith('task-') || event.kind === 'input-required'
  if (mayEnd) sendAllWaiting(writer, changeFormat)
  else if (writer.state.phase === 'open') sendWaiting(writer, changeFormat)
  const write = writers[event.kind] as ((writer: A2aWriter, event: ContextAnyEvent) => void) | undefined
  if (writer.hasExtension)
    writer.carry(event.kind === 'auth-completed' ? withoutCredentials(writer, event) : event)
  write?.(writer, event)
  writer.carryRest()
  // All fields of a request are in the data of its message.
  if (event.kind !== 'input-required' && event.kind !== 'auth-required') writer.reportLost(event)
}

type Writers = { readonly [K in EventKind]?: (writer: A2aWriter, event: ContextEvent<EventOf<K>>) => void }

const text = (writer: A2aWriter, event: ItemEvent): void => writeItem(writer, formats, event)

const writers: Writers = {
  'task-created': writeTaskCreated,
  'task-status': writeTaskStatus,
  'task-complete': writeTaskComplete,
  'content-delta': text,
  'content-complete': text,
  'content-replace': text,
  // What was sent stays; what the response writes next is a text of its own, and not the rest of this one.
  'iteration-reset': (writer, { taskId, iteration }) => takeItems(writer, taskId, iteration),
  'input-required': writeInputRequired,
  'input-received': writeInputEnd,
  'input-canceled': writeInputEnd,
  'auth-required': writeAuthRequired,
  'auth-completed': writeAuthEnd,
  'auth-failed': writeAuthEnd,
  'file-write': writeFileWrite,
  'data-write': writeDataWrite,
  'dataset-write': writeDatasetWrite,
  'artifact-delta': writeArtifactDelta,
}

function writeEnd(writer: A2aWriter, unfinished: 'fail' | 'keep'): void {
  flushDeferredStatus(writer)
  const { phase, status, task } = writer.state
  if (phase === 'new' || phase === 'ended') return
  sendAllWaiting(writer, changeFormat)
  writer.flushHeld()
  if (phase === 'paused' || isInterrupted(status.state) || unfinished === 'keep') {
    reportEmptyTexts(writer, task.id)
    reportUnwritten(writer)
    return
  }
  const parts = failureParts('The agent stopped before the task ended.', {
    code: 'internal',
    message: 'The agent stopped before the task ended.',
    retry: 'retryable',
  })
  endTask(writer, task.id, writer.statusOf('failed', writer.createMessage(parts)))
}
