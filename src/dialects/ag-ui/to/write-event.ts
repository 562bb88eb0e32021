/** Maps each kind of event to AG-UI. */

import type { CustomEvent } from '../../../events/custom.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { isFields } from '../../../validation/predicates.ts'
import { FOREIGN } from '../wire/extension.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { emitCarrier, openTask, taskOf } from './runs.ts'
import type { TargetTask } from './state.ts'
import { writeChange, writeData } from './write-artifact.ts'
import { closeRequest, writeAuthRequired, writeInputRequired } from './write-request.ts'
import { writeIterationReset } from './write-reset.ts'
import { writeSubtaskCreated, writeTaskComplete, writeTaskCreated, writeTaskStatus } from './write-task.ts'
import { writeContentComplete, writeContentDelta, writeContentReplace } from './write-text.ts'
import { writeThoughtDelta, writeThoughtStream } from './write-thought.ts'
import { writeToolArguments, writeToolComplete, writeToolProgress, writeToolStart } from './write-tool.ts'

/** Maps one event. */
export function writeEvent(writer: AgUiWriter, given: ContextAnyEvent): void {
  const event = withoutPrivate(writer, given)
  const task = taskOf(writer, event)
  // What starts a task starts its run as well, which is marked as one whose events are carried.
  const isStart = event.kind === 'task-created' && task.startedIn === 0
  if (isStart) writeKind(writer, task, event)
  if (writer.options.extension === true) emitCarrier(writer, writer.task(task.taskId) ?? task, given)
  if (!isStart) writeKind(writer, task, event)
}

/** The kinds whose signature AG-UI has an event for. */
const SIGNED = ['thought-stream', 'tool-start']

/** The event without the metadata that is not for clients: who may see it, and the signature of a provider. */
function withoutPrivate(writer: AgUiWriter, event: ContextAnyEvent): ContextAnyEvent {
  const { metadata } = event as { metadata?: Metadata }
  const isSigned = metadata?.signature !== undefined && !SIGNED.includes(event.kind)
  if (metadata?.audience === undefined && !isSigned) return event
  const { audience, ...more } = metadata as Metadata
  if (audience !== undefined) writer.lostMetadata('audience')
  const { signature, ...rest } = more
  if (isSigned) writer.lostMetadata('signature')
  const left = isSigned ? rest : more
  const { metadata: _, ...others } = event as ContextAnyEvent & { metadata?: Metadata }
  return (Object.keys(left).length === 0 ? others : { ...others, metadata: left }) as ContextAnyEvent
}

function writeKind(writer: AgUiWriter, found: TargetTask, event: ContextAnyEvent): void {
  const task = iterated(writer, writer.task(found.taskId) ?? found, event)
  switch (event.kind) {
    case 'content-delta':
      writeContentDelta(writer, task, event)
      break
    case 'content-replace':
      writeContentReplace(writer, task, event)
      break
    case 'iteration-reset':
      writeIterationReset(writer, task, event)
      break
    case 'content-complete':
      writeContentComplete(writer, task, event)
      break
    case 'thought-delta':
      writeThoughtDelta(writer, task, event)
      break
    case 'thought-stream':
      writeThoughtStream(writer, task, event)
      break
    case 'tool-arguments-delta':
      writeToolArguments(writer, task, event)
      break
    case 'tool-start':
      writeToolStart(writer, task, event)
      break
    case 'tool-progress':
      writeToolProgress(writer, task, event)
      break
    case 'tool-complete':
      writeToolComplete(writer, task, event)
      break
    case 'task-created':
      writeTaskCreated(writer, task, event)
      break
    case 'task-status':
      writeTaskStatus(writer, task, event)
      break
    case 'task-complete':
      writeTaskComplete(writer, task, event)
      break
    case 'subtask-created':
      writeSubtaskCreated(writer, task, event)
      break
    case 'input-required':
      writeInputRequired(writer, task, event)
      break
    case 'auth-required':
      writeAuthRequired(writer, task, event)
      break
    case 'data-write':
      writeData(writer, task, event)
      break
    case 'artifact-delta':
      writeChange(writer, task, event)
      break
    case 'custom':
      writeCustom(writer, task, event)
      break
    default:
      if (event.kind === 'input-received' || event.kind === 'input-canceled') {
        closeRequest(writer, 'input', event.inputId)
      } else if (event.kind === 'auth-completed' || event.kind === 'auth-failed') {
        closeRequest(writer, 'auth', event.authId)
      }
      writer.droppedEvent(event, 'no-equivalent', `AG-UI has no equivalent for ${event.kind}.`)
  }
}

/** The task, at the model response that an event states if that is a later one. */
function iterated(writer: AgUiWriter, task: TargetTask, event: ContextAnyEvent): TargetTask {
  const { iteration } = event as { readonly iteration?: number }
  const { segments, thoughts } = task
  const isLater = iteration !== undefined && iteration > (task.iteration ?? -1)
  return isLater ? writer.updateTask(task, { iteration, earlier: { segments, thoughts } }) : task
}

function writeCustom(writer: AgUiWriter, found: TargetTask, event: ContextEvent<CustomEvent>): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { name, data, customId, transient, metadata } = event
  const own = {
    ...(customId !== undefined && { customId }),
    ...(transient !== undefined && { transient }),
  }
  const all = Object.keys(own).length > 0 ? { ...metadata, turnstreamCustom: own } : metadata
  const isForeign = name === FOREIGN.custom && isFields(data) && typeof data.name === 'string'
  const named = isForeign ? { name: data.name as string, value: data.value } : { name, value: data }
  writer.emitOwned(task, { type: 'CUSTOM', ...named, ...(all !== undefined && { metadata: all }) })
  writer.reportLost(event)
}
