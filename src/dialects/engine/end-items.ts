/** Ends texts, thoughts and calls: with a result, with their task, or with the model response that is discarded. */

import { describeValue } from '../../core/require.ts'
import type { ContextEvent } from '../../events/event.ts'
import type { ToolCompleteEvent, ToolProgressEvent } from '../../events/tool.ts'
import { endedItem, endItem, forgetEnded, forgetItem, type Item, itemsOf, openItem, setItem } from './item.ts'
import type { ItemFormats, ItemWriter } from './write-item.ts'

/** The items of a model response that is discarded; they are forgotten. Calls that have started stay. */
export function takeItems(writer: ItemWriter, taskId: string, iteration: number): Item[] {
  const taken = itemsOf(writer, taskId).filter(
    (item) => item.iteration === iteration && item.phase !== 'running',
  )
  for (const item of taken) forgetItem(writer, item)
  forgetEnded(writer, taskId, iteration)
  return taken
}

/**
 * The call of a result or a progress, if it is running; otherwise reports why the event is dropped. A failure may also end a call
 * whose arguments were cut off.
 */
export function calledItem<Writer extends ItemWriter>(
  writer: Writer,
  { call: { namesResults } }: ItemFormats<Writer>,
  event: ContextEvent<ToolProgressEvent | ToolCompleteEvent>,
): Item | undefined {
  const { kind, toolCallId } = event
  const known = openItem(writer, event, 'call', toolCallId)
  const isFailure = kind === 'tool-complete' && !event.success
  // Of one that waits for its whole from the first delta on, nothing is written.
  if (known?.phase === 'running' || (isFailure && known !== undefined && known.phase !== 'new')) {
    if (!namesResults && kind === 'tool-complete' && event.toolName !== known.toolName)
      writer.lossy('toolName', `Expected a result of ${describeValue(known.toolName)}.`, event.toolName)
    return known
  }
  if (endedItem(writer, event, 'call', toolCallId) !== undefined) {
    const message = `Expected nothing more of call ${describeValue(toolCallId)}, got ${kind}.`
    writer.dropped(kind, 'repeated', message)
  } else {
    const message = `Expected a tool-start of call ${describeValue(toolCallId)} first, got ${kind}.`
    writer.dropped(kind, 'not-started', message)
  }
  return undefined
}

/** Ends a call with its result. One whose arguments are not complete is cut off first. */
export function endCall<Writer extends ItemWriter>(
  writer: Writer,
  formats: ItemFormats<Writer>,
  call: Item,
  timestamp: string,
): void {
  if (call.phase === 'open') formats.call.cut?.(writer, call)
  endItem(writer, call, { length: 0, hash: 0, timestamp })
}

/** Why the items of a task end: it pauses and they may go on later, with the same ids; or it has ended. */
export type ItemsEnd = 'pause' | 'success' | 'failure'

/**
 * Ends the items of a task that are open in the format. Unless the task pauses, all of its items are forgotten, and what waits for
 * a whole that does not come is reported; so is a call without a result if the task succeeds.
 */
export function closeItems<Writer extends ItemWriter>(
  writer: Writer,
  formats: ItemFormats<Writer>,
  taskId: string,
  reason: ItemsEnd,
): void {
  for (const item of itemsOf(writer, taskId, true)) {
    formats[item.type].cut?.(writer, item)
    if (reason === 'pause') setItem(writer, { ...item, phase: 'cut', wasCut: true })
    else dropItem(writer, item)
  }
  if (reason === 'pause') return
  for (const item of itemsOf(writer, taskId, false)) {
    dropItem(writer, item)
    if (item.phase !== 'running' || reason === 'failure') continue
    const { type, id } = item
    const message = `Expected the result of call ${describeValue(id)} before its task completes, got none.`
    writer.diagnostic('gap', message, { detail: { type, id } })
  }
}

/** Forgets an item without a whole. */
function dropItem(writer: ItemWriter, item: Item): void {
  const { type, key, id: own, waiting } = item
  const id = own === '' ? key : own
  forgetItem(writer, item)
  if (waiting === 0) return
  const message = `Expected the whole ${type} after missing deltas, got its end: ${waiting} characters are lost.`
  writer.diagnostic('gap', message, { detail: { type, id, lost: waiting } })
}
