/** The ids of texts that have no `contentId`. */

/** The ids of texts without one. A `contentId` of this form gets one of these as well. */
export const NUMBERED_TEXT: RegExp = /^text:\d+$/

/** The id of the nth text without one. */
export function numberedText(n: number): string {
  return `text:${n}`
}
