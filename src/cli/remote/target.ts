/** The server that a command asks: its address, and what is sent to it. */
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { excerptOf, messageOf, responseFault, STREAM_TYPES } from '../../live/index.ts'
import type { Arguments, OptionTable } from '../arguments.ts'
import { reasonOf, requireOtherFile } from '../recording/input.ts'
import { UsageError } from '../usage-error.ts'

/** The options about a request. */
export const requestOptions: OptionTable = {
  header: {
    type: 'string',
    short: 'H',
    multiple: true,
    value: 'HEADER',
    about: 'A header such as "authorization: Bearer …"; may be repeated',
  },
  data: {
    type: 'string',
    short: 'd',
    value: 'BODY',
    about: 'Send this body by POST, as JSON unless a header states another type; @FILE reads it from a file',
  },
}

/** A server that is asked for a stream. */
export interface Target {
  readonly url: URL
  /** Whether it may be asked again without another effect: a body may start an agent. */
  readonly isRepeatable: boolean
  /** Sends the request, after a message if one is stated. Rejects if there is no answer. */
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>
}

/**
 * The server that the arguments name.
 *
 * @throws UsageError if they name none, or cannot be sent.
 */
export async function targetOf({ operands, rest, options }: Arguments): Promise<Target> {
  const url = urlOf([...operands, ...rest])
  const body = await bodyOf(options)
  const headers = headersOf((options.header ?? []) as readonly string[], body !== undefined)
  return {
    url,
    isRepeatable: body === undefined,
    async connect(lastEventId, signal) {
      const own = new Headers(headers)
      if (lastEventId !== undefined) own.set('last-event-id', lastEventId)
      let post = body === undefined ? {} : { method: 'POST', body }
      for (let at = url, left = MAX_REDIRECTS; ; left--) {
        const response = await fetch(at, { signal, headers: own, redirect: 'manual', ...post })
        const next = redirectOf(response)
        // The headers and the body may be secret: they are for the server that the call names.
        if (next?.origin !== url.origin || left === 0) return response
        await response.body?.cancel()
        at = next
        if (response.status < 307) post = {}
      }
    },
  }
}

const MAX_REDIRECTS = 20

/** The address that a response names instead of its own. */
function redirectOf({ status, headers, url }: Response): URL | undefined {
  const location = headers.get('location') ?? ''
  const isRedirect = [301, 302, 303, 307, 308].includes(status) && URL.canParse(location, url)
  return isRedirect ? new URL(location, url) : undefined
}

/** How a server is asked. */
export interface OpenOptions {
  readonly signal: AbortSignal
  /** The message to continue after. Omitted: the stream is read from its start. */
  readonly lastEventId?: string | undefined
  /** How long to wait for a server that does not listen yet, in milliseconds. @defaultValue 0 */
  readonly waitMs?: number
}

/** The time between two attempts to reach a server that does not listen yet, in milliseconds. */
const EVERY_MS = 200

/**
 * Asks a server for a stream.
 *
 * @throws UsageError if it does not answer with one, with what to try.
 */
export async function openTarget(target: Target, options: OpenOptions): Promise<Response> {
  const { url } = target
  const response = await answerOf(target, options)
  const fault = responseFault(response)
  if (fault === undefined) return response
  const excerpt = await excerptOf(response)
  throw new UsageError(`${shown(url)}: ${fault}${excerpt} ${whatToTry(response, target)}`)
}

async function answerOf(target: Target, { signal, lastEventId, waitMs = 0 }: OpenOptions): Promise<Response> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      return await target.connect(lastEventId, signal)
    } catch (error) {
      if (signal.aborted) throw error
      if (codeOf(error) !== 'ECONNREFUSED' || Date.now() >= deadline)
        throw new UsageError(`Cannot reach ${shown(target.url)}: ${noAnswer(error)}`)
      await setTimeout(EVERY_MS, undefined, { signal })
    }
  }
}

/** An address without what may be secret in it. */
export function shown({ origin, pathname }: URL): string {
  return origin + pathname
}

function urlOf(operands: readonly string[]): URL {
  const [text = '', ...more] = operands
  const example = 'such as http://localhost:3000/stream'
  if (text === '') throw new UsageError(`Expected the URL of a stream, ${example}, got none.`)
  if (more.length > 0) throw new UsageError(`Expected one URL, got ${operands.length}.`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const meant = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(text) ? ` Did you mean http://${text}?` : ''
    throw new UsageError(`Expected the URL of a stream, ${example}, got ${text}.${meant}`)
  }
  if (url.username + url.password !== '')
    throw new UsageError('Expected a URL without a password, got one with it. Use -H "authorization: …".')
  return url
}

async function bodyOf({ data, output }: Arguments['options']): Promise<string | undefined> {
  if (typeof data !== 'string' || !data.startsWith('@')) return data as string | undefined
  const file = data.slice(1)
  await requireOtherFile(file, output)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${reasonOf(error)}`)
  }
}

/** The headers of the request. Their values may be secret: no message has them. */
function headersOf(lines: readonly string[], hasBody: boolean): Headers {
  const headers = new Headers({
    accept: STREAM_TYPES,
    ...(hasBody && { 'content-type': 'application/json' }),
  })
  for (const line of lines) {
    const [name = '', value] = line.split(/:(.*)/s)
    try {
      if (value === undefined) throw new TypeError('no colon')
      headers.set(name.trim(), value.trim())
    } catch {
      throw new UsageError(
        `Expected -H as "name: value", got ${value === undefined ? 'text without a colon' : `${name}: with a value that is no header`}.`,
      )
    }
  }
  return headers
}

function codeOf(error: unknown): string | undefined {
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code
}

/** Why there is no answer, and what to try. */
function noAnswer(error: unknown): string {
  const { cause } = error as Error
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return 'nothing listens there. Start the server, or check the port.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host. Check its name.'
  const reason = messageOf(cause ?? error) || String(code)
  return `${reason.replace(/\.$/, '')}. Check that the server runs and speaks HTTP there.`
}

function whatToTry(response: Response, { isRepeatable }: Target): string {
  const { status, ok } = response
  const next = redirectOf(response)
  if (next !== undefined) return `It redirects to ${shown(next)}: name that address if you trust it.`
  if (status === 401 || status === 403) return 'Send credentials with -H "authorization: Bearer …".'
  if (ok && status !== 204)
    return 'Is it the address of a page? Name the one that the page reads its stream from.'
  if (isRepeatable && [400, 404, 405, 415, 422].includes(status))
    return 'Check the path, or send a body with --data.'
  if (status === 404) return 'Check the path.'
  return status >= 500 ? 'Look at the log of the server.' : 'Check the path, the headers and the body.'
}
