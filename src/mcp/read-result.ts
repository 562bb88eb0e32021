/** Responses of a server to a call, and the state of its tasks: only what is complete and whole is a success. */
import type { EventDraft } from '../emitter/event-draft.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { fieldsOf, textIn } from '../validation/read-fields.ts'
import { readPages, readQuestion } from './elicitation.ts'
import { add, drop, invalid, type McpCall, type McpMap, type Reading } from './reading.ts'

/** The error of a call that needs pages to be opened before it is sent again. */
const URL_ELICITATION_REQUIRED = -32042
/** A server that suggests none waits as little, or as long, in milliseconds. */
const [MIN_PAUSE, MAX_PAUSE] = [100, 3_600_000]
/** The fields of the items of a content that are texts, by the type of the item. */
const textsOf = new Map<unknown, readonly string[]>([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource_link', ['uri', 'name']],
])

/** Reads a response to `tools/call`, `tasks/get` or `tasks/result`. */
export function readResponse(reading: Reading, message: Fields, map: McpMap, call: McpCall): Reading {
  const { result, error } = message
  if (isAbsent(result) && isAbsent(error))
    return drop(reading, 'response', 'no-equivalent', 'An empty response has no equivalent.')
  if (!isAbsent(error)) {
    if (!isFields(error) || !isAbsent(result))
      return invalid(reading, 'either a result or an error', '/error')
    if (error.code === URL_ELICITATION_REQUIRED && readPages(reading, error, map, call)) return reading
    return add(reading, failure(call, textIn(error, 'message')))
  }
  if (!isFields(result)) return invalid(reading, 'a result with fields', '/result')
  const { resultType = 'complete' } = result
  if (resultType === 'input_required') {
    if (!isAbsent(result.isError) && result.isError !== false)
      return invalid(reading, 'a question without an error', '/result/isError')
    if (!isAbsent(result.content)) {
      drop(reading, 'content', 'waiting', 'The content of a question is no result yet.', '/result/content')
    }
    return readQuestion(reading, result, '/result', map, call)
  }
  const task = taskIn(result)
  if (resultType === 'task' ? task === undefined : resultType !== 'complete')
    return invalid(reading, 'the resultType complete, input_required or task', '/result/resultType')
  if (task === undefined) return readEnd(reading, result, '/result', call)
  const path = task === result ? '/result' : '/result/task'
  const isWhole = result.resultType === 'complete'
  return readTask(reading, task, path, map, call, isWhole ? undefined : 'response')
}

/** The task in a response that states how it is going, and not its result. */
function taskIn(result: Fields): Fields | undefined {
  if (result.resultType !== 'task' && !isAbsent(result.content)) return undefined
  if (isFields(result.task)) return result.task
  return 'taskId' in result && 'status' in result ? result : undefined
}

/**
 * Reads the state of a task.
 *
 * @param method - The message, if its state may lack the result and the requests of the task. Omitted: it must have them.
 */
export function readTask(
  reading: Reading,
  task: Fields,
  path: string,
  map: McpMap,
  call: McpCall,
  method?: string,
): Reading {
  const { status, result, error } = task
  const taskId = textIn(task, 'taskId')
  const step = textIn(task, 'statusMessage') ?? textIn(task, 'status') ?? ''
  const other = taskId === undefined ? undefined : map.callOf(taskId)
  if (other !== undefined && other.toolCallId !== call.toolCallId)
    return invalid(reading, 'the task of the call', `${path}/taskId`)
  if (status === 'failed' || status === 'cancelled')
    return add(reading, failure(call, textIn(error, 'message') ?? step))
  if (status === 'completed') {
    if (!isAbsent(error)) return invalid(reading, 'a completed task without an error', `${path}/error`)
    if (isFields(result)) return readEnd(reading, result, `${path}/result`, call)
    if (method === undefined) return invalid(reading, 'the result of a completed task', `${path}/result`)
    if (task.resultType === 'task' && taskId !== undefined) reading.task = { taskId }
    return drop(reading, method, 'waiting', 'The result of the task follows.')
  }
  if (status !== 'working' && status !== 'input_required')
    return invalid(reading, 'the status of a task', `${path}/status`)
  if (taskId !== undefined) {
    const pollIntervalMs = task.pollIntervalMs ?? task.pollInterval
    reading.task = {
      taskId,
      ...(typeof pollIntervalMs === 'number' && {
        pollIntervalMs: Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, pollIntervalMs)),
      }),
    }
  }
  if (status === 'input_required') {
    const isHalf = isAbsent(task.inputRequests) || taskId === undefined
    if (isHalf && method === undefined)
      return invalid(reading, 'the requests of a task', `${path}/inputRequests`)
    if (!isHalf) readQuestion(reading, task, path, map, call, taskId)
    if (reading.question !== undefined || reading.diagnostics.length > 0) return reading
  }
  const { toolCallId, progress = 0 } = call
  return add(reading, { kind: 'tool-progress', toolCallId, progress, metadata: { step } })
}

/** Reads how a call has ended: by its result, which is whole and contradicts nothing. */
function readEnd(reading: Reading, result: Fields, path: string, call: McpCall): Reading {
  const { content, structuredContent, isError = null, resultType } = result
  const contradiction = ['inputRequests', 'requestState'].find((name) => !isAbsent(result[name]))
  if (contradiction !== undefined)
    return invalid(reading, 'a result that asks nothing', `${path}/${contradiction}`)
  if (resultType !== undefined && resultType !== 'complete')
    return invalid(reading, 'the resultType complete', `${path}/resultType`)
  if (isError !== null && typeof isError !== 'boolean')
    return invalid(reading, 'true or false', `${path}/isError`)
  // An acknowledgement of `tasks/update` or `tasks/cancel` is empty.
  if (!Array.isArray(content) && (!isAbsent(content) || isAbsent(structuredContent)))
    return invalid(reading, 'a list of content', `${path}/content`)
  // Any value in 2026-07-28, which states the type of each result.
  if (isAbsent(resultType) && !isAbsent(structuredContent) && !isFields(structuredContent))
    return invalid(reading, 'fields', `${path}/structuredContent`)
  const items = (Array.isArray(content) ? content : []).map(fieldsOf)
  const broken = items.findIndex((item) => !isContent(item))
  if (broken >= 0) return invalid(reading, 'an item of content', `${path}/content/${broken}`)
  const texts = items.flatMap(({ type, text }) => (type === 'text' ? [text] : []))
  const text = texts.join('\n')
  const { toolCallId, toolName } = call
  // An error is a text; what else there is cannot be one.
  if (isError === true) return add(reading, failure(call, text === '' ? undefined : text))
  const isText = texts.length > 0 && texts.length === items.length
  const value = structuredContent ?? (isText ? text : content)
  return add(reading, { kind: 'tool-complete', toolCallId, toolName, success: true, result: value })
}

function isContent({ type, resource, ...item }: Fields): boolean {
  const { uri, text, blob } = fieldsOf(resource)
  const texts = type === 'resource' ? [uri, text ?? blob] : textsOf.get(type)?.map((name) => item[name])
  return texts?.every((each) => typeof each === 'string') ?? false
}

/** The end of a call that has failed. */
function failure({ toolCallId, toolName }: McpCall, error = 'The tool failed.'): EventDraft {
  return { kind: 'tool-complete', toolCallId, toolName, success: false, error }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}
