/** Addresses in events that pages open. */

/**
 * The media type of a file that is a link: its data is the address, and `metadata.mimeType` the media type of the
 * linked content.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2483#section-5
 */
export const LINK_TYPE = 'text/uri-list'

/** An address that a page may open: a foreign agent may choose `javascript:`. */
export const LINK: RegExp = /^(?:(?:https?|data):\S*|[^\s:/?#]+(?:[/?#]\S*)?|[/?#]\S*)$/i
