/** Responses of models that the OpenAI Agents SDK calls by other packages: the events in its own form, as chunks of Chat Completions. */

import { type Fields, fieldsOf, firstText, objectsOf, textOf } from '../../providers/shared/fields.ts'

/** A piece of the text. */
export function textChunk(delta: unknown): Fields {
  return { choices: [{ index: 0, delta: { content: textOf(delta) } }] }
}

/**
 * A whole response.
 *
 * @param hasText - Whether its text was streamed.
 */
export function wholeChunk(response: Fields, hasText: boolean): Fields {
  const output = objectsOf(response.output)
  const of = (name: string): readonly Fields[] => output.filter(({ type }) => type === name)
  const textIn = (items: readonly Fields[]): string =>
    items
      .flatMap(({ content }) => objectsOf(content))
      .map(({ text, refusal }) => firstText(text, refusal))
      .join('')
  const calls = of('function_call').map(({ callId, call_id, name, arguments: args }, index) => {
    return { index, id: firstText(callId, call_id), function: { name, arguments: args } }
  })
  const { inputTokens, outputTokens, totalTokens, inputTokensDetails, outputTokensDetails } = fieldsOf(
    response.usage,
  )
  const [{ providerData } = {}] = output
  return {
    model: firstText(fieldsOf(providerData).model, response.model) || 'unknown',
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        delta: {
          reasoning_content: textIn(of('reasoning')),
          content: hasText ? '' : textIn(of('message')),
          tool_calls: calls,
        },
      },
    ],
    ...(inputTokens !== undefined && {
      usage: {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: totalTokens,
        prompt_tokens_details: detailsOf(inputTokensDetails),
        completion_tokens_details: detailsOf(outputTokensDetails),
      },
    }),
  }
}

/** One object, or a list with one for each request. */
function detailsOf(details: unknown): Fields {
  return Array.isArray(details) ? fieldsOf(details[0]) : fieldsOf(details)
}
