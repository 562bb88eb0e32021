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
  let current = { id: '', node: '', graph: '', step: 0, isDone: true }
  let isWaiting = false
  const branches = new SideBySide(readItem, () => run.isReading && !current.isDone)

  function readItem({ message, metadata }: Item): EventDraft[] {
    if (message === undefined) return finish()
    const fields = plain(message)
    const type = typeOf(message)
    if (/^tool|ToolMessage/i.test(type)) {
      const content = typeof fields.content === 'string' ? parsedOrText(fields.content) : fields.content
      current.id = ''
      return run.result(textOf(fields.tool_call_id), textOf(fields.name), fields.status === 'error', content)
    }
    if (!/^ai|AIMessage/i.test(type)) return []
    const id = textOf(fields.id)
    const begun = current.id !== id || !run.isReading ? run.begin() : []
    const chunk = chunkOf(fields, metadata)
    const isDone = chunk.choices.some(({ finish_reason }) => finish_reason !== null)
    current = { id, ...placeOf(metadata), isDone }
    return [...begun, ...run.push(chunk)]
  }

  /** Ends a response. Not all models state why. */
  function finish(): EventDraft[] {
    if (!run.isReading || current.isDone) return []
    current.isDone = true
    return run.push({ choices: [{ index: 0, finish_reason: 'stop', delta: {} }] })
  }

  /** The end of a node: that of its response, which may wait for others. */
  function endNode(node: string): EventDraft[] {
    const held = branches.find(({ metadata }) => metadata.langgraph_node === node)
    if (held !== undefined) return branches.push(placeOf(held.metadata).branch, { metadata: held.metadata })
    return node === current.node ? [...finish(), ...branches.drain()] : []
  }

  return readFramework(source, options, {
    name: 'LangGraph.js',
    isOwn: (value) => Array.isArray(value) && typeof value.at(-2) === 'string',
    read(item) {
      const [mode, value] = Array.isArray(item) ? item.slice(-2) : []
      if (mode === 'messages' && Array.isArray(value)) {
        const [message, metadata] = [fieldsOf(value[0]), fieldsOf(value[1])]
        const { branch, graph, step } = placeOf(metadata)
        // What of another step of the same graph was not over is now.
        const isOver = graph === current.graph && step !== current.step
        const before = isOver ? [...finish(), ...branches.drain()] : []
        return [...before, ...branches.push(branch, { message, metadata })]
      }
      if (mode !== 'updates') return []
      const before = Object.keys(fieldsOf(value)).flatMap(endNode)
      const asked = objectsOf(fieldsOf(value).__interrupt__).flatMap(({ id, value: asks }) => {
        isWaiting = true
        const prompt = typeof asks === 'string' ? asks : JSON.stringify(asks)
        return run.ask({
          inputId: textOf(id),
          inputType: 'custom',
          prompt: prompt || 'The agent waits for an answer.',
        })
      })
      return [...before, ...asked]
    },
    end: () => [...branches.end(() => run.endResponse()), ...(isWaiting ? run.wait() : run.end())],
  })
}

/** A message, or without one the end of its node. */
interface Item {
  readonly message?: Fields
  readonly metadata: Fields
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
