/** What a server asks the user, as drafts. The server is not trusted: its name stands before each of its questions. */

import { toPointer } from '../encoding/pointer.ts'
import { digitsOf, textDigest } from '../encoding/sha256.ts'
import { isSafeAuthUrl } from '../events/auth-url.ts'
import { canonicalJson } from '../json/canonical.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { fieldsOf, textIn } from '../validation/read-fields.ts'
import { drop, invalid, type McpCall, type McpMap, type McpRequest, type Reading } from './reading.ts'

/** A result with more requests is refused. */
const MAX_REQUESTS = 32
/** A longer name or request is refused, in characters. */
const [MAX_KEY, MAX_REQUEST] = [1024, 65_536]

/** Reads the request `elicitation/create`, which is answered by its `id`. */
export function readElicitation(reading: Reading, { id, params }: Fields, map: McpMap): Reading {
  const key = typeof id === 'number' ? String(id) : id
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY)
    return invalid(reading, `an id of at most ${MAX_KEY} characters`, '/id')
  const asked = ask(reading, fieldsOf(params), '/params', map, key, key)
  if (asked !== undefined) reading.question = { requests: [asked] }
  return reading
}

/**
 * Reads the `inputRequests` and the `requestState` of a result or a task.
 *
 * @param path - The JSON Pointer of `owner`.
 * @param taskId - The task that asks: what it has asked before is left out. Omitted: a result, whose call is to be retried.
 */
export function readQuestion(
  reading: Reading,
  owner: Fields,
  path: string,
  map: McpMap,
  { toolCallId, asked = [] }: McpCall,
  taskId?: string,
): Reading {
  const at = `${path}/inputRequests`
  const inputRequests = owner.inputRequests ?? {}
  // Tasks have none.
  const requestState = taskId === undefined ? (owner.requestState ?? undefined) : undefined
  if (requestState !== undefined && typeof requestState !== 'string')
    return invalid(reading, 'a text', `${path}/requestState`)
  if (!isFields(inputRequests)) return invalid(reading, 'requests by their names', at)
  const entries = Object.entries(inputRequests)
  if (entries.length === 0 && requestState === undefined && taskId === undefined)
    return invalid(reading, 'a request, or a requestState', at)
  if (entries.length > MAX_REQUESTS || entries.some(([key]) => key.length > MAX_KEY))
    return invalid(reading, `at most ${MAX_REQUESTS} requests, each with a name of ${MAX_KEY} characters`, at)
  const requests: McpRequest[] = []
  for (const [key, request] of entries) {
    const place = at + toPointer([key])
    // A task that asks for something else by a name it has used asks anew, and so does a call that was retried.
    const text = canonicalJson([toolCallId, taskId ?? asked.length, key, request])
    const id = text === undefined ? undefined : digitsOf(textDigest(text), 32)
    if (id === undefined) invalid(reading, 'a request of at most 1000 levels', place)
    else if (taskId === undefined || !asked.includes(prefixOf(map) + id)) {
      const found = readRequest(reading, request, place, map, key, id)
      if (found !== undefined) requests.push(found)
    }
  }
  // What cannot be asked cannot be answered: the state alone would be taken for a retry.
  if (requests.length === 0 && (entries.length > 0 || taskId !== undefined)) return reading
  reading.question = {
    requests,
    ...(requestState !== undefined && { requestState }),
    ...(taskId !== undefined && { taskId }),
  }
  return reading
}

function readRequest(
  reading: Reading,
  request: unknown,
  path: string,
  map: McpMap,
  key: string,
  id: string,
): McpRequest | undefined {
  const method = textIn(request, 'method')
  if (method === 'elicitation/create')
    return ask(reading, fieldsOf(fieldsOf(request).params), `${path}/params`, map, key, id)
  if (method === undefined) invalid(reading, 'a request with a method', path)
  else drop(reading, method, 'no-equivalent', `${method} asks the user nothing.`, path)
  return undefined
}

/** A form is an input, a page to open is an authentication. Neither is for coordinators: servers ask the user. */
function ask(
  reading: Reading,
  params: Fields,
  path: string,
  map: McpMap,
  key: string,
  ownId: string,
): McpRequest | undefined {
  const { mode, message, requestedSchema, url } = params
  const isPage = mode === 'url'
  const length = canonicalJson(params)?.length ?? Number.POSITIVE_INFINITY
  if (length > MAX_REQUEST) invalid(reading, `a request of at most ${MAX_REQUEST} characters`, path)
  else if (!isPage && mode !== 'form' && mode !== undefined && mode !== null)
    invalid(reading, 'the mode form or url', `${path}/mode`)
  else if (typeof message !== 'string') invalid(reading, 'a text', `${path}/message`)
  else if (isPage && !isSafeAuthUrl(url)) invalid(reading, 'a URL that is safe to open', `${path}/url`)
  else {
    const id = prefixOf(map) + ownId
    const { server } = map
    const prompt = `${server ?? 'An MCP server'} asks: ${oneLine(message)}`
    const metadata = server === undefined ? {} : { metadata: { 'mcp.server': server } }
    reading.drafts.push(
      isPage
        ? {
            kind: 'auth-required',
            authId: id,
            authType: 'oauth2',
            prompt,
            authUrl: url as string,
            ...metadata,
          }
        : {
            ...{ kind: 'input-required', inputId: id, requireUser: true, inputType: 'custom', prompt },
            ...(isFields(requestedSchema) && { schema: requestedSchema }),
            ...metadata,
          },
    )
    return { key, type: isPage ? 'auth' : 'input', id, prompt }
  }
  return undefined
}

function prefixOf({ idPrefix = 'mcp/' }: McpMap): string {
  return idPrefix
}

/** A text that cannot pretend to end before it does: in one line, without what turns the direction of writing. */
function oneLine(text: string): string {
  return text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
