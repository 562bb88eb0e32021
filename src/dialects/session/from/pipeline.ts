/** Conversion of the events that drive a round: message, plan, solver, aggregate and pipeline. */
import { isFields } from '../../../validation/predicates.ts'
import { numberOf, taskIdsOf, textOf } from '../wire/coerce.ts'
import { MAX_ITEMS } from '../wire/limits.ts'
import { findCall } from './calls.ts'
import { type Conversions, ifOpen, inRound } from './conversion.ts'
import { closeRound, finishRound, startRound } from './round.ts'
import type { RoundWriter } from './round-writer.ts'

/** The conversions of these events. */
export const pipelineConversions: Conversions = {
  'user.message': (writer) => {
    closeRound(writer)
    startRound(writer, writer.content.question ?? writer.event.content ?? undefined, 'asked')
  },
  'plan.start': (writer) => {
    // The message that started the round had the question.
    if (writer.isOpen && writer.state.stage === 'asked') return writer.update({ stage: 'planned' })
    closeRound(writer)
    startRound(writer, writer.content.question, 'planned')
  },
  'plan.completed': inRound((writer) => {
    const ids = taskIdsOf(writer.content)
    writer.update({ plannedTasks: ids === null || ids.length > MAX_ITEMS ? null : ids })
    writeData(writer, 'plan', writer.event.content)
  }),
  'plan.cancelled': ifOpen(cancelRound),
  'solver.start': inRound((writer) => {
    const { stage } = writer.state
    writer.update({ stage: 'solving' })
    if (stage !== 'solving' && writer.core?.implied !== true) {
      writer.emitEvent('task-status', { status: 'working' }, {}, writer.core)
    }
  }),
  'solver.progress': inRound((writer) => {
    const { status } = writer.content
    const message = typeof status === 'string' && status !== '' ? { message: status } : {}
    const call = findCall(writer, 'call', writer.event.step_id)
    if (call?.open !== true) {
      const derived = { ...message, metadata: { ...writer.metadata } }
      writer.emitEvent('task-status', { status: 'working' }, derived)
      return
    }
    const progress = numberOf(writer.metadata.progress_percent) / 100
    writer.emitEvent('tool-progress', { toolCallId: call.id }, { ...message, progress }, writer.core)
  }),
  'solver.completed': inRound((writer) => writeData(writer, 'results', writer.event.content)),
  'solver.cancelled': ifOpen((writer) => {
    const cancelled = textOf(writer.metadata.task_id)
    const plannedTasks = writer.state.plannedTasks?.filter((id) => id !== cancelled) ?? []
    writer.update({ plannedTasks })
    if (plannedTasks.length === 0) cancelRound(writer)
    else writer.droppedEvent('no-equivalent', `The round continues with ${plannedTasks.length} other tasks.`)
  }),
  'aggregate.completed': inRound((writer) => {
    const { final_result: result } = writer.content
    writeData(writer, 'result', result === undefined || isFields(result) ? result : { result })
  }),
  'pipeline.completed': ifOpen((writer) => {
    const { status, result_summary: summary } = writer.metadata
    const { answer } = writer.state
    if (status === 'failed') {
      const message = typeof summary === 'string' ? summary : ''
      const error = writer.state.lastError ?? { code: 'internal', message, retry: 'terminal' }
      finishRound(writer, 'failed', { ...(message !== '' && { message }), error })
    } else if (answer !== null || writer.core !== undefined) finishRound(writer, 'completed')
    else writer.update({ stage: 'ending' })
  }),
  'agent.session_end': (writer) => {
    closeRound(writer)
    writer.droppedEvent()
  },
}

function cancelRound(writer: RoundWriter): void {
  const { content } = writer.event
  const { reason } = writer.metadata
  finishRound(writer, 'canceled', {
    ...(typeof content === 'string' && { message: content }),
    ...(typeof reason === 'string' && { metadata: { reason } }),
  })
}

/** Emits a result of the round as an artifact. Results of core events have none: they are placeholders. */
function writeData(writer: RoundWriter, name: string, data: unknown): void {
  if (writer.core !== undefined || !isFields(data)) return
  const artifactId = `${writer.state.taskId}/${name}`
  writer.emitEvent('data-write', { artifactId, name, data }, {})
}
