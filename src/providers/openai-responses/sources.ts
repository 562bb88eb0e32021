/** The annotations of a text: what it cites. */

import type { CitedSource } from '../../events/source.ts'
import { countOf, type Fields, firstText, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { reportType } from '../shared/report.ts'
import { addSource } from '../shared/texts.ts'
import { idOf, keyOf } from './parts.ts'
import { itemOf, itemWith, type ResponsesState } from './state.ts'

/** Reads what a part of a text cites. */
export function readAnnotation(writer: ModelWriter<ResponsesState>, chunk: Fields, annotation: Fields): void {
  addAnnotation(writer, itemOf(writer, chunk).index, idOf('text', chunk.content_index), annotation)
}

/** Adds a source to the part with an id. Positions count from the start of the text, which may have several parts. */
export function addAnnotation(
  writer: ModelWriter<ResponsesState>,
  index: number,
  id: string,
  annotation: Fields,
): void {
  const { type, url, title, filename, file_id: fileId, start_index: start, end_index: end } = annotation
  if (typeof type !== 'string' || !types.has(type)) {
    reportType(writer, type, '/annotation')
    return
  }
  const { parts } = itemWith(writer, index)
  const at = parts.findIndex((part) => part.id === id)
  const offset = parts
    .slice(0, Math.max(at, 0))
    .filter((part) => part.id.startsWith('text'))
    .reduce((sum, { length }) => sum + length, 0)
  const source: CitedSource = {}
  const name = firstText(title, filename)
  if (textOf(url) !== '') source.url = textOf(url)
  if (name !== '') source.title = name
  if (textOf(fileId) !== '') source.documentId = textOf(fileId)
  const [from, to] = [countOf(start), countOf(end)]
  if (from !== undefined) source.start = offset + from
  if (to !== undefined) source.end = offset + to
  addSource(writer, keyOf(index), source)
}

const types = new Set(['url_citation', 'file_citation', 'container_file_citation', 'file_path'])
