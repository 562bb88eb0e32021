/** Conversion of the events that drive a round: message, plan, solver, aggregate and pipeline. */

import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { numberOf, taskIdsOf, textOf } from '../wire/coerce.ts'
import { findCall, storeCall } from './calls.ts'
import { closeRound, finishRound, ifOpen, inRound, startRound } from './round.ts'
import type { Conversion, Conversions, RoundWriter } from './round-writer.ts'

/** Maps an event that a core event of the round does not replace: one without preserved fields. */
const unlessPreserved =
  (convert: Conversion): Conversion =>
  (writer) => {
    if (writer.core === undefined) convert(writer)
  }

/** The conversions of these events. */
export const pipelineConversions: Conversions = {
  'user.message': (writer) => {
    if (writer.isOpen && writer.metadata.message_type === 'feedback') return writer.droppedEvent()
    closeRound(writer, 'inferred:task-status')
    const input = writer.take('/content/question') ?? writer.take('/content') ?? undefined
    startRound(writer, input, 'asked')
  },
  'user.solve_tasks': (writer) => {
    closeRound(writer, 'inferred:task-status')
    startRound(writer, writer.take('/content') ?? undefined, 'planned')
    writer.update({ plannedTasks: plannedTasksIn(writer) })
  },
  'plan.start': (writer) => {
    // The message that started the round had the question.
    if (writer.isOpen && writer.state.stage === 'asked') {
      writer.update({ stage: 'planned' })
      return work(writer)
    }
    closeRound(writer, 'inferred:task-status')
    startRound(writer, writer.take('/content/question'), 'planned')
  },
  'plan.completed': inRound(
    unlessPreserved((writer) => {
      writer.update({ stage: 'planned', plannedTasks: plannedTasksIn(writer) })
      writeData(writer, 'plan', '/content')
    }),
  ),
  'plan.cancelled': ifOpen(cancelRound),
  'solver.start': inRound((writer) => {
    writer.update({ stage: 'solving' })
    work(writer)
  }),
  'solver.progress': inRound((writer) => {
    const { step_id } = writer.event
    const call = findCall(writer, 'call', step_id)
    const message = textOf(writer.content.status) === '' ? undefined : writer.takeText('/content/status')
    const derived = message === undefined ? {} : { message }
    if (call === undefined) {
      writer.emitEvent('task-status', { status: 'working' }, derived)
      return
    }
    const progress = numberOf(writer.metadata.progress_percent) / 100
    const isForward = progress >= call.progress && progress <= 1
    const preserved = writer.core?.progress
    const fields = {
      toolCallId: call.id,
      progress: !isForward ? call.progress : typeof preserved === 'number' ? preserved : progress,
    }
    writer.take('/step_id')
    if (!writer.emitEvent('tool-progress', fields, derived, writer.core)) return
    storeCall(writer, 'call', step_id, { ...call, progress: fields.progress })
  }),
  'solver.completed': inRound(
    unlessPreserved((writer) => {
      const { task } = writer.content
      const id = textOf(fieldsOf(task).id)
      writeData(writer, id === '' ? 'results' : `results/${id}`, '/content')
    }),
  ),
  'solver.cancelled': ifOpen((writer) => {
    const { task } = writer.content
    const cancelled = textOf(writer.metadata.task_id ?? fieldsOf(task).id)
    const plannedTasks = writer.state.plannedTasks?.filter((id) => id !== cancelled) ?? []
    writer.update({ plannedTasks })
    if (plannedTasks.length === 0) cancelRound(writer)
    else writer.droppedEvent('no-equivalent', `The round continues with ${plannedTasks.length} other tasks.`)
  }),
  'aggregate.start': unlessPreserved((writer) => writer.droppedEvent()),
  'aggregate.completed': inRound(
    unlessPreserved((writer) => {
      const { final_result: result } = writer.content
      writeData(
        writer,
        'result',
        '/content/final_result',
        isFields(result) || result === undefined ? result : { result },
      )
    }),
  ),
  'pipeline.completed': ifOpen((writer) => {
    const { status, result_summary: summary } = writer.metadata
    const { answer, lastError } = writer.state
    if (status === 'failed') {
      const message = textOf(summary)
      const hasMessage = message !== '' && writer.takeText('/metadata/result_summary') !== undefined
      const error = lastError ?? { code: 'internal', message, retry: 'terminal' }
      finishRound(writer, 'failed', { ...(hasMessage && { message }), error })
    } else if (answer !== null || writer.core !== undefined) finishRound(writer, 'completed')
    else {
      writer.update({ stage: 'ending' })
      if (isFields(writer.event.content)) writeData(writer, 'pipeline', '/content')
    }
  }),
  'agent.session_end': (writer) => {
    closeRound(writer, 'inferred:task-status')
    writer.droppedEvent()
  },
}

function plannedTasksIn({ content }: RoundWriter): readonly string[] | null {
  const ids = taskIdsOf(content)
  return ids === null || ids.length > MAX_ITEMS ? null : ids
}

/** Emits that the task works, unless the event precedes the core event that states it. */
function work(writer: RoundWriter): void {
  if (writer.core !== undefined && writer.core.kind !== 'task-status') return
  writer.emitEvent('task-status', { status: 'working' }, {}, writer.core)
}

export function cancelRound(writer: RoundWriter): void {
  const { metadata, content } = writer
  const message = writer.takeText('/content')
  const reason =
    typeof metadata.reason === 'string'
      ? writer.takeText('/metadata/reason')
      : typeof content.reason === 'string'
        ? writer.takeText('/content/reason')
        : undefined
  finishRound(writer, 'canceled', {
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { metadata: { reason } }),
  })
}

/** Emits a result of the round as an artifact. */
function writeData(
  writer: RoundWriter,
  name: string,
  pointer: string,
  data: unknown = writer.event.content,
): void {
  if (!isFields(data)) {
    writer.droppedContent('an object as content')
    return
  }
  writer.take(pointer)
  writer.emitEvent('data-write', { artifactId: `${writer.state.taskId}/${name}`, name, data }, {})
}
