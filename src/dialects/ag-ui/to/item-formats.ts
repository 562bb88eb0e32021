/** How texts, thoughts and calls are written: as messages, reasoning and tool calls, in the steps of their model responses. */

import type { Metadata } from '../../../events/metadata.ts'
import { closeItems, type ItemsEnd } from '../../engine/end-items.ts'
import type { Item, WholeEvent } from '../../engine/item.ts'
import type { ItemFormats } from '../../engine/write-item.ts'
import { textMessageId } from '../wire/message-ids.ts'
import { stepNameOf } from '../wire/step-name.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { withStarted } from './sent-messages.ts'
import type { TargetTask } from './state.ts'
import { replaceText } from './write-revision.ts'

/** Metadata, if there is any. */
export function stated(metadata: Metadata | undefined): { metadata?: Metadata } {
  return metadata === undefined || Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** The metadata of the whole of an item, with the signature of its provider, which has an event of its own. */
function metadataOf(event: WholeEvent): Metadata & { readonly signature?: string } {
  return event.metadata ?? {}
}

function emitSigned(writer: AgUiWriter, item: Item, encryptedValue: string | undefined): void {
  if (encryptedValue === undefined) return
  const subtype = item.type === 'call' ? 'tool-call' : 'message'
  writer.emitItem(item, { type: 'REASONING_ENCRYPTED_VALUE', subtype, entityId: item.id, encryptedValue })
}

function endText(writer: AgUiWriter, item: Item): void {
  writer.emitItem(item, { type: 'TEXT_MESSAGE_END', messageId: item.id })
}

function openText(writer: AgUiWriter, item: Item): void {
  enterStep(writer, item)
  writer.emitItem(item, { type: 'TEXT_MESSAGE_START', messageId: item.id, role: 'assistant' })
}

function openThought(writer: AgUiWriter, item: Item): void {
  enterStep(writer, item)
  writer.emitItem(item, { type: 'REASONING_START', messageId: item.id })
  writer.emitItem(item, { type: 'REASONING_MESSAGE_START', messageId: item.id, role: 'reasoning' })
}

function closeThought(writer: AgUiWriter, item: Item, event: WholeEvent): void {
  const { signature, ...rest } = metadataOf(event)
  writer.emitItem(item, { type: 'REASONING_MESSAGE_END', messageId: item.id, ...stated(rest) })
  emitSigned(writer, item, signature)
  writer.emitItem(item, { type: 'REASONING_END', messageId: item.id })
}

export const formats: ItemFormats<AgUiWriter> = {
  text: {
    id(writer, event) {
      const { segments, iteration } = writer.task(event.taskId) as TargetTask
      const next = { segments: segments + 1 }
      // One of another model response than the latest stays if that is reset.
      const stays = (event.iteration ?? null) !== iteration
      writer.updateTask(event, { ...next, ...(stays && { earlier: next }) })
      return textMessageId(event.taskId, segments, event.contentId)
    },
    open: openText,
    append: (writer, item, delta) =>
      writer.emitItem(item, { type: 'TEXT_MESSAGE_CONTENT', messageId: item.id, delta }),
    close(writer, item, event) {
      const { finishReason, metadata } = event
      const all = finishReason === undefined ? metadata : { ...metadata, finishReason }
      const more = all === undefined ? {} : { metadata: all }
      writer.emitItem(item, { type: 'TEXT_MESSAGE_END', messageId: item.id, ...more })
    },
    cut: endText,
    empty: () => false,
    replace: (writer, item, content) =>
      replaceText(writer, item, content, {
        open: () => openText(writer, item),
        cut: () => endText(writer, item),
      }),
  },
  thought: {
    open: openThought,
    append: (writer, item, delta) =>
      writer.emitItem(item, { type: 'REASONING_MESSAGE_CONTENT', messageId: item.id, delta }),
    close: closeThought,
    cut(writer, item) {
      writer.emitItem(item, { type: 'REASONING_MESSAGE_END', messageId: item.id })
      writer.emitItem(item, { type: 'REASONING_END', messageId: item.id })
    },
    empty(writer, item, event) {
      const metadata = metadataOf(event)
      // Clients keep an encrypted value only with its message.
      if (metadata.signature !== undefined) {
        openThought(writer, item)
        closeThought(writer, item, event)
      } else if (Object.keys(metadata).length > 0) {
        enterStep(writer, item)
        writer.emitItem(item, { type: 'REASONING_START', messageId: item.id })
        writer.emitItem(item, { type: 'REASONING_END', messageId: item.id, metadata })
      } else return false
      return true
    },
  },
  call: {
    open(writer, item) {
      enterStep(writer, item)
      const { id: toolCallId, toolName: toolCallName } = item
      writer.emitItem(item, { type: 'TOOL_CALL_START', toolCallId, toolCallName })
    },
    append: (writer, item, delta) =>
      writer.emitItem(item, { type: 'TOOL_CALL_ARGS', toolCallId: item.id, delta }),
    close(writer, item, event, isOther) {
      const { signature, ...rest } = metadataOf(event)
      emitSigned(writer, item, signature)
      // Clients merge metadata: the end of a call that was cut off before replaces what its first end states.
      const all = {
        ...rest,
        ...(item.wasCut && { complete: true }),
        ...(isOther && { arguments: event.arguments }),
      }
      writer.emitItem(item, { type: 'TOOL_CALL_END', toolCallId: item.id, ...stated(all) })
      const { state } = writer
      if (state.sent !== null) state.sent = withStarted(state.sent, item.id)
    },
    cut: (writer, item) =>
      writer.emitItem(item, {
        type: 'TOOL_CALL_END',
        toolCallId: item.id,
        metadata: { complete: false },
      }),
  },
}

/** Lets an item begin in the step of its model response, or in none: steps never go back. */
function enterStep(writer: AgUiWriter, { taskId, iteration }: Item): void {
  const task = writer.task(taskId) as TargetTask
  const next = iteration !== null && iteration >= (task.iteration ?? 0) ? iteration : null
  if (next === task.step) return
  leaveStep(writer, task)
  if (next !== null) writer.emitOwned(task, { type: 'STEP_STARTED', stepName: stepNameOf(next) })
  writer.updateTask(task, { step: next })
}

/** Ends the step of a task. */
function leaveStep(writer: AgUiWriter, { taskId }: Pick<TargetTask, 'taskId'>): void {
  const { step } = writer.task(taskId) as TargetTask
  if (step === null) return
  writer.emitOwned({ taskId }, { type: 'STEP_FINISHED', stepName: stepNameOf(step) })
  writer.updateTask({ taskId }, { step: null })
}

/** Closes what a task has open. */
export function closeTask(writer: AgUiWriter, task: Pick<TargetTask, 'taskId'>, reason: ItemsEnd): void {
  closeItems(writer, formats, task.taskId, reason)
  leaveStep(writer, task)
}
