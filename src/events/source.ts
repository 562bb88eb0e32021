/** Sources: what an answer cites. */
import type { Metadata } from './metadata.ts'

/**
 * A web page or document that a text cites, and the passage of the text that cites it. `start` and `end` count
 * UTF-16 code units of the segment's text, as `String.prototype.slice` does; convert the positions of
 * providers that count bytes or code points.
 */
export interface CitedSource extends Metadata {
  /** The address of the source. Not trusted, as it may come from a model: check its scheme. Omitted if it has none. */
  url?: string
  /** The title of the source. Omitted if unknown. */
  title?: string
  /** The document, if the source is not a web page: an id of the application or the provider. Omitted if none. */
  documentId?: string
  /** Where the passage begins in `content`, from 0. Omitted if the whole text cites the source. */
  start?: number
  /** Where the passage ends in `content`, exclusive. Omitted if the whole text cites the source. */
  end?: number
  /** The cited text of the source, verbatim. Omitted if unknown. */
  quote?: string
}
