/** Mapping `run_view`, the snapshot of a run in version 3: what it has more than the one before. */

import { jsonText } from '../../../json/json-text.ts'
import type { RunEvent, RunStep, RunViewEvent } from '../wire/run-event.ts'
import type { EventWriter } from './event-writer.ts'
import { type MappedView, newStep } from './state.ts'

/**
 * Maps a snapshot as the events that lead to it.
 *
 * @param map - Maps an event.
 * @param carry - Emits a custom event.
 */
export function mapRunView(
  writer: EventWriter,
  { content, steps, status, hooks = [], audio = null, awaitingInput = null }: RunViewEvent,
  map: (event: RunEvent) => void,
  carry: (type: string, data: unknown) => void,
): void {
  let view = writer.state.view
  for (let i = view.step; i < steps.length; i++) {
    if (i > view.step) view = { ...view, step: i, ...newStep }
    view = mapStep(writer, steps[i] as RunStep, view, map)
  }
  for (const hook of hooks.slice(view.hooks)) carry('hook', hook)
  const [audioText, questionText] = [jsonText(audio) ?? '', jsonText(awaitingInput) ?? '']
  if (audioText !== view.audio) carry('audio', audio)
  if (questionText !== view.awaitingInput) carry('awaiting_input', awaitingInput)
  // The message of a failure replaces the text.
  const isText = status === 'running' || status === 'completed'
  if (isText && content.length > view.content) map({ type: 'stream', content: content.slice(view.content) })
  writer.update({
    view: {
      ...view,
      content: isText ? Math.max(view.content, content.length) : view.content,
      hooks: Math.max(view.hooks, hooks.length),
      audio: audioText,
      awaitingInput: questionText,
    },
  })
  if (status === 'completed') map({ type: 'final' })
  else if (status === 'failed') map({ type: 'error', error: content })
  else if (status === 'cancelled') map({ type: 'cancelled', reason: content })
}

function mapStep(
  writer: EventWriter,
  { thought, action, observation, startedAt, completedAt }: RunStep,
  before: MappedView,
  map: (event: RunEvent) => void,
): MappedView {
  let view = before
  writer.readTime(startedAt)
  if (thought.length > view.thought) {
    map({ type: 'thought', content: thought.slice(view.thought) })
    view = { ...view, thought: thought.length }
  }
  if (action === undefined) return view
  const { callId: toolCallId, toolName, toolArgs, status, error, progress = [] } = action
  if (toolCallId !== view.callId) {
    map({ type: 'tool_call', toolName, toolArgs, toolCallId })
    view = { ...view, callId: toolCallId, progress: 0, hasResult: false }
  }
  for (const data of progress.slice(view.progress)) map({ type: 'tool_progress', toolName, data, toolCallId })
  const isError = status === 'failed'
  if (!view.hasResult && (isError || status === 'completed')) {
    writer.readTime(completedAt)
    const output = (isError ? error : undefined) ?? observation ?? ''
    map({ type: 'tool_result', toolName, output, isError, toolCallId })
    view = { ...view, hasResult: true }
  }
  return { ...view, progress: Math.max(view.progress, progress.length) }
}
