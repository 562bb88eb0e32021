/** From our events to A2A. */

import type { UnknownEvent } from '../../../core/decoded.ts'
import type { Machine, Step } from '../../../core/machine.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isInternal } from '../../../events/guards.ts'
import { isFields } from '../../../validation/predicates.ts'
import { isInterrupted } from '../wire/model.ts'
import { writeV03 } from '../wire/serialize-v0-3.ts'
import { writeV1 } from '../wire/serialize-v1.ts'
import { type A2aEvent, type A2aVersion, requireVersion } from '../wire/version.ts'
import { type Settings, Turn } from './a2a-writer.ts'
import { reportLossyFields } from './coverage.ts'
import { initialState, type ToA2aState } from './state.ts'
import { sayContentComplete, sayContentDelta } from './write-content.ts'
import { sayArtifactDelta, sayDatasetWrite, sayDataWrite, sayFileWrite } from './write-files.ts'
import { sayAuthEnd, sayAuthRequired, sayInputEnd, sayInputRequired } from './write-requests.ts'
import { failure, sayLater, sayTaskComplete, sayTaskCreated, sayTaskStatus } from './write-task.ts'

/** Settings of {@link toA2a}. */
export interface ToA2aOptions<V extends A2aVersion> {
  /** The version to write: what the client asked for in `A2A-Version`. */
  readonly version: V
  /**
   * Whether everything A2A has no words for (thoughts, tools, subtasks, …) travels along in the
   * metadata of updates, under {@link a2aExtensionUri}. Only with a client that activated the
   * extension. Default: `false`.
   */
  readonly extension?: boolean
  /**
   * How text that was streamed is finished: with an `empty-part` that adds nothing, or with a
   * `snapshot` that replaces what was streamed by the whole text. A client that only appends shows
   * a snapshot as a repetition; one that missed a piece is healed by it. Default: `empty-part`.
   */
  readonly closeText?: 'empty-part' | 'snapshot'
}

/** What the end of a stream means. */
export interface ToA2aEnd {
  /**
   * What becomes of a task that has not ended: it is said to have failed, so that clients stop
   * waiting (`fail`), or it is left as it is, to go on later (`keep`). A task that waits for input
   * or authentication is always left as it is. Default: `fail`.
   */
  readonly unfinished?: 'fail' | 'keep'
}

/**
 * Says the events of one task in A2A: what an agent's server streams to its client.
 *
 * One machine per task; {@link demuxTasks} splits a stream of several. The first item is the task
 * itself. Where {@link isA2aStreamEnd} is true of an item, its stream is over; what comes after it
 * belongs to the next stream of the task and begins with the task again.
 *
 * What is not said is reported as `dropped:<kind>` (with a `reason` in its `detail`), what is said
 * without a field as `lossy:<field>`; see {@link a2aCoverage}. `gap`: deltas or chunks are missing.
 * `content-mismatch`: a `content-complete` is not what its deltas make. `snapshot-limit`: an
 * artifact is too large to be part of {@link a2aSnapshot}.
 *
 * @example
 * ```ts
 * const mapper = run(toA2a({ version: '1.0' }))
 * for (const item of mapper.push(event)) send(wrapJsonRpc(requestId, item))
 * ```
 *
 * @see docs/spec/internal-event-protocol.md#mapping-to-a2a
 */
export function toA2a<V extends A2aVersion>(
  options: ToA2aOptions<V>,
): Machine<ToA2aState<V>, ContextAnyEvent, A2aEvent<V>, ToA2aEnd> {
  const { version, extension = false, closeText = 'empty-part' } = options
  requireVersion(version)
  if (closeText !== 'empty-part' && closeText !== 'snapshot') {
    throw new TypeError(`closeText must be 'empty-part' or 'snapshot', not ${JSON.stringify(closeText)}.`)
  }
  const settings: Settings = { extension, closeText }
  const write = version === '0.3' ? writeV03 : writeV1

  const finish = ({ state, updates, diagnostics }: Turn): Step<ToA2aState<V>, A2aEvent<V>> => {
    const step = { state: state as ToA2aState<V>, out: updates.map((update) => write(update) as A2aEvent<V>) }
    return diagnostics.length === 0 ? step : { ...step, diagnostics }
  }
  return {
    initial: initialState(version),
    step(state, input) {
      const turn = new Turn(state, settings)
      const event = known(turn, input)
      if (event !== undefined) sayEvent(turn, event)
      return finish(turn)
    },
    end(state, how) {
      const turn = new Turn(state, settings)
      sayEnd(turn, how?.unfinished ?? 'fail')
      return finish(turn)
    },
  }
}

