/** A page with a recording inside. */

/** A recording in the page. */
export interface EmbeddedRecording {
  /** Shown as the name of the file. */
  readonly name: string
  /** The content of the file. */
  readonly text: string
}

const placeholder = '<script type="application/json" id="recording"></script>'

/**
 * Puts a recording into the viewer, which shows it when it is opened. The text cannot end the element it is in.
 *
 * @param page - The HTML of the viewer.
 * @throws TypeError if the page has no place for a recording.
 */
export function embedRecording(page: string, { name, text }: EmbeddedRecording): string {
  const at = page.lastIndexOf(placeholder)
  if (at < 0) throw new TypeError('"page" must be the HTML of the viewer without a recording.')
  const end = at + placeholder.length
  const json = JSON.stringify({ name, text }).replace(/</g, '\\u003c')
  return page.slice(0, at) + placeholder.replace('><', () => `>${json}<`) + page.slice(end)
}
