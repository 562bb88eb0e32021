/** Texts that are streamed: what a delta and the whole add to what was sent. */

import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import type { TargetItem, TargetTask } from './state.ts'

/** A text or thought of which nothing was sent. */
export function newItem(
  type: 'text' | 'thought',
  id: string,
  { taskId }: TargetTask,
  iteration: number | null,
): TargetItem {
  const sent = { length: 0, hash: FNV_OFFSET_BASIS }
  return { type, id, taskId, iteration, step: null, isOpen: false, next: 0, expects: 0, ...sent, call: null }
}

/** The fields that an event keeps: the iteration, if it is that of the step its item began in. */
export function keptOf({ step }: Pick<TargetItem, 'step'>, event: { readonly iteration?: number }): string[] {
  return event.iteration === (step ?? undefined) ? ['iteration'] : []
}

/** The item with a delta sent. */
export function withDelta(
  { type, id, taskId, iteration, step, next, length, hash }: TargetItem,
  delta: string,
  expects: number,
): TargetItem {
  return {
    type,
    id,
    taskId,
    iteration,
    step,
    isOpen: true,
    next: next + 1,
    expects,
    length: length + delta.length,
    hash: fnv1a(hash, delta),
    call: null,
  }
}

type DeltaEvent = Extract<ContextAnyEvent, { readonly delta: string }>

/** Whether a delta was sent before, which is reported. One that overlaps what was sent cannot be divided. */
export function isRepeated(writer: AgUiWriter, event: DeltaEvent, expects: number | null): boolean {
  const { index } = event
  if (expects === null || index >= expects) return false
  writer.droppedEvent(event, 'repeated', `Expected delta ${expects}, got delta ${index} again.`)
  return true
}

/** The part of a whole text that was not sent. Reports a text that does not begin with what was sent. */
export function unsentOf(writer: AgUiWriter, { length, hash }: TargetItem, content: string): string {
  if (content.length >= length && fnv1a(FNV_OFFSET_BASIS, content, 0, length) === hash) {
    return content.slice(length)
  }
  writer.lostField('content', 'Clients keep the text of the deltas.')
  return ''
}
