/** Reads events without an equivalent: those of applications, of other systems, steps, conversations. */

import type { EventDraft } from '../../../emitter/event-draft.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { dottedName } from '../../../validation/formats.ts'
import { isFields } from '../../../validation/predicates.ts'
import { CARRIED, FOREIGN } from '../wire/extension.ts'
import { iterationOfStep } from '../wire/step-name.ts'
import type {
  AgUiCustom,
  AgUiEvent,
  AgUiRaw,
  AgUiReasoningEncryptedValue,
  AgUiStepFinished,
  AgUiStepStarted,
} from '../wire/types/index.ts'
import { emitWith, mergedMetadata } from './metadata.ts'
import { ON_INTERRUPT, readAsked } from './read-asked.ts'
import { storeSignature } from './read-reasoning.ts'
import { storeCallSignature } from './read-tool.ts'
import type { RunWriter } from './state.ts'
import { ownerOf, taskOf } from './tasks.ts'

/** Reads an event of an application. Names without a namespace become data. */
export function readCustom(writer: RunWriter, event: AgUiCustom): void {
  const { name, value } = event
  if (name.startsWith(CARRIED)) {
    writer.dropped(event.type, 'extension', 'Dropped an event of the extension, which is not enabled.')
    return
  }
  if (name === ON_INTERRUPT) readAsked(writer, event)
  else if (!dottedName.test(name)) emitCustom(writer, event, FOREIGN.custom, { name, value })
  else emitCustom(writer, event, name, value)
}

/** Emits a custom event. The id and whether it is transient are metadata in AG-UI. */
function emitCustom(
  writer: RunWriter,
  event: AgUiEvent & { metadata?: Metadata; subagentRunId?: string },
  name: string,
  data: unknown,
  more: { readonly transient?: boolean } = {},
): void {
  const task = taskOf(writer, event)
  if (task === undefined) return
  const { fields, metadata } = customFields(mergedMetadata(writer, null, event))
  emitWith(writer, { kind: 'custom', name, data, ...fields, ...more } as EventDraft, task, metadata)
}

/** What `toAgUi` writes into the metadata of a custom event, as fields; and the metadata that is left. */
function customFields(metadata: Metadata | null): { fields: object; metadata: Metadata | null } {
  const own = metadata?.turnstreamCustom
  if (metadata === null || !isFields(own)) return { fields: {}, metadata }
  const { customId, transient, ...left } = own
  const isId = typeof customId === 'string' && customId !== ''
  const isFlag = typeof transient === 'boolean'
  const rest = {
    ...left,
    ...(!isId && customId !== undefined && { customId }),
    ...(!isFlag && transient !== undefined && { transient }),
  }
  const { turnstreamCustom: _, ...others } = metadata
  const all = Object.keys(rest).length > 0 ? { ...others, turnstreamCustom: rest } : others
  return {
    fields: { ...(isId && { customId }), ...(isFlag && { transient }) },
    metadata: Object.keys(all).length > 0 ? all : null,
  }
}

/** Events of other systems are for operators: they may contain anything. */
export function readRaw(writer: RunWriter, event: AgUiRaw): void {
  if (writer.options.raw !== true) return
  const { event: raw, source } = event
  const data = source === undefined ? { event: raw } : { event: raw, source }
  emitCustom(writer, event, FOREIGN.raw, data, { transient: true })
}

/** Reads the event of the provider that an event was made from, unless the task has ended with it. */
export function readRawEvent(writer: RunWriter, event: AgUiEvent & { subagentRunId?: string }): void {
  const { rawEvent: raw, type, subagentRunId } = event
  if (writer.options.raw !== true || raw === undefined || raw === null) return
  if (writer.item('tasks', ownerOf(event))?.phase !== 'open') {
    writer.lossy('rawEvent', 'Expected the event of the provider before the end of the task.')
    return
  }
  const of = { type, ...(subagentRunId !== undefined && { subagentRunId }) } as AgUiEvent
  emitCustom(writer, of, FOREIGN.raw, { event: raw, type }, { transient: true })
}

export function readStep(writer: RunWriter, event: AgUiStepStarted | AgUiStepFinished): void {
  const step = iterationOfStep(event.stepName)
  if (step !== null && event.metadata === undefined) {
    const task = taskOf(writer, event)
    if (task === undefined) return
    const { iteration, thoughts, lastContent } = task
    const isLater = step > (iteration ?? -1)
    writer.setItem('tasks', task.key, {
      ...task,
      step: event.type === 'STEP_STARTED' ? step : null,
      ...(isLater && { iteration: step, earlier: { thoughts, lastContent } }),
    })
    return
  }
  const status = event.type === 'STEP_STARTED' ? 'started' : 'finished'
  emitCustom(writer, event, FOREIGN.step, { stepName: event.stepName, status }, { transient: true })
}

export function readEncryptedValue(writer: RunWriter, event: AgUiReasoningEncryptedValue): void {
  const store = event.subtype === 'tool-call' ? storeCallSignature : storeSignature
  if (store(writer, event)) return
  writer.dropped(event.type, 'not-started', 'Expected open reasoning or an open call, got none.')
}
