/** Mapping one event of a run. */

import { describeValue } from '../../../core/require.ts'
import { type Fields, isId } from '../../../validation/predicates.ts'
import type { RunEvent } from '../wire/run-event.ts'
import type { EventWriter } from './event-writer.ts'
import { closeCalls, mapCall, mapProgress, mapResult } from './map-call.ts'
import { mapRunView } from './map-run-view.ts'

export function mapEvent(writer: EventWriter, event: RunEvent, maxContentLength: number): void {
  const isFirst = writer.state.phase === 'new'
  writer.start()
  switch (event.type) {
    case 'start':
      if (!isFirst)
        writer.dropped(
          event.type,
          'repeated',
          `Expected one beginning of the run, got another ${event.type}.`,
        )
      break
    case 'thought':
      writeThought(writer, event.content)
      break
    case 'stream':
      writeContent(writer, event.content, maxContentLength)
      break
    case 'tool_call':
      completeSegment(writer)
      mapCall(writer, event)
      break
    case 'tool_progress':
      mapProgress(writer, event)
      break
    case 'tool_result':
      mapResult(writer, event)
      break
    case 'final':
      endTask(writer, 'final', { status: 'completed' })
      writer.emitDraft({ kind: 'task-complete' })
      break
    case 'error':
      failTask(writer, event.error, 'error')
      break
    case 'run_view':
      mapRunView(
        writer,
        event,
        (part) => mapEvent(writer, part, maxContentLength),
        (type, data) => emitCustom(writer, type, data),
      )
      break
    case 'cancelled':
      endTask(writer, 'cancelled', { status: 'canceled', metadata: { reason: event.reason } })
      break
  }
}

/** Fails the task: what is open ends as well. */
export function failTask(writer: EventWriter, message: string, end: string): void {
  endTask(writer, end, { status: 'failed', error: { code: 'internal', message, retry: 'terminal' } })
}

/** Drops an event of the connection, not of a run. It may name the conversation. */
export function dropBeforeStart(writer: EventWriter, type: string, { conversationId }: Fields): void {
  if (isId(conversationId)) writer.update({ conversationId: conversationId as string })
  writer.dropped(type, 'no-open-task', `Expected an event that begins a run, got ${describeValue(type)}.`)
}

/** Carries an event that has no equivalent, with its fields. */
export function mapUnknown(writer: EventWriter, type: string, data: Fields): void {
  if (type === 'heartbeat') writer.dropped(type, 'no-equivalent', 'A heartbeat states nothing.')
  else emitCustom(writer, type, data)
}

/** The types of which only the latest event counts. */
const SNAPSHOTS = ['loop_usage', 'conversation_usage', 'audio', 'awaiting_input']

function emitCustom(writer: EventWriter, type: string, data: unknown): void {
  const name = type.match(/[A-Za-z0-9_-]+/g)?.join('.') ?? 'event'
  const id = SNAPSHOTS.includes(type) ? { customId: `${writer.state.context.taskId}:${type}` } : {}
  writer.emitDraft({ kind: 'custom', name: `langvis.${name}`, data, ...id })
}

function writeThought(writer: EventWriter, content: string): void {
  const { thoughtCount: index, context } = writer.state
  const thoughtId = writer.newId() ?? `${context.taskId}:thought-${index + 1}`
  const draft = { thoughtId, thoughtType: 'reasoning', verbosity: 'normal', content, index } as const
  writer.emitDraft({ kind: 'thought-stream', ...draft })
  writer.update({ thoughtCount: index + 1 })
}

function writeContent(writer: EventWriter, delta: string, maxContentLength: number): void {
  if (writer.state.segmentText.length + delta.length > maxContentLength) completeSegment(writer)
  const { segmentText, deltaCount } = writer.state
  writer.emitDraft({ kind: 'content-delta', delta, index: deltaCount })
  writer.update({ segmentText: segmentText + delta, deltaCount: deltaCount + 1 })
}

function completeSegment(writer: EventWriter): void {
  const { segmentText, deltaCount } = writer.state
  if (deltaCount === 0) return
  writer.emitDraft({ kind: 'content-complete', content: segmentText })
  writer.update({ segmentText: '', deltaCount: 0 })
}

function endTask(
  writer: EventWriter,
  end: string,
  status: Omit<Extract<Parameters<EventWriter['emitDraft']>[0], { kind: 'task-status' }>, 'kind'>,
): void {
  closeCalls(writer, end)
  completeSegment(writer)
  writer.emitDraft({ kind: 'task-status', ...status })
  writer.update({ phase: 'ended' })
}
