/** Start and end of a round of the session, which maps to a task. */

import { markOf } from '../../../encoding/text-mark.ts'
import { checkEvent } from '../../../events/decode.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { textOf } from '../wire/coerce.ts'
import { failCalls } from './calls.ts'
import type { Conversion, RoundWriter } from './round-writer.ts'
import { betweenRounds, type RoundEnd, type SessionState } from './state.ts'
import { closeTexts, repeatResult } from './text.ts'

/** Starts a round. */
export function startRound(writer: RoundWriter, input: unknown, stage: SessionState['stage']): void {
  const { core, state, metadata } = writer
  const { contextId, timestamp, lastEnd } = state
  const roundCount = state.roundCount + 1
  const preserved = core?.taskId
  const isPreserved = typeof preserved === 'string' && preserved !== ''
  const taskId = writer.uniqueId('task', isPreserved ? preserved : `${contextId}/round-${roundCount}`)
  writer.state = betweenRounds({ contextId, timestamp, roundCount, lastEnd })
  writer.update({ taskId, stage })
  const { model } = metadata
  const hasModel = typeof model === 'string' && model !== ''
  if (hasModel) writer.take('/metadata/model')
  const known = { ...(input !== undefined && { input }), ...(hasModel && { model }) }
  const derived = { initiator: 'user', ...(Object.keys(known).length > 0 && { metadata: known }) }
  writer.emitEvent('task-created', {}, derived, core?.kind === 'task-created' ? core : undefined)
}

/** Events that only continue or end a round: after its end they start no other one. */
const CONTINUES = /^(agent\.tool_result|plan\.completed|solver\.(progress|completed)|aggregate\.completed)$/

/**
 * A conversion within a round. Without an open one, it starts one, such as after joining a session late; an event
 * that belongs to the round that has just ended is dropped.
 */
export function inRound(convert: Conversion): Conversion {
  return (writer) => {
    if (!writer.isOpen) {
      if (isAfterEnd(writer)) return writer.droppedAfterEnd()
      const { event } = writer.event
      writer.inferred('task-created', `Expected user.message or plan.start before ${event}, got neither.`)
      startRound(writer, undefined, 'asked')
    }
    convert(writer)
  }
}

function isAfterEnd({ state, event, seq }: RoundWriter): boolean {
  const { lastEnd } = state
  if (lastEnd === null) return false
  // Servers send delayed events after later ones.
  return CONTINUES.test(event.event) || (seq >= 0 && seq < lastEnd.seq)
}

/** A conversion that applies only within an open round. */
export function ifOpen(convert: Conversion): Conversion {
  return (writer) => {
    if (writer.isOpen) convert(writer)
    else if (writer.state.lastEnd !== null) writer.droppedAfterEnd()
    else writer.droppedEvent('no-open-task', `Expected an open round before ${writer.event.event}, got none.`)
  }
}

/** Ends the open round. */
export function finishRound(writer: RoundWriter, status: RoundEnd['status'], derived: object = {}): void {
  const preserved = preservedEnding(writer.core?.ending)
  // The end of a task may leave texts open, or repeat them as its result.
  if (preserved.length === 0) closeTexts(writer)
  if (status === 'completed') failCalls(writer)
  const { answer } = writer.state
  const { timestamp } = writer.state
  for (const event of preserved) {
    writer.update({ timestamp: event.timestamp })
    writer.emitEvent(event.kind, {}, {}, event)
  }
  writer.update({ timestamp })
  if (preserved.length === 0) {
    if (status === 'completed') repeatResult(writer, answer?.content)
    writer.emitEvent('task-status', { status }, derived)
    if (status === 'completed' && answer !== null) writer.emitEvent('task-complete', {}, answer)
  }
  const content = answer?.content
  const lastEnd = {
    status,
    answer: typeof content === 'string' ? markOf(content).hash : null,
    seq: writer.seq,
  }
  const { contextId, roundCount } = writer.state
  writer.state = betweenRounds({ contextId, timestamp, roundCount, lastEnd })
}

/**
 * Ends the open round, if any, without an event of its own that ends it: completed after an answer, failed after an
 * error that was not retried, otherwise canceled.
 *
 * @param code - The diagnostic for a round without an answer.
 */
export function closeRound(writer: RoundWriter, code: 'inferred:task-status' | 'gap'): void {
  if (!writer.isOpen) return
  const { stage, answer, lastError, taskId } = writer.state
  if (stage === 'ending' || answer !== null) {
    finishRound(writer, 'completed')
    return
  }
  const error = lastError?.retry === 'retrying' ? null : lastError
  const status = error === null ? 'canceled' : 'failed'
  const message = `Expected an end of round ${taskId}, got none; ${status} was inferred.`
  writer.diagnostic(code, message)
  finishRound(writer, status, error === null ? {} : { message: error.message, error })
}

type EndEvent = Fields & { kind: 'task-status' | 'task-complete'; timestamp: string }

/** The valid events that ended the task in the core vocabulary: at most one of each kind. */
function preservedEnding(ending: unknown): EndEvent[] {
  const list: unknown[] = Array.isArray(ending) ? ending.slice(0, 2) : []
  const events = list.filter(
    (event): event is EndEvent =>
      isFields(event) &&
      (event.kind === 'task-complete' ||
        (event.kind === 'task-status' && /^(completed|failed|canceled)$/.test(textOf(event.status)))) &&
      checkEvent(event.kind, event) === true,
  )
  const failed = events.find(({ kind, status }) => kind === 'task-status' && status !== 'completed')
  if (failed !== undefined) return [failed]
  return events[0]?.kind === events[1]?.kind ? events.slice(0, 1) : events
}
