/** What the text cites. */

import { FNV_OFFSET_BASIS, fnv1a } from '../../encoding/fnv1a.ts'
import type { CitedSource } from '../../events/source.ts'
import {
  countOf,
  type Fields,
  fieldsOf,
  firstText,
  isFields,
  jsonTextOf,
  objectsOf,
  textOf,
} from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { reportType } from '../shared/report.ts'
import { addSource } from '../shared/texts.ts'
import { type ChatState, TEXT } from './state.ts'

/** Perplexity: all sources with every chunk, with titles in `search_results`. */
export function readCitations(
  writer: ModelWriter<ChatState>,
  { citations, search_results: results }: Fields,
): void {
  if (!Array.isArray(citations) && !Array.isArray(results)) return
  const { own } = writer.state
  const hash = fnv1a(FNV_OFFSET_BASIS, jsonTextOf([citations, results]))
  if (hash === own.sources) return
  writer.state.own = { ...own, sources: hash }
  const found = objectsOf(results)
  for (const { url, title, snippet } of found) {
    addKnown(writer, { url: textOf(url), title: textOf(title), quote: textOf(snippet) })
  }
  if (found.length > 0 || !Array.isArray(citations)) return
  for (const citation of citations) {
    const url = firstText(citation, fieldsOf(citation).url)
    if (url !== '') addKnown(writer, { url })
    else if (isFields(citation)) reportType(writer, citation.type, '/citations')
  }
}

/** OpenAI and OpenRouter: `url_citation`s with positions. */
export function readAnnotations(writer: ModelWriter<ChatState>, annotations: unknown): void {
  for (const [i, { type, url_citation: citation }] of objectsOf(annotations).entries()) {
    if (type === 'url_citation') {
      const { url, title, content, start_index: start, end_index: end } = fieldsOf(citation)
      addKnown(
        writer,
        { url: textOf(url), title: textOf(title), quote: textOf(content) },
        countOf(start),
        countOf(end),
      )
    } else reportType(writer, type, `/choices/0/delta/annotations/${i}`)
  }
}

/** Adds a source without its empty fields, unless it has none. */
function addKnown(
  writer: ModelWriter<ChatState>,
  texts: { url: string; title?: string; quote?: string },
  start?: number,
  end?: number,
): void {
  const source: CitedSource = {}
  for (const [name, value] of Object.entries(texts)) if (value !== '') source[name] = value
  if (Object.keys(source).length === 0) return
  if (start !== undefined) source.start = start
  if (end !== undefined) source.end = end
  addSource(writer, TEXT, source)
}
