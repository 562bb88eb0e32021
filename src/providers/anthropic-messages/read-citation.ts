/** What a text cites. */

import type { CitedSource } from '../../events/source.ts'
import { countOf, type Fields, firstText, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { reportType } from '../shared/report.ts'
import { type Passage, setPassage } from '../shared/sources.ts'
import { addSource } from '../shared/texts.ts'

/** Adds a source to the text with a key, which cites it as a whole. */
export function readCitation(writer: ModelWriter, key: string, citation: Fields): void {
  const { type, url, source, title, document_title: documentTitle, cited_text: quote } = citation
  if (typeof type !== 'string' || !type.endsWith('_location')) {
    reportType(writer, type, '/delta/citation')
    return
  }
  const address = firstText(url, source)
  const name = firstText(title, documentTitle)
  const cited: CitedSource = {}
  if (/^https?:/i.test(address)) cited.url = address
  const documentId = documentIdOf(citation)
  if (documentId !== '') cited.documentId = documentId
  if (name !== '') cited.title = name
  if (textOf(quote) !== '') cited.quote = textOf(quote)
  setPassage(cited, passageOf(citation))
  if (Object.keys(cited).length > 0) addSource(writer, key, cited)
}

/** Where the cited text is in the document. */
function passageOf({
  start_page_number: page,
  end_page_number: pageEnd,
  start_block_index: block,
  end_block_index: blockEnd,
  start_char_index: character,
  end_char_index: characterEnd,
}: Fields): Passage {
  if (page !== undefined) return { unit: 'page', start: page, end: pageEnd }
  if (block !== undefined) return { unit: 'block', start: block, end: blockEnd }
  return { unit: 'character', start: character, end: characterEnd }
}

/** The document, if it is not a web page. Those of the request have only a number. */
function documentIdOf({ source, file_id: fileId, document_index: index }: Fields): string {
  const id = firstText(fileId, source)
  if (id !== '') return /^https?:/i.test(id) ? '' : id
  return countOf(index) === undefined ? '' : String(index)
}
