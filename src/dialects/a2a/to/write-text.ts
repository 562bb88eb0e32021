/** Writing texts: each segment is an artifact of its own. */

import { boundedGet, boundedValues } from '../../../core/bounded-map/bounded-map.ts'
import { closeItems } from '../../engine/end-items.ts'
import { type EventOfItem, type Item, itemsOf } from '../../engine/item.ts'
import { type ItemFormats, restOf } from '../../engine/write-item.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { type ArtifactRecord, copyRecord } from './artifact-record.ts'
import { beginText, evictedText, writePart } from './write-artifact.ts'

/** A2A has no thoughts and calls, and no last part of a text that is cut off. */
export const formats: ItemFormats<A2aWriter> = {
  text: {
    id: idOf,
    append: (writer, item, added) => writeText(writer, item, added, false),
    close(writer, item, { content }) {
      const rest = restOf(item, content)
      const isWhole = rest === undefined || writer.closeText === 'snapshot'
      writeText(writer, item, isWhole ? content : rest, true, isWhole)
    },
    empty(writer, item) {
      reportEmpty(writer, item)
      return true
    },
    replace(writer, item, content) {
      writeText(writer, item, content, false, true)
      return true
    },
    closesWithWhole: true,
  },
  thought: {},
  call: {},
}

/** The id of the artifact of a text: of the first segment, that of the text. */
function idOf(writer: A2aWriter, { contentId, taskId }: EventOfItem<'text'>): string {
  return beginText(writer, contentId, contentId ?? `${taskId}:content`).id
}

/** Writes a part of a text, or the whole in place of the parts before. */
function writeText(writer: A2aWriter, item: Item, value: string, isLast: boolean, isWhole = false): void {
  const known = boundedGet(writer.state.artifacts, item.id)
  const record = known === undefined ? evictedText(writer, item) : copyRecord(known)
  if (isWhole) record.isWritten = false
  writePart(writer, record, { type: 'text', text: value }, value, isLast)
}

/** A2A has no empty artifacts. */
function reportEmpty(writer: A2aWriter, { key }: Item): void {
  if (key !== '') writer.lossy('contentId', 'A2A has no empty artifacts.', key)
}

/** Reports the texts of which there is not one character when their task or stream ends. */
export function reportEmptyTexts(writer: A2aWriter, taskId: string): void {
  for (const item of itemsOf(writer, taskId, false)) if (item.waiting === 0) reportEmpty(writer, item)
}

/** The segments of text, in the order in which they began. */
export function textRecords({ state }: A2aWriter): readonly ArtifactRecord[] {
  return [...boundedValues(state.artifacts)]
    .filter(({ type, isWritten }) => type === 'content' && isWritten)
    .sort((a, b) => a.order - b.order)
}

/** Ends the texts of a task that ends. Only if it succeeds, what was written of an open one is the whole. */
export function closeTexts(writer: A2aWriter, taskId: string, isSuccess: boolean): void {
  reportEmptyTexts(writer, taskId)
  const open = isSuccess ? itemsOf(writer, taskId, true) : []
  for (const item of open) {
    if (item.isWaiting) continue
    const body =
      writer.closeText === 'snapshot' ? boundedGet(writer.state.artifacts, item.id)?.body : undefined
    writeText(writer, item, body ?? '', true, body !== undefined)
  }
  closeItems(writer, formats, taskId, isSuccess ? 'success' : 'failure')
}
