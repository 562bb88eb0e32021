/** The message as a whole: its beginning, its end and its usage. */

import { keepDetails } from '../shared/details.ts'
import { refusalOf } from '../shared/errors.ts'
import { countOf, type Fields, fieldsOf, objectsOf, sumOf, textOf } from '../shared/fields.ts'
import { begin, type ModelWriter, startResponse } from '../shared/model-writer.ts'
import { reportCounts, reportDropped, reportFields } from '../shared/report.ts'
import { complete, finish, hasFinished, restart, setUsage } from '../shared/response.ts'
import { describeLastText } from '../shared/texts.ts'
import { startBlock, stopBlock } from './read-block.ts'
import { type AnthropicState, initialState, type Tokens } from './state.ts'

type Writer = ModelWriter<AnthropicState>

/** Reads the beginning of a message. Another one before the end starts over. */
export function beginMessage(writer: Writer, message: Fields): void {
  const { stage, responseId, own } = writer.state
  const id = textOf(message.id)
  if (stage === 'streaming' && own.blocks.count === 0 && responseId === id) {
    writer.dropped(
      'message_start',
      'repeated',
      `Expected one message_start of message ${id}, got another one.`,
    )
    return
  }
  restart(writer)
  writer.state.own = initialState
  begin(writer, { model: textOf(message.model), responseId: id })
  if (writer.state.stage === 'waiting') startResponse(writer)
  keepDetails(writer, message, ['service_tier'])
  readUsage(writer, fieldsOf(message.usage))
}

/** Reads a message that is not streamed. */
export function readMessage(writer: Writer, message: Fields): void {
  beginMessage(writer, message)
  for (const [index, block] of objectsOf(message.content).entries()) {
    startBlock(writer, { index, content_block: block })
    stopBlock(writer, { index })
  }
  endMessage(writer, { delta: message })
  complete(writer)
}

const deltaFields = new Set('stop_reason stop_sequence stop_details container'.split(' '))

/** Reads the chunk that states why the model stopped. */
export function readMessageDelta(writer: Writer, chunk: Fields): void {
  reportFields(writer, fieldsOf(chunk.delta), deltaFields, '/delta')
  readUsage(writer, fieldsOf(chunk.usage))
  endMessage(writer, chunk)
}

function endMessage(writer: Writer, chunk: Fields): void {
  const {
    stop_reason: stop,
    stop_sequence: sequence,
    stop_details: details,
    container,
  } = fieldsOf(chunk.delta)
  const reason = textOf(stop)
  // The explanation is reported: it may quote what is no one else's business.
  const { explanation: _, ...others } = fieldsOf(details)
  const stated = { container, ...(Object.keys(others).length > 0 && { stop_details: others }) }
  keepDetails(writer, stated, ['stop_details', 'container'])
  if (reason === '' || hasFinished(writer, reason)) return
  if (textOf(sequence) !== '' && !describeLastText(writer, { stopSequence: textOf(sequence) })) {
    reportDropped(writer, 'stop_sequence', 'The stop sequence of a message without text has no equivalent.')
  }
  const isCut = reason === 'max_tokens' || reason === 'model_context_window_exceeded'
  finish(writer, reason, isCut)
  if (reason === 'refusal' || reason === 'model_context_window_exceeded') {
    writer.state.error = refusalOf(writer, reason, textOf(fieldsOf(details).explanation))
  }
}

const counted = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens']

/** Iterations whose tokens are billed, and not among those of the message. */
const apart = new Set(['compaction', 'advisor_message'])

/**
 * Counts all that is billed: the input with what was read from the cache and what was written to it, which `input_tokens`
 * excludes, and the iterations that the message excludes.
 */
function readUsage(writer: Writer, usage: Fields): void {
  const { own } = writer.state
  const { iterations } = usage
  const further = objectsOf(iterations).filter(({ type }) => apart.has(textOf(type)))
  for (const iteration of further) reportCounts(writer, iteration)
  const tokens = { ...own.tokens, ...tokensOf([usage]) }
  const furtherTokens = Array.isArray(iterations) ? tokensOf(further) : own.furtherTokens
  writer.state.own = { ...own, tokens, furtherTokens }
  const [uncached, cachedInputTokens, cacheWriteInputTokens, outputTokens] = counted.map((name) =>
    sumOf(tokens[name], furtherTokens[name]),
  )
  const inputTokens = sumOf(uncached, cachedInputTokens, cacheWriteInputTokens)
  setUsage(writer, usage, {
    inputTokens,
    outputTokens,
    totalTokens:
      inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens,
    reasoningTokens: countOf(fieldsOf(usage.output_tokens_details).thinking_tokens),
    cachedInputTokens,
    cacheWriteInputTokens,
  })
}

/** The sums of the tokens that are known. */
function tokensOf(usages: readonly Fields[]): Tokens {
  const sums: Record<string, number> = {}
  for (const name of counted) {
    const sum = sumOf(...usages.map((usage) => usage[name]))
    if (sum !== undefined) sums[name] = sum
  }
  return sums
}
