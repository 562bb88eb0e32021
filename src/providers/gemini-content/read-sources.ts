/** What the answer cites. Its positions are bytes of the whole text. */

import type { CitedSource } from '../../events/source.ts'
import { isEqualJson } from '../../json/value.ts'
import { addCitations, type Citation } from '../shared/cited-bytes.ts'
import { countOf, type Fields, fieldsOf, firstText, objectsOf, textOf } from '../shared/fields.ts'
import { hasRoomFor } from '../shared/limits.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { MAX_ITEMS } from '../shared/state.ts'
import { describeText } from '../shared/texts.ts'
import { type GeminiState, TEXT } from './state.ts'

type Writer = ModelWriter<GeminiState>

/** Reads the sources of a candidate. They wait for the end of the text. */
export function readSources(writer: Writer, candidate: Fields): void {
  const { groundingMetadata, citationMetadata, urlContextMetadata } = candidate
  readGrounding(writer, fieldsOf(groundingMetadata))
  const { renderedContent } = fieldsOf(fieldsOf(fieldsOf(groundingMetadata).searchEntryPoint))
  if (textOf(renderedContent) !== '') {
    describeText(writer, TEXT, { 'google.searchEntryPoint': textOf(renderedContent) })
  }
  const { citations, citationSources } = fieldsOf(citationMetadata)
  for (const { uri, title, startIndex, endIndex } of [
    ...objectsOf(citations),
    ...objectsOf(citationSources),
  ]) {
    cite(writer, { url: uri, title }, rangeOf(startIndex, endIndex))
  }
  for (const { retrievedUrl, urlRetrievalStatus: status } of objectsOf(
    fieldsOf(urlContextMetadata).urlMetadata,
  )) {
    if (status == null || textOf(status).endsWith('SUCCESS')) cite(writer, { url: retrievedUrl }, null)
  }
}

function readGrounding(writer: Writer, { groundingChunks, groundingSupports }: Fields): void {
  const chunks: unknown[] = Array.isArray(groundingChunks) ? groundingChunks : []
  const cited = new Set<unknown>()
  for (const { segment, groundingChunkIndices: indices } of objectsOf(groundingSupports).slice(
    0,
    MAX_ITEMS,
  )) {
    const { startIndex, endIndex } = fieldsOf(segment)
    for (const index of Array.isArray(indices) ? indices.slice(0, MAX_ITEMS) : []) {
      if (countOf(index) === undefined || index >= chunks.length) continue
      cited.add(index)
      cite(writer, sourceOf(fieldsOf(chunks[index])), rangeOf(startIndex, endIndex))
    }
  }
  for (const [index, chunk] of chunks.entries()) {
    if (!cited.has(index)) cite(writer, sourceOf(fieldsOf(chunk)), null)
  }
}

/** A web page, a place, an image or a document. */
function sourceOf({ web, maps, image, retrievedContext }: Fields): Fields {
  const { uri, sourceUri, title, text, documentName } = fieldsOf(web ?? retrievedContext ?? maps ?? image)
  const url = firstText(sourceUri, uri)
  const isAddress = /^https?:/i.test(url)
  return {
    url: isAddress ? url : '',
    documentId: isAddress ? '' : firstText(documentName, url),
    title,
    quote: text,
  }
}

/** An omitted start is 0. */
function rangeOf(start: unknown, end: unknown): Citation['range'] {
  const to = countOf(end)
  return to === undefined ? null : [countOf(start) ?? 0, to]
}

function cite(writer: Writer, fields: Fields, range: Citation['range']): void {
  const { own } = writer.state
  const source: CitedSource = {}
  for (const [name, value] of Object.entries(fields)) if (textOf(value) !== '') source[name] = value
  const citation = { source, range }
  if (Object.keys(source).length === 0 || own.citations.some((known) => isEqualJson(known, citation))) return
  if (!hasRoomFor(writer, own.citations, source)) return
  writer.state.own = { ...own, citations: [...own.citations, citation] }
}

/** Adds the sources to the text, which is whole. */
export function addSources(writer: Writer): void {
  const { own } = writer.state
  if (own.citations.length === 0) return
  writer.state.own = { ...own, citations: [] }
  addCitations(writer, TEXT, own.citations)
}
