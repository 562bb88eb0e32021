/** Start and end of a round of the session, which maps to a task. */
import { checkEvent } from '../../../events/checks.generated.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { textOf } from '../wire/coerce.ts'
import { closeCalls } from './calls.ts'
import { closeSegments } from './content.ts'
import { metadataField, type RoundWriter } from './round-writer.ts'
import { type FromSessionState, initialState } from './state.ts'

/** Starts a round. */
export function startRound(writer: RoundWriter, input: unknown, stage: FromSessionState['stage']): void {
  const { core, state } = writer
  const roundCount = state.roundCount + 1
  const preserved = core?.taskId
  const isPreserved = typeof preserved === 'string' && preserved !== ''
  const taskId = isPreserved ? preserved : `${state.contextId}/round-${roundCount}`
  const { contextId, calls, timestamp } = state
  writer.update({ ...initialState, contextId, calls, timestamp, roundCount, taskId, stage })
  const { model } = writer.metadata
  const metadata = {
    ...(input !== undefined && { input }),
    ...(typeof model === 'string' && model !== '' && { model }),
  }
  const derived = { initiator: 'user', ...metadataField(metadata) }
  writer.emitEvent('task-created', {}, derived, core?.initiator === undefined ? undefined : core)
}

/** Starts a round if none is open, such as after joining a session late. */
export function ensureRound(writer: RoundWriter): void {
  if (writer.isOpen) return
  const { event } = writer.event
  writer.inferred(
    'task-created',
    `Expected user.message or plan.start before ${event}; a task-created was inferred.`,
  )
  startRound(writer, undefined, 'planned')
}

/** Ends the open round. */
export function finishRound(
  writer: RoundWriter,
  status: 'completed' | 'failed' | 'canceled',
  derived: object = {},
): void {
  closeSegments(writer)
  closeCalls(writer, status === 'completed')
  const preserved = preservedEnding(writer.core?.ending)
  for (const { kind, timestamp, ...fields } of preserved) {
    writer.update({ timestamp })
    writer.emitEvent(kind, fields, {})
  }
  if (preserved.length === 0) {
    writer.emitEvent('task-status', { status }, derived)
    const { answer } = writer.state
    if (status === 'completed' && answer !== null) writer.emitEvent('task-complete', {}, answer)
  }
  writer.update({ taskId: null, answer: null })
}

/** Ends the open round, if any, without an event of its own that ends it. */
export function closeRound(writer: RoundWriter): void {
  const { stage, answer } = writer.state
  if (!writer.isOpen) return
  const isDone = stage === 'ending' || answer !== null
  if (!isDone)
    writer.inferred(
      'task-status',
      'The round has neither an end nor an answer; status canceled was inferred.',
    )
  finishRound(writer, isDone ? 'completed' : 'canceled')
}

type EndEvent = { kind: 'task-status' | 'task-complete'; timestamp: string }

/** The valid events that ended the task in the core vocabulary: at most one of each kind. */
function preservedEnding(ending: unknown): EndEvent[] {
  const list: unknown[] = Array.isArray(ending) ? ending.slice(0, 2) : []
  const events = list.filter(
    (event): event is EndEvent & Fields =>
      isFields(event) &&
      (event.kind === 'task-complete' ||
        (event.kind === 'task-status' && /^(completed|failed|canceled)$/.test(textOf(event.status)))) &&
      checkEvent(event.kind, event) === true,
  )
  return events[0]?.kind === events[1]?.kind ? events.slice(0, 1) : events
}
