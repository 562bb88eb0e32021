/** The messages of LangGraph: what they are pieces of, and as chunks of a model. */

import {
  countOf,
  type Fields,
  fieldsOf,
  firstText,
  objectsOf,
  textOf,
} from '../../providers/shared/fields.ts'

/** A message, or without one the end of its node. */
export interface Item {
  readonly message?: Fields
  readonly metadata: Fields
}

/** What a message is a piece of: a response, or the results of a node. */
export function idOf({ message, metadata }: Item): string {
  const id = message === undefined ? '' : textOf(plain(message).id)
  return id === '' ? `in ${textOf(metadata.langgraph_checkpoint_ns)}` : id
}

/** Where a message is written. Graphs are nested: `node:id|node:id`. */
export function placeOf({
  langgraph_node: node,
  langgraph_step: step,
  langgraph_checkpoint_ns: ns,
}: Fields): {
  readonly node: string
  readonly branch: string
  readonly graph: string
  readonly step: number
} {
  const branch = textOf(ns)
  return {
    node: textOf(node),
    branch,
    graph: branch.slice(0, branch.lastIndexOf('|') + 1),
    step: countOf(step) ?? 0,
  }
}

/** A message as an object: an instance, what `JSON.stringify` writes of one, or what a server sends. */
export function plain(message: Fields): Fields {
  return fieldsOf(message.kwargs ?? message.data ?? message)
}

export function typeOf(message: Fields): string {
  if (typeof message.getType === 'function') return textOf(message.getType())
  return firstText(Array.isArray(message.id) ? message.id.at(-1) : '', message.type)
}

/** The parts of messages that are read, here or as calls. */
const known = /^(text|output_text|thinking|reasoning|refusal|tool_use|tool_call|function_call|input_json)/

/** The types of the parts of a message that chunks have no place for. */
export function unknownParts({ content }: Fields): readonly string[] {
  return objectsOf(content)
    .map(({ type }) => textOf(type))
    .filter((type) => !known.test(type))
}

/** A message as a chunk of Chat Completions, whose reader knows all forms of text, reasoning and calls. */
export function chunkOf(message: Fields, metadata: Fields): Fields & { readonly choices: readonly Fields[] } {
  const { content, usage_metadata: usage, response_metadata, additional_kwargs: more } = message
  const { finish_reason, stop_reason, model_name } = fieldsOf(response_metadata)
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  const thinking = parts.filter(({ type }) => type === 'thinking' || type === 'reasoning')
  const chunks = objectsOf(message.tool_call_chunks)
  // Of a message that is written, those that are not whole yet count as invalid.
  const whole = [...objectsOf(message.tool_calls), ...objectsOf(message.invalid_tool_calls)]
  const calls = chunks.length > 0 ? chunks : whole
  const refusal = firstText(fieldsOf(more).refusal, ...parts.map((part) => part.refusal))
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
          ...(refusal !== '' && { refusal }),
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
        prompt_tokens_details: {
          cached_tokens: fieldsOf(input_token_details).cache_read,
          cache_write_tokens: fieldsOf(input_token_details).cache_creation,
        },
        completion_tokens_details: { reasoning_tokens: fieldsOf(output_token_details).reasoning },
      },
    }),
  }
}
