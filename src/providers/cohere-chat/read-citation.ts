/** What a text cites. */

import type { CitedSource } from '../../events/source.ts'
import { countOf, type Fields, fieldsOf, firstText, objectsOf, textOf } from '../shared/fields.ts'
import { addSource } from '../shared/texts.ts'
import type { Writer } from './state.ts'

/** Adds the documents and results of tools that a passage of a text cites. */
export function readCitation(writer: Writer, key: string, citation: Fields): void {
  // The plan is no text.
  if (citation.type === 'PLAN') return
  const [start, end] = [countOf(citation.start), countOf(citation.end)]
  for (const { id, document } of objectsOf(citation.sources)) {
    const { url, title, text, snippet = text, id: documentId } = fieldsOf(document)
    const source: CitedSource = {}
    if (textOf(url) !== '') source.url = textOf(url)
    if (textOf(title) !== '') source.title = textOf(title)
    const name = firstText(documentId, id)
    if (name !== '') source.documentId = name
    if (textOf(snippet) !== '') source.quote = textOf(snippet)
    if (Object.keys(source).length === 0) continue
    if (start !== undefined) source.start = start
    if (end !== undefined) source.end = end
    addSource(writer, key, source)
  }
}
