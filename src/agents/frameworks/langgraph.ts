/** LangGraph.js. */

import type { Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { parsedOrText } from '../../json/parsed.ts'
import { openaiChat } from '../../providers/openai-chat/openai-chat.ts'
import {
  countOf,
  type Fields,
  fieldsOf,
  firstText,
  objectsOf,
  textOf,
} from '../../providers/shared/fields.ts'
import { type FrameworkOptions, FrameworkRun, readFramework, requireFramework } from './framework-run.ts'
import { SideBySide } from './side-by-side.ts'

/**
 * Reads a run of LangGraph: what `graph.stream(input, { streamMode: ['messages', 'updates'] })` yields, with `subgraphs`
 * too, or the same as JSON. What nodes write at the same time is read one response after the other. An `interrupt` is an `input-required`, and the task waits.
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
  /** The message that is read, where it is written, and whether it is complete. */
  let current = { id: '', node: '', branch: '', graph: '', step: 0, isDone: true, isStated: true }
  let isWaiting = false
  const branches = new SideBySide(readItem, () => run.isReading && !current.isDone)

  function readItem({ message, metadata }: Item): EventDraft[] {
    if (message === undefined) return finish()
    const fields = plain(message)
    const type = typeOf(message)
    if (/^tool|ToolMessage/i.test(type)) {
      const content = typeof fields.content === 'string' ? parsedOrText(fields.content) : fields.content
      const before = stop()
      current.id = ''
      return [
        ...before,
        ...run.result(textOf(fields.tool_call_id), textOf(fields.name), fields.status === 'error', content),
      ]
    }
    if (!/^ai|AIMessage/i.test(type)) return []
    const id = textOf(fields.id)
    const isNew = current.id !== id || !run.isReading
    const begun = isNew ? [...stop(), ...run.begin()] : []
    const chunk = chunkOf(fields, metadata)
    const isDone = chunk.choices.some(({ finish_reason }) => finish_reason !== null)
    const isStated = isDone || (!isNew && current.isStated)
    current = { id, ...placeOf(metadata), isDone, isStated }
    return [...begun, ...run.push(chunk)]
  }

  /** No more is expected of a response. */
  function finish(): EventDraft[] {
    current.isDone = true
    return []
  }

  /** Ends a response that does not state why it ends, as not all models do. */
  function stop(): EventDraft[] {
    if (!run.isReading || current.isStated) return []
    current.isStated = true
    return run.push({ choices: [{ index: 0, finish_reason: 'stop', delta: {} }] })
  }

  /**
   * The end of a node: that of its responses, which may wait for others. Of nodes of one name that run at the same time it is unknown
   * whose end it is.
   */
  function endNode(node: string): EventDraft[] {
    const held = branches.waiting().filter(({ metadata }) => metadata.langgraph_node === node)
    const own = run.isReading && node === current.node ? [current.branch] : []
    const places = new Set([...own, ...held.map(({ metadata }) => placeOf(metadata).branch)])
    if (places.size !== 1) return []
    const ids = new Set(held.map(idOf))
    const ends = [...ids].flatMap((id) => {
      const { metadata } = held.find((each) => idOf(each) === id) as Item
      return branches.push(id, { metadata })
    })
    return own.length > 0 ? [...finish(), ...branches.drain(), ...ends] : ends
  }

  return readFramework(source, options, {
    name: 'LangGraph.js',
    isOwn: (value) => Array.isArray(value) && typeof value.at(-2) === 'string',
    read(item) {
      const [mode, value] = Array.isArray(item) ? item.slice(-2) : []
      if (mode === 'messages' && Array.isArray(value)) {
        const [message, metadata] = [fieldsOf(value[0]), fieldsOf(value[1])]
        const { graph, step } = placeOf(metadata)
        // What of another step of the same graph was not over is now.
        const isOver = graph === current.graph && step !== current.step
        const before = isOver ? [...finish(), ...branches.drain()] : []
        const item = { message, metadata }
        return [...before, ...branches.push(idOf(item), item)]
      }
      if (mode !== 'updates') return []
      const before = Object.keys(fieldsOf(value)).flatMap(endNode)
      const asked = objectsOf(fieldsOf(value).__interrupt__).flatMap(({ id, value: asks }) => {
        isWaiting = true
        const prompt = typeof asks === 'string' ? asks : JSON.stringify(asks)
        const inputId = textOf(id)
        return [
          ...stop(),
          ...run.ask({ inputId, inputType: 'custom', prompt: prompt || 'The agent waits for an answer.' }),
        ]
      })
      return [...before, ...asked]
    },
    end: () => [...branches.end(finish), ...stop(), ...(isWaiting ? run.wait() : run.end())],
  })
}

/** A message, or without one the end of its node. */
interface Item {
  readonly message?: Fields
  readonly metadata: Fields
}

/** What a message is a piece of: a response, or the results of a node. */
function idOf({ message, metadata }: Item): string {
  const id = message === undefined ? '' : textOf(plain(message).id)
  return id === '' ? `in ${textOf(metadata.langgraph_checkpoint_ns)}` : id
}

/** Where a message is written. Graphs are nested: `node:id|node:id`. */
function placeOf({ langgraph_node: node, langgraph_step: step, langgraph_checkpoint_ns: ns }: Fields): {
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
function plain(message: Fields): Fields {
  return fieldsOf(message.kwargs ?? message.data ?? message)
}

function typeOf(message: Fields): string {
  if (typeof message.getType === 'function') return textOf(message.getType())
  return firstText(Array.isArray(message.id) ? message.id.at(-1) : '', message.type)
}

/** A message as a chunk of Chat Completions, whose reader knows all forms of text, reasoning and calls. */
function chunkOf(message: Fields, metadata: Fields): Fields & { readonly choices: readonly Fields[] } {
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
