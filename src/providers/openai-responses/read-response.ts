/** The response as a whole: its beginning, its end and its usage. */

import { failUnstated } from '../shared/calls.ts'
import { keepDetails } from '../shared/details.ts'
import { errorOf, refusalOf } from '../shared/errors.ts'
import { countOf, type Fields, fieldsOf, firstText, objectsOf, textOf } from '../shared/fields.ts'
import { contentOf } from '../shared/growing.ts'
import { begin, type ModelWriter } from '../shared/model-writer.ts'
import { complete, fail, finish, restart, setUsage } from '../shared/response.ts'
import { readItem } from './items.ts'
import { refusalKeyOf } from './parts.ts'
import type { ResponsesState } from './state.ts'

type Writer = ModelWriter<ResponsesState>

/**
 * Reads the beginning of a response: another one than before, or the same again.
 *
 * @param isCreated - Whether it is created. Some servers change the ids of a response in later chunks.
 */
export function beginResponse(writer: Writer, response: Fields, isCreated: boolean): void {
  const responseId = textOf(response.id)
  if (isCreated && writer.state.stage !== 'waiting' && writer.state.responseId !== responseId) {
    restart(writer)
    const { asked, seen } = writer.state.own
    writer.state.own = { items: [], asked, seen }
  }
  begin(writer, { model: textOf(response.model), responseId })
}

/** Reads the end of a response. */
export function endResponse(writer: Writer, response: Fields): void {
  const { status, error, incomplete_details: incomplete, output } = response
  begin(writer, { model: textOf(response.model), responseId: textOf(response.id) })
  // The items whose end did not come: of a response that is not streamed, all.
  for (const [at, item] of objectsOf(output).entries()) readItem(writer, item, at)
  keepDetails(writer, response, responseDetails)
  readUsage(writer, fieldsOf(response.usage))
  if (status === 'failed' || error != null) {
    fail(writer, errorOf(writer, error))
    return
  }
  const refusal = refusalText(writer)
  const reason = firstText(fieldsOf(incomplete).reason, refusal === '' ? status : 'refusal') || 'completed'
  failUnstated(writer)
  finish(writer, reason, status === 'incomplete' || status === 'cancelled')
  if (refusal !== '') writer.state.error = refusalOf(writer, 'refusal')
  else if (reason === 'content_filter') writer.state.error = refusalOf(writer, reason)
  complete(writer)
}

/** What no event has: not the echo of the request. */
const responseDetails = 'service_tier content_filters conversation incomplete_details moderation'.split(' ')

function refusalText({ state: { texts, own } }: Writer): string {
  const keys = new Set(own.items.map(({ index }) => refusalKeyOf(index)))
  return texts
    .filter(({ key }) => keys.has(key))
    .map(({ text }) => contentOf(text))
    .join('')
}

function readUsage(writer: Writer, usage: Fields): void {
  setUsage(writer, usage, {
    inputTokens: countOf(usage.input_tokens),
    outputTokens: countOf(usage.output_tokens),
    totalTokens: countOf(usage.total_tokens),
    reasoningTokens: countOf(fieldsOf(usage.output_tokens_details).reasoning_tokens),
    cachedInputTokens: countOf(fieldsOf(usage.input_tokens_details).cached_tokens),
    cacheWriteInputTokens: countOf(fieldsOf(usage.input_tokens_details).cache_write_tokens),
  })
}
