/** Where a stream of responses begins another one. */

import { type Fields, isFields } from '../../validation/predicates.ts'
import { textOf } from '../../validation/read-fields.ts'
import type { Dialect } from '../dialects.ts'

/** Whether a value begins another response than the one before it. Called with each value in order. */
export type IsStart = (value: Fields) => boolean

/** More choices of one response are not distinguished. */
const MAX_CHOICES = 128

const idIn = (value: unknown): string => (isFields(value) ? textOf(value.id) : '')
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

/** What the values of a format are. */
interface Marks {
  /** Whether a value begins a response. */
  readonly isStart: (value: Fields) => boolean
  /** Whether a value ends one. Omitted: nothing does. */
  readonly isEnd?: (value: Fields) => boolean
  /** Whether a value is a whole response. Omitted: no value is one. */
  readonly isWhole?: (value: Fields) => boolean
  /** The id of the response that one of these states, or an empty text. Omitted: none states any. */
  readonly idOf?: (value: Fields) => string
}

/**
 * Another response by a value that begins one: a start that is repeated with the same id begins none, nor does the whole
 * response after its stream. Ids of other values do not count: some servers give each an id of its own.
 */
function marked({ isStart, isEnd, isWhole = () => false, idOf = () => '' }: Marks): IsStart {
  let hasBegun = false
  let hasEnded = false
  let id = ''
  return (value) => {
    const isFirst = isStart(value)
    let isOther = false
    if (isFirst || isWhole(value)) {
      const own = idOf(value)
      isOther = hasBegun && (isFirst ? hasEnded || own === '' || own !== id : own !== '' && own !== id)
      if (own !== '') id = own
      if (isFirst) hasEnded = false
      hasBegun = true
    } else if (isEnd?.(value) === true) hasEnded = true
    return isOther
  }
}

/**
 * Another response by the id of a chunk. Some servers give each chunk an id of its own: it counts after the end or the failure
 * of a response, or if two chunks before had the same.
 */
function byChunkId(
  idName: string,
  choicesName: string,
  isEnd: (choice: Fields) => boolean,
  hasContent: (choice: Fields) => boolean,
): IsStart {
  let id = ''
  let hasStableId = false
  let hasFailed = false
  const ended = new Set<unknown>()
  return (chunk) => {
    const choices = listOf(chunk[choicesName])
    const own = textOf(chunk[idName])
    const isOther = own !== '' && id !== '' && own !== id
    const isStart =
      choices.length > 0 &&
      (isOther
        ? ended.size > 0 || hasStableId || hasFailed
        : id === '' && choices.some((choice) => ended.has(choice.index) && hasContent(choice)))
    hasStableId = !isOther && own !== '' && own === id
    if (isStart) ended.clear()
    hasFailed = !isStart && (hasFailed || chunk.error != null)
    if (own !== '') id = own
    for (const choice of choices) if (isEnd(choice) && ended.size < MAX_CHOICES) ended.add(choice.index)
    return isStart
  }
}

function chat(): IsStart {
  return byChunkId(
    'id',
    'choices',
    ({ finish_reason }) => textOf(finish_reason) !== '',
    ({ delta }) => isFields(delta) && (textOf(delta.content) !== '' || listOf(delta.tool_calls).length > 0),
  )
}

/** Older models end each chunk, so without ids two responses cannot be distinguished. */
function gemini(): IsStart {
  const content = byChunkId(
    'responseId',
    'candidates',
    ({ finishReason }) => textOf(finishReason) !== '',
    () => false,
  )
  const interactions = marked({
    isStart: ({ event_type }) => event_type === 'interaction.created',
    isEnd: ({ event_type }) => event_type === 'interaction.completed',
    idOf: ({ interaction }) => idIn(interaction),
  })
  return (value) => (value.event_type === undefined ? content(value) : interactions(value))
}

/** A message that waits for the output or the approval of a call is continued with its own id, in another response. */
function aiSdk(): IsStart {
  let id: unknown
  let hasEnded = false
  let hasBegun = false
  return ({ type, messageId, finishReason }) => {
    const isStart =
      type === 'start' && (hasEnded || (hasBegun && messageId !== undefined && messageId !== id))
    if (isStart) hasEnded = false
    if (type === 'start') {
      hasBegun = true
      id = messageId ?? id
    }
    if (type === 'abort' || (type === 'finish' && finishReason !== 'tool-calls')) hasEnded = true
    return isStart
  }
}

/** After the end of a run, what is no end begins another one, unless it states the same id. */
function agentEvent(): IsStart {
  let hasEnded = false
  let run: unknown
  return ({ type, runId }) => {
    const isEnd = ['final', 'error', 'cancelled'].includes(textOf(type))
    const isOther = runId !== undefined && run !== undefined ? runId !== run && hasEnded : hasEnded && !isEnd
    hasEnded = isEnd || (hasEnded && !isOther)
    run = runId ?? (isOther ? undefined : run)
    return isOther
  }
}

const starts: Readonly<Partial<Record<Dialect, () => IsStart>>> = {
  'agent-event': agentEvent,
  'ai-sdk': aiSdk,
  'openai-chat': chat,
  'openai-responses': () =>
    marked({
      isStart: ({ type }) => type === 'response.created',
      isEnd: ({ type }) => /^response\.(?:completed|failed|incomplete)$/.test(textOf(type)),
      isWhole: ({ object }) => object === 'response',
      idOf: ({ id, response = { id } }) => idIn(response),
    }),
  anthropic: () =>
    marked({
      isStart: ({ type }) => type === 'message_start',
      isEnd: ({ type }) => type === 'message_stop',
      isWhole: ({ type }) => type === 'message',
      idOf: ({ id, message = { id } }) => idIn(message),
    }),
  gemini,
  bedrock: () => marked({ isStart: ({ messageStart }) => messageStart !== undefined }),
  cohere: () =>
    marked({
      isStart: ({ type }) => type === 'message-start',
      isEnd: ({ type }) => type === 'message-end',
      idOf: ({ id }) => textOf(id),
    }),
}

/** What distinguishes the responses of a format. `undefined` for formats whose events name their task. */
export function responseStarts(dialect: Dialect): IsStart | undefined {
  return starts[dialect]?.()
}
