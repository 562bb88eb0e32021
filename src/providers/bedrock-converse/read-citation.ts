/** What a text cites. */

import type { CitedSource } from '../../events/source.ts'
import { countOf, type Fields, fieldsOf, firstText, objectsOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { type Passage, setPassage } from '../shared/sources.ts'
import { addSource } from '../shared/texts.ts'

/** Adds a source to the text with a key, which cites it as a whole. */
export function readCitation(writer: ModelWriter, key: string, citation: Fields): void {
  const { title, source, sourceContent, location } = citation
  const { web, ...document } = fieldsOf(location)
  const address = firstText(fieldsOf(web).url, source)
  const isAddress = /^https?:/i.test(address)
  const quote = objectsOf(sourceContent)
    .map(({ text }) => textOf(text))
    .join('')
  const cited: CitedSource = {}
  const documentId = isAddress ? '' : address || documentIdOf(document)
  if (isAddress) cited.url = address
  if (documentId !== '') cited.documentId = documentId
  if (textOf(title) !== '') cited.title = textOf(title)
  if (quote !== '') cited.quote = quote
  setPassage(cited, passageOf(document))
  if (Object.keys(cited).length > 0) addSource(writer, key, cited)
}

/** Where the cited text is in the document. */
function passageOf(location: Fields): Passage {
  const [type = '', place] = Object.entries(location)[0] ?? []
  const { start, end } = fieldsOf(place)
  const unit = type === 'documentPage' ? 'page' : type === 'documentChar' ? 'character' : 'block'
  return { unit, start, end }
}

/** Documents and search results of the request have only a number. */
function documentIdOf(location: Fields): string {
  const [place] = Object.values(location)
  const { documentIndex, searchResultIndex } = fieldsOf(place)
  const index = countOf(documentIndex) ?? countOf(searchResultIndex)
  return index === undefined ? '' : String(index)
}
