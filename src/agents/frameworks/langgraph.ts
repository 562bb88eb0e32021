/** LangGraph.js. */

import type { Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { parsedOrText } from '../../json/parsed.ts'
import { openaiChat } from '../../providers/openai-chat/openai-chat.ts'
import { type Fields, fieldsOf, firstText, objectsOf, textOf } from '../../providers/shared/fields.ts'
import { type FrameworkOptions, FrameworkRun, readFramework, requireFramework } from './framework-run.ts'

/**
 * Reads a run of LangGraph: what `graph.stream(input, { streamMode: ['messages', 'updates'] })` yields, with `subgraphs`
 * too, or the same as JSON. An `interrupt` is an `input-required`, and the task waits.
 *
 * Diagnostics: those of `openaiChat`; `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
 *
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const agent: Agent = async function* ({ input, signal }) {
 *   const stream = await graph.stream(input, { streamMode: ['messages', 'updates'], signal })
 *   yield* fromLangGraph(stream)
 * }
 * ```
 */
export function fromLangGraph(
  source: Source<unknown>,
  options: FrameworkOptions = {},
): AsyncGenerator<EventDraft> {
  requireFramework(source, options)
  const run = new FrameworkRun(openaiChat, options)
  let current = ''
  let isWaiting = false

  function readMessage(message: Fields, metadata: Fields): EventDraft[] {
    const fields = plain(message)
    const type = typeOf(message)
    if (/^tool|ToolMessage/i.test(type)) {
      const content = typeof fields.content === 'string' ? parsedOrText(fields.content) : fields.content
      current = ''
      return run.result(textOf(fields.tool_call_id), textOf(fields.name), fields.status === 'error', content)
    }
    if (!/^ai|AIMessage/i.test(type)) return []
    const id = textOf(fields.id)
    const begun = current !== id || !run.isReading ? run.begin() : []
    current = id
    return [...begun, ...run.push(chunkOf(fields, metadata))]
  }

  return readFramework(source, options, {
    name: 'LangGraph.js',
    isOwn: (value) => Array.isArray(value) && typeof value.at(-2) === 'string',
    read(item) {
      const [mode, value] = Array.isArray(item) ? item.slice(-2) : []
      if (mode === 'messages' && Array.isArray(value))
        return readMessage(fieldsOf(value[0]), fieldsOf(value[1]))
      const asked = mode === 'updates' ? objectsOf(fieldsOf(value).__interrupt__) : []
      return asked.flatMap(({ id, value: asks }) => {
        isWaiting = true
        const prompt = typeof asks === 'string' ? asks : JSON.stringify(asks)
        return run.ask({
          inputId: textOf(id),
          inputType: 'custom',
          prompt: prompt || 'The agent waits for an answer.',
        })
      })
    },
    end: () => (isWaiting ? run.close() : run.end()),
  })
}

/** A message as an object: an instance, what `JSON.stringify` writes of one, or what a server sends. */
function plain(message: Fields): Fields {
  return fieldsOf(message.kwargs ?? message.data ?? message)
}

function typeOf(message: Fields): string {
  if (typeof message.getType === 'function') return textOf(message.getType())
  return firstText(Array.isArray(message.id) ? message.id.at(-1) : '', message.type)
}

/** A message as a chunk of Chat Completions, whose reader knows all forms of text, reasoning and calls. */
function chunkOf(message: Fields, metadata: Fields): Fields {
  const { content, usage_metadata: usage, response_metadata, additional_kwargs: more } = message
  const { finish_reason, stop_reason, model_name } = fieldsOf(response_metadata)
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  const thinking = parts.filter(({ type }) => type === 'thinking' || type === 'reasoning')
  const calls = objectsOf(message.tool_call_chunks ?? message.tool_calls)
  const { input_tokens, output_tokens, total_tokens, input_token_details, output_token_details } =
    fieldsOf(usage)
  return {
    model: firstText(model_name, metadata.ls_model_name) || 'unknown',
    choices: [
      {
        index: 0,
        finish_reason: firstText(finish_reason, stop_reason) || null,
        delta: {
          content: parts
            .map(({ type, text }) => (/^(text|output_text)/.test(textOf(type)) ? textOf(text) : ''))
            .join(''),
          reasoning_content: textOf(fieldsOf(more).reasoning_content),
          thinking_blocks: thinking.map((part) => ({
            thinking: firstText(part.thinking, part.reasoning, part.text),
            signature: part.signature,
          })),
          tool_calls: calls.map(({ index, id, name, args }) => ({
            index,
            id,
            function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
          })),
        },
      },
    ],
    ...(usage != null && {
      usage: {
        prompt_tokens: input_tokens,
        completion_tokens: output_tokens,
        total_tokens,
        prompt_tokens_details: { cached_tokens: fieldsOf(input_token_details).cache_read },
        completion_tokens_details: { reasoning_tokens: fieldsOf(output_token_details).reasoning },
      },
    }),
  }
}
