/** The messages, spans of reasoning and calls of a run: what their events have in common. */

import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { ItemOf } from '../../engine/open-items.ts'
import { mergedMetadata } from './metadata.ts'
import type { OpenPart, OpenTask, RunWriter } from './state.ts'
import { ownerOf } from './tasks.ts'

/** What an item begins with. */
export function newPart(
  writer: RunWriter,
  { key: owner, taskId, parentTaskId, step: iteration }: OpenTask,
  key: string,
  event: { readonly metadata?: Metadata },
): OpenPart {
  const metadata = mergedMetadata(writer, null, event)
  return { key, owner, taskId, parentTaskId, iteration, metadata }
}

/** An open item that an event continues. Reports the subagent of the event if it is not that of the item. */
export function continuedItem<Name extends 'texts' | 'thoughts' | 'spans' | 'calls'>(
  writer: RunWriter,
  map: Name,
  key: string,
  event: { readonly subagentRunId?: string },
): ItemOf<RunWriter['state'], Name> | undefined {
  const item = writer.item(map, key)
  const { owner } = (item ?? {}) as Partial<OpenPart>
  if (owner !== undefined && event.subagentRunId !== undefined && owner !== ownerOf(event)) {
    const message = `Expected the subagent that started ${describeValue(key)}, got another one.`
    writer.lossy('subagentRunId', message, event.subagentRunId)
  }
  return item
}

/** Reports that the end of an item is missing. */
export function inferEnd(writer: RunWriter, end: string, id: string): void {
  // What is open as a run breaks off ends with it.
  if (writer.state.run?.phase === 'broken') return
  writer.diagnostic(`inferred:${end}`, `Expected ${end} of ${describeValue(id)}, got none.`, { detail: id })
}
