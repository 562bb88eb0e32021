/** A page with a recording inside, or the URL of a stream. */

/** A recording in the page, or a stream that the page connects to. */
export type EmbeddedRecording = {
  /** Shown as the name of the file or the stream. */
  readonly name: string
} & (
  | {
      /** The content of the file. */
      readonly text: string
    }
  | {
      /** The URL of the stream, relative to the page. */
      readonly url: string
    }
)

/**
 * Puts a recording or a stream into the viewer, which shows it when it is opened. The text cannot end the element it is in.
 *
 * @param page - The HTML of the viewer.
 * @param id - `example-recording`: it is shown by a button.
 * @throws TypeError if the page has no place for a recording.
 */
export function embedRecording(
  page: string,
  recording: EmbeddedRecording,
  id: 'recording' | 'example-recording' = 'recording',
): string {
  const placeholder = `<script type="application/json" id="${id}"></script>`
  const at = page.lastIndexOf(placeholder)
  if (at < 0) throw new TypeError('"page" must be the HTML of the viewer without a recording.')
  const end = at + placeholder.length
  const json = JSON.stringify(recording).replace(/</g, '\\u003c')
  return page.slice(0, at) + placeholder.replace('><', () => `>${json}<`) + page.slice(end)
}
