/** What a server asks the user, as drafts. The server is not trusted: its name stands before each of its questions. */

import { oneLine } from '../encoding/one-line.ts'
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
  const key = readKey(reading, id, '/id')
  const asked = key === undefined ? undefined : ask(reading, fieldsOf(params), '/params', map, key, key)
  if (asked !== undefined) reading.question = { requests: [asked] }
  return reading
}

/** Reads that a request of the server is canceled: each side cancels its own requests only. */
export function readCanceled(reading: Reading, { requestId }: Fields, map: McpMap): Reading {
  const key = readKey(reading, requestId, '/params/requestId')
  if (key !== undefined) reading.canceled = prefixOf(map) + key
  return reading
}

/** Reads that the user has completed a page. */
export function readCompleted(reading: Reading, { elicitationId }: Fields): Reading {
  const key = readKey(reading, elicitationId, '/params/elicitationId')
  if (key !== undefined) reading.completed = key
  return reading
}

/** The id of a request of the server. */
function readKey(reading: Reading, id: unknown, path: string): string | undefined {
  const key = typeof id === 'number' ? String(id) : id
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY) return key
  invalid(reading, `an id of at most ${MAX_KEY} characters`, path)
  return undefined
}

/** Reads the pages that an error wants opened, and returns whether any can be. They get no response: the call is sent again. */
export function readPages(
  reading: Reading,
  { data }: Fields,
  map: McpMap,
  { toolCallId, asked = [] }: McpCall,
): boolean {
  const at = '/error/data/elicitations'
  const { elicitations } = fieldsOf(data)
  const pages: readonly unknown[] =
    Array.isArray(elicitations) && elicitations.length <= MAX_REQUESTS ? elicitations : []
  if (pages.length === 0) invalid(reading, `1 to ${MAX_REQUESTS} pages`, at)
  const requests = pages.flatMap((page, i) => {
    const id = idOf([toolCallId, asked.length, i, page])
    return ask(reading, { ...fieldsOf(page), mode: 'url' }, `${at}/${i}`, map, id) ?? []
  })
  if (requests.length > 0) reading.question = { requests }
  return requests.length > 0
}

/** An id that no server can choose; empty if the request is too deep, which is refused. */
function idOf(value: unknown): string {
  const text = canonicalJson(value)
  return text === undefined ? '' : digitsOf(textDigest(text), 32)
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
    const id = idOf([toolCallId, taskId ?? asked.length, key, request])
    if (taskId === undefined || !asked.includes(prefixOf(map) + id)) {
      const found = readRequest(reading, request, place, map, id, key)
      if (found !== undefined) requests.push(found)
    }
  }
  // The state alone would be taken for a retry.
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
  id: string,
  key: string,
): McpRequest | undefined {
  const method = textIn(request, 'method')
  if (method === 'elicitation/create')
    return ask(reading, fieldsOf(fieldsOf(request).params), `${path}/params`, map, id, key)
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
  ownId: string,
  key?: string,
): McpRequest | undefined {
  const { mode, message, requestedSchema, url } = params
  const isPage = mode === 'url'
  const length = canonicalJson(params)?.length ?? MAX_REQUEST + 1
  if (length > MAX_REQUEST) invalid(reading, `a request of at most ${MAX_REQUEST} characters`, path)
  else if (!isPage && (mode ?? 'form') !== 'form') invalid(reading, 'the mode form or url', `${path}/mode`)
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
            ...(isFields(requestedSchema) && { schema: shownSchema(requestedSchema) }),
            ...metadata,
          },
    )
    const elicitationId = isPage ? textIn(params, 'elicitationId') : undefined
    return {
      ...{ type: isPage ? 'auth' : 'input', id, prompt },
      ...(key !== undefined && { key }),
      ...(elicitationId !== undefined && { elicitationId }),
    }
  }
  return undefined
}

function prefixOf({ idPrefix = 'mcp/' }: McpMap): string {
  return idPrefix
}

/** A schema with one line for each title and description. What is answered stays as it is. */
function shownSchema(schema: Fields): Fields {
  const shown = (value: unknown): unknown => (typeof value === 'string' ? oneLine(value) : value)
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    if (name === 'enumNames' && Array.isArray(value)) return value.map(shown)
    return name === 'title' || name === 'description' ? shown(value) : value
  }) as Fields
}