/** The input when it is an event that may be said; otherwise a diagnostic says what it is. */
function known(turn: Turn, input: ContextAnyEvent | UnknownEvent): ContextAnyEvent | undefined {
  const decoded = decodeEvent(input)
  if (decoded.status === 'invalid') {
    const kind = isFields(input) && typeof input.kind === 'string' ? input.kind : 'invalid'
    turn.diagnostic(`dropped:${kind}`, 'Not a valid event.', { reason: 'invalid', issues: decoded.issues })
    return undefined
  }
  if (decoded.status === 'unknown') {
    turn.drop(decoded.event, 'no-equivalent', `The kind ${decoded.kind} is not known.`)
    return undefined
  }
  const { event } = decoded
  const { task, phase } = turn.state
  if (isInternal(event)) {
    turn.drop(event, 'no-equivalent', 'Internal events never leave the agent.')
  } else if (task !== undefined && event.taskId !== task.id) {
    turn.drop(event, 'other-task', `The stream is that of the task ${task.id}, not ${event.taskId}.`)
  } else if (phase === 'ended') {
    turn.drop(event, 'task-ended', 'The task has ended; nothing may follow.')
  } else {
    return event
  }
  return undefined
}

function sayEvent(turn: Turn, event: ContextAnyEvent): void {
  const { later } = turn.state
  const resolves = later?.state === 'completed' ? 'task-complete' : 'input-required'
  if (later !== undefined && event.kind !== resolves) {
    sayLater(turn)
    if (turn.state.phase === 'ended') {
      turn.drop(event, 'task-ended', 'The task has ended; nothing may follow.')
      return
    }
  }
  if (event.kind !== 'task-created') turn.ensureTask(event)
  sayKind(turn, event)
  if (!turn.settings.extension && !turn.dropped) reportLossyFields(turn, event)
}

function sayKind(turn: Turn, event: ContextAnyEvent): void {
  switch (event.kind) {
    case 'task-created':
      sayTaskCreated(turn, event)
      break
    case 'task-status':
      sayTaskStatus(turn, event)
      break
    case 'task-complete':
      sayTaskComplete(turn, event)
      break
    case 'content-delta':
      sayContentDelta(turn, event)
      break
    case 'content-complete':
      sayContentComplete(turn, event)
      break
    case 'input-required':
      sayInputRequired(turn, event)
      break
    case 'input-received':
    case 'input-canceled':
      sayInputEnd(turn, event)
      break
    case 'auth-required':
      sayAuthRequired(turn, event)
      break
    case 'auth-completed':
    case 'auth-failed':
      sayAuthEnd(turn, event)
      break
    case 'file-write':
      sayFileWrite(turn, event)
      break
    case 'data-write':
      sayDataWrite(turn, event)
      break
    case 'dataset-write':
      sayDatasetWrite(turn, event)
      break
    case 'artifact-delta':
      sayArtifactDelta(turn, event)
      break
    default:
      turn.carryOnly(event)
  }
}

function sayEnd(turn: Turn, unfinished: 'fail' | 'keep'): void {
  sayLater(turn)
  const { phase, status } = turn.state
  if (phase === 'new' || phase === 'ended') return
  turn.release()
  if (phase === 'paused' || isInterrupted(status.state) || unfinished === 'keep') return
  const parts = failure('The agent stopped before the task ended.', {
    code: 'internal',
    message: 'The agent stopped before the task ended.',
    retry: 'retryable',
  })
  turn.state.status = { state: 'failed', message: turn.message(undefined, parts) }
  turn.restate(undefined)
  turn.close()
}
