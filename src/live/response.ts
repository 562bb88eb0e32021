/** What a server answers to a request for a stream. */

/** The media types of streams, for the header `accept`. */
export const STREAM_TYPES = 'text/event-stream, application/x-ndjson, application/json'

/** Why a response holds no stream. `undefined` if it may hold one. */
export function responseFault({ ok, status, body, headers }: Response): string | undefined {
  if (!ok || body === null) return unexpectedStatus(status)
  const type = headers.get('content-type') ?? ''
  return type.startsWith('text/html') ? `Expected an event stream or JSON, got ${type}.` : undefined
}

/** The most of a body that is shown, in characters. */
const MAX_EXCERPT = 300
/** How long to wait for it, in milliseconds. */
const MAX_WAIT_MS = 1000

/** The beginning of what a server answers instead of a stream, after a space. Empty for a page, and if there is nothing. */
export async function excerptOf({ body, headers }: Response): Promise<string> {
  const reader = body?.getReader()
  if (reader === undefined) return ''
  const cancel = (): void => void reader.cancel().catch(() => {})
  const wait = setTimeout(cancel, MAX_WAIT_MS)
  const { value } = await reader.read().catch(() => ({ value: undefined }))
  clearTimeout(wait)
  cancel()
  if (value === undefined || headers.get('content-type')?.startsWith('text/html') === true) return ''
  const text = new TextDecoder().decode(value.subarray(0, MAX_EXCERPT)).replace(/\s+/g, ' ').trim()
  return text === '' ? '' : ` It answers: ${text}${/[.!?]$/.test(text) ? '' : '.'}`
}

/** The message for a status without a stream. */
export function unexpectedStatus(status: number): string {
  return `Expected status 200, got ${status}.`
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
