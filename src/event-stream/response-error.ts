/** Responses that are not an event stream. */
import { mismatch } from '../core/require.ts'
import { openSource, type Source } from '../core/source.ts'

const EVENT_STREAM = 'text/event-stream'
const MAX_EXCERPT = 1024
/** How long to wait for the excerpt, in milliseconds: a server may never end the body of an error. */
const MAX_WAIT = 1000

/** Thrown by {@link readEvents} and `watchStream` for a response that is not a successful event stream. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
  /** The HTTP status, such as 401. */
  readonly status: number
  /** The `content-type` header. `null` if the response has none. */
  readonly contentType: string | null
  /** The start of the body as text, at most 1024 characters, as far as it comes within a second. Empty if there is none or it cannot be read. */
  readonly excerpt: string

  constructor({
    status,
    contentType,
    excerpt,
  }: { status: number; contentType: string | null; excerpt: string }) {
    super(`Expected an event stream, got status ${status} with content type ${contentType ?? 'none'}.`)
    this.status = status
    this.contentType = contentType
    this.excerpt = excerpt
  }
}

/** Whether a value is a response, also one of another realm. */
export function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'body' in value && 'status' in value
}

/** Requires a list of media types, or `any`. */
export function requireContentTypes(value: unknown): asserts value is readonly string[] | 'any' {
  if (value === 'any') return
  const isType = (type: unknown): boolean => typeof type === 'string' && /^[^\s;*/]+\/[^\s;*/]+$/.test(type)
  if (Array.isArray(value) && value.length > 0 && value.every(isType)) return
  throw mismatch('contentTypes', '"any" or an array of media types without parameters', value)
}

/** The body of a response. One that is not an accepted stream throws a {@link ResponseError} when it is read. */
export function bodyOf(
  response: Response,
  contentTypes: readonly string[] | 'any' = [EVENT_STREAM],
): Source<string | Uint8Array> {
  const { body } = response
  // Some platforms have responses that cannot be read as they arrive.
  if (body === undefined) throw mismatch('source', 'a Response with a readable body', response)
  const contentType = response.headers.get('content-type')
  // A status such as 204 has neither a body nor a content type.
  if (response.ok && body === null && contentType === null) return []
  return response.ok && accepts(contentTypes, contentType) ? (body ?? []) : refusal(response, contentType)
}

function accepts(contentTypes: readonly string[] | 'any', contentType: string | null): boolean {
  if (contentTypes === 'any') return true
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return contentTypes.some((accepted) => accepted.toLowerCase() === mediaType)
}

/** A source that throws. A source, so that aborting and leaving cancel the body while the excerpt is read. */
function refusal({ status, body }: Response, contentType: string | null): AsyncIterable<never> {
  return {
    [Symbol.asyncIterator]() {
      const { pull, cancel } = openSource<string | Uint8Array>(body === null || body.locked ? [] : body)
      return {
        async next() {
          const excerpt = await readExcerpt(pull)
          void cancel(undefined)
          throw new ResponseError({ status, contentType, excerpt })
        },
        async return() {
          await cancel(undefined)
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/** The start of a body, as far as it can be read in time. */
async function readExcerpt(
  pull: () => Promise<IteratorResult<string | Uint8Array, unknown>>,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<{ value?: undefined }>((resolve) => {
    timer = setTimeout(() => resolve({}), MAX_WAIT)
  })
  try {
    // Chunks may be empty.
    for (let reads = 0; reads < MAX_EXCERPT && text.length < MAX_EXCERPT; reads++) {
      const { value } = (await Promise.race([pull(), timeout])) as { value?: string | Uint8Array }
      if (value === undefined) break
      // No character takes more than four bytes.
      const part = value.slice(0, 4 * MAX_EXCERPT)
      text += typeof part === 'string' ? part : decoder.decode(part, { stream: true })
    }
  } catch {
    // The status matters more than why its body ended.
  }
  clearTimeout(timer)
  return text.slice(0, MAX_EXCERPT).replace(/[\uD800-\uDBFF]$/, '')
}
