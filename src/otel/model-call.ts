/** One call of a model: a `chat` span and its measurements. */

import type { TaskName } from '../events/event.ts'
import { type Fields, isText } from '../validation/predicates.ts'
import { objectsIn, textIn } from '../validation/read-fields.ts'
import type { Attributes } from './api.ts'
import { nameIn, type Telemetry } from './telemetry.ts'

/** A call of a model that has not ended. */
export interface ModelCall {
  readonly iteration: unknown
  /** Whether the model has answered anything. */
  readonly hasOutput: boolean
  /**
   * Adds an event. Returns whether the response ends with it.
   *
   * @param end - The time of the last delta of an event that covers several.
   */
  add(event: Fields, time: number, end: number): boolean
  /**
   * Ends the call with the last event of its response.
   *
   * @param error - The type of the error that ended it, at `time`, unless the response was complete. Omitted: none.
   */
  end(time: number, error?: string): void
}

/** The kinds of events that are a response of a model. */
const output = new Set([
  ...['content-delta', 'content-replace', 'content-complete', 'thought-delta', 'thought-stream'],
  'tool-arguments-delta',
])

/** The kinds of events that a response leads to. Its usage may follow. */
const outcome = new Set(['tool-start', 'input-required', 'auth-required'])

/** Attributes of the span → counts of a usage. */
const counts = {
  'gen_ai.usage.input_tokens': 'inputTokens',
  'gen_ai.usage.output_tokens': 'outputTokens',
  'gen_ai.usage.cache_read.input_tokens': 'cachedInputTokens',
  'gen_ai.usage.cache_creation.input_tokens': 'cacheWriteInputTokens',
  'gen_ai.usage.reasoning.output_tokens': 'reasoningTokens',
} as const

/**
 * Starts the span of an `internal:llm-call`.
 *
 * @param start - When the model was asked.
 * @param time - That of the event.
 */
export function startModelCall<Context>(
  telemetry: Telemetry<Context>,
  event: Fields,
  { contextId }: TaskName,
  start: number,
  time: number,
  parent: Context,
): ModelCall {
  const { iteration, metadata } = event
  const usage = objectsIn(metadata, 'usage')
  // Readers of model streams write `unknown` if the stream does not name it.
  const named = nameIn(event, 'model')
  const model = named === '' || named === 'unknown' ? undefined : named
  const provider = nameIn(metadata, 'provider') ?? nameIn(usage[0], 'provider')
  const responseId = textIn(metadata, 'responseId')
  const labels: Attributes = {
    'gen_ai.operation.name': 'chat',
    ...(provider !== undefined && { 'gen_ai.provider.name': provider }),
    ...(model !== undefined && { 'gen_ai.request.model': model, 'gen_ai.response.model': model }),
  }
  const running = telemetry.start('chat', model, start, parent, labels, {
    'gen_ai.conversation.id': contextId,
    ...(responseId !== undefined && { 'gen_ai.response.id': responseId }),
  })
  const attributes: Attributes = {}
  let last: number | undefined
  /** Whether nothing has to follow. */
  let isWhole = false
  const addUsage = (usages: readonly Fields[]): void => {
    for (const [attribute, name] of Object.entries(counts))
      for (const { [name]: count } of usages)
        if (Number.isSafeInteger(count) && (count as number) >= 0) {
          const sum = ((attributes[attribute] as number | undefined) ?? 0) + (count as number)
          if (Number.isSafeInteger(sum)) attributes[attribute] = sum
        }
  }
  addUsage(usage)
  return {
    iteration,
    get hasOutput() {
      return last !== undefined
    },
    add({ kind, finishReason, metadata: data }, now, until) {
      if (outcome.has(kind as string)) {
        last ??= now
        isWhole = true
      }
      if (!output.has(kind as string)) return kind === 'internal:checkpoint'
      if (last === undefined && isText(kind) && kind.endsWith('-delta')) {
        const elapsed = Math.max(0, now - start) / 1000
        attributes['gen_ai.request.stream'] = true
        attributes['gen_ai.response.time_to_first_chunk'] = elapsed
        telemetry.record('gen_ai.client.operation.time_to_first_chunk', elapsed, labels)
      }
      last = until
      isWhole = kind === 'content-complete'
      if (!isWhole) return false
      const used = objectsIn(data, 'usage')
      addUsage(used)
      if (isText(finishReason)) attributes['gen_ai.response.finish_reasons'] = [finishReason]
      return used.length > 0 || isText(finishReason)
    },
    end(now, error) {
      if (isWhole || error === undefined) running.end(last ?? time, undefined, attributes)
      else running.end(now, error, attributes)
      for (const type of ['input', 'output'] as const) {
        const count = attributes[`gen_ai.usage.${type}_tokens`] as number | undefined
        if (count !== undefined)
          telemetry.record('gen_ai.client.token.usage', count, { ...labels, 'gen_ai.token.type': type })
      }
    },
  }
}
