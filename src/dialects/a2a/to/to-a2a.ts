/** From turnstream events to A2A. */

import type { Machine, Step } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireBoolean, requireObject, requireOneOf, requireOnly } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isInternal } from '../../../events/guards.ts'
import { defaultViewer, type Viewer } from '../../../streams/access/viewer.ts'
import { guarded } from '../../shared/guarded.ts'
import { isInterrupted } from '../wire/model.ts'
import { serializeItem } from '../wire/serialize.ts'
import { type A2aEvent, type A2aVersion, requireVersion } from '../wire/version.ts'
import { A2aWriter, type CloseText } from './a2a-writer.ts'
import { reportLostFields } from './coverage.ts'
import { initialState, type ToA2aState } from './state.ts'
import { reportUnwritten } from './write-artifact.ts'
import { writeArtifactDelta } from './write-change.ts'
import { writeContentComplete, writeContentDelta, writeContentReplace } from './write-content.ts'
import { writeDatasetWrite, writeDataWrite } from './write-data.ts'
import { writeFileWrite } from './write-files.ts'
import { writeAuthEnd, writeAuthRequired, writeInputEnd, writeInputRequired } from './write-requests.ts'
import {
  failureParts,
  flushDeferredStatus,
  writeTaskComplete,
  writeTaskCreated,
  writeTaskStatus,
} from './write-task.ts'

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
   * How streamed text is completed. `empty-part` appends an empty part. `snapshot` replaces the text with the
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
export interface ToA2aEnd {
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
 * - `gap`: deltas or chunks are missing, or a `content-complete` differs from the text of its deltas
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

  const done = (writer: A2aWriter): Step<ToA2aState<V>, A2aEvent<V>> => {
    const { diagnostics } = writer
    const state = writer.state as ToA2aState<V>
    const out = writer.out.map((update) => serializeItem(version, update))
    return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
  }
  const machine: Machine<ToA2aState<V>, ContextAnyEvent, A2aEvent<V>, ToA2aEnd> = {
    initial: initialState(version, extension),
    step(state, event) {
      const writer = new A2aWriter(state, closeText)
      if (accepts(writer, event)) writeEvent(writer, event)
      return done(writer)
    },
    end(state, reason = {}) {
      requireObject('reason', reason)
      const { unfinished = 'fail' } = reason
      requireOneOf('unfinished', unfinished, ['fail', 'keep'])
      const writer = new A2aWriter(state, closeText)
      writeEnd(writer, unfinished)
      return done(writer)
    },
  }
  return opaque(guarded(viewer, machine, { joinsText: true }))
}

/** Whether the event is to be written; otherwise reports why it is dropped. */
function accepts(writer: A2aWriter, event: ContextAnyEvent): boolean {
  const { task, phase } = writer.state
  if (isInternal(event)) {
    writer.dropped(event.kind, 'no-equivalent', 'Internal events are never sent to clients.')
  } else if (task !== null && event.taskId !== task.id) {
    writer.dropped(event.kind, 'other-task', `Expected an event of task ${task.id}, got ${event.taskId}.`)
  } else if (phase === 'ended') dropAfterEnd(writer, event)
  else return true
  return false
}

function dropAfterEnd(writer: A2aWriter, { kind }: ContextAnyEvent): void {
  writer.dropped(kind, 'after-end', `${kind} after the end of the task.`)
}

function writeEvent(writer: A2aWriter, event: ContextAnyEvent): void {
  const { deferredStatus } = writer.state
  const awaited = deferredStatus?.state === 'completed' ? 'task-complete' : 'input-required'
  if (deferredStatus !== null && event.kind !== awaited) {
    flushDeferredStatus(writer)
    if (writer.state.phase === 'ended') {
      dropAfterEnd(writer, event)
      return
    }
  }
  if (event.kind !== 'task-created' && writer.state.phase === 'new') writer.createTask(event)
  writer.carry(event)
  writeKind(writer, event)
  writer.carryRest(event)
  if (!writer.hasExtension && !writer.isDropped) reportLostFields(writer, event)
}

function writeKind(writer: A2aWriter, event: ContextAnyEvent): void {
  switch (event.kind) {
    case 'task-created':
      writeTaskCreated(writer, event)
      break
    case 'task-status':
      writeTaskStatus(writer, event)
      break
    case 'task-complete':
      writeTaskComplete(writer, event)
      break
    case 'content-delta':
      writeContentDelta(writer, event)
      break
    case 'content-complete':
      writeContentComplete(writer, event)
      break
    case 'content-replace':
      // With the extension, the event itself is there, and its text is that of the end.
      if (writer.hasExtension) writer.noEquivalent(event)
      else writeContentReplace(writer, event)
      break
    case 'input-required':
      writeInputRequired(writer, event)
      break
    case 'input-received':
    case 'input-canceled':
      writeInputEnd(writer, event)
      break
    case 'auth-required':
      writeAuthRequired(writer, event)
      break
    case 'auth-completed':
    case 'auth-failed':
      writeAuthEnd(writer, event)
      break
    case 'file-write':
      writeFileWrite(writer, event)
      break
    case 'data-write':
      writeDataWrite(writer, event)
      break
    case 'dataset-write':
      writeDatasetWrite(writer, event)
      break
    case 'artifact-delta':
      writeArtifactDelta(writer, event)
      break
    default:
      writer.noEquivalent(event)
  }
}

function writeEnd(writer: A2aWriter, unfinished: 'fail' | 'keep'): void {
  flushDeferredStatus(writer)
  const { phase, status } = writer.state
  if (phase === 'new' || phase === 'ended') return
  writer.flushHeld()
  reportUnwritten(writer)
  if (phase === 'paused' || isInterrupted(status.state) || unfinished === 'keep') return
  const parts = failureParts('The agent stopped before the task ended.', {
    code: 'internal',
    message: 'The agent stopped before the task ended.',
    retry: 'retryable',
  })
  writer.state.status = { state: 'failed', message: writer.createMessage(undefined, parts) }
  writer.emitStatus()
  writer.endTask()
}
