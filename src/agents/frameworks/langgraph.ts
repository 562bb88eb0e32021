/** LangGraph.js. */

import type { Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import { parsedOrText } from '../../json/parsed.ts'
import { openaiChat } from '../../providers/openai-chat/openai-chat.ts'
import { type Fields, fieldsOf, objectsOf, textOf } from '../../providers/shared/fields.ts'
import { FrameworkRun } from './framework-run.ts'
import { itemOf, messagesIn, silentModes } from './langgraph-items.ts'
import { chunkOf, type Item, idOf, placeOf, plain, typeOf, unknownParts } from './langgraph-messages.ts'
import { askIn } from './langgraph-questions.ts'
import {
  type FrameworkDrafts,
  type FrameworkOptions,
  readFramework,
  requireFramework,
} from './read-framework.ts'
import { Recent } from './run-memory.ts'
import { SideBySide } from './side-by-side.ts'

/**
 * Reads a run of LangGraph: what `graph.stream(input, { streamMode: ['messages', 'updates'] })` yields, with `subgraphs`
 * too, or the same as JSON. What nodes write at the same time is read one response after the other. A tool starts when its result
 * comes: before, it may wait for an approval. An `interrupt` is an `input-required`, and the task waits. If it names a call that has not started, its answer approves the call. Pass `task`, and the
 * run after the answer continues it.
 *
 * Read are `messages` and `updates`, also one of both alone, and the `{ event, data }` of servers.
 *
 * Diagnostics: those of `openaiChat`; `dropped:<mode>`, `dropped:<part>`: another mode, or a part of a message such as an image, once for
 * each type; `provider-error`: an error of the server; `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
 *
 * @returns The questions that the run waits for: none if it is over. `metadata.interruptId` is the interrupt.
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const agent: Agent = async function* (task) {
 *   const options = { streamMode: ['messages', 'updates'], configurable: { thread_id: task.taskId }, signal: task.signal }
 *   let input: unknown = { messages: [{ role: 'user', content: task.input }] }
 *   for (;;) {
 *     const [question] = yield* fromLangGraph(await graph.stream(input, options), { task })
 *     if (question === undefined) return
 *     const answer = await task.answer({ inputId: question.inputId })
 *     const value = answer?.outcome === 'declined' ? false : (answer?.value ?? true)
 *     input = new langgraph.Command({ resume: { [String(question.metadata?.interruptId)]: value } })
 *   }
 * }
 * ```
 */
export function fromLangGraph(source: Source<unknown>, options: FrameworkOptions = {}): FrameworkDrafts {
  requireFramework(source, options)
  const run = new FrameworkRun(openaiChat, options)
  /** The message that is read, where it is written, and whether it is complete. */
  let current = { id: '', node: '', branch: '', graph: '', step: 0, isDone: true, isStated: true }
  /** Whether messages are streamed, and those that were read of updates otherwise. */
  let hasMessages = false
  const whole = new Recent()
  let error: ErrorInfo | undefined
  const branches = new SideBySide(readItem, () => run.isReading && !current.isDone)

  function readItem({ message, metadata }: Item): EventDraft[] {
    if (message === undefined) {
      finish()
      return []
    }
    const fields = plain(message)
    const type = typeOf(message)
    if (/^tool|ToolMessage/i.test(type)) {
      const content = typeof fields.content === 'string' ? parsedOrText(fields.content) : fields.content
      const before = stop()
      current.id = ''
      const id = textOf(fields.tool_call_id)
      const failed = run.isAskedAbout(id) ? 'refused' : 'failed'
      const outcome = fields.status === 'error' ? failed : 'succeeded'
      return [...before, ...run.result(id, textOf(fields.name), outcome, content)]
    }
    if (!/^ai|AIMessage/i.test(type)) return []
    const id = textOf(fields.id)
    const isNew = current.id !== id || !run.isReading
    const begun = isNew ? [...stop(), ...run.begin()] : []
    for (const part of unknownParts(fields)) run.dropped(part)
    const chunk = chunkOf(fields, metadata)
    const isDone = chunk.choices.some(({ finish_reason }) => finish_reason !== null)
    const isStated = isDone || (!isNew && current.isStated)
    current = { id, ...placeOf(metadata), isDone, isStated }
    return [...begun, ...run.push(chunk)]
  }

  function readMessage(message: Fields, metadata: Fields): EventDraft[] {
    const { graph, step } = placeOf(metadata)
    // What of another step of the same graph was not over is now.
    const isOver = graph === current.graph && step !== current.step
    if (isOver) finish()
    const item = { message, metadata }
    return [...branches.drain(), ...branches.push(idOf(item), item)]
  }

  /** A message of an update, unless it was read: nodes may write all messages again. */
  function readWhole({ message, metadata }: { message: Fields; metadata: Fields }): EventDraft[] {
    const id = textOf(plain(message).id)
    if (id !== '' && whole.has(id)) return []
    whole.add(id)
    return [...readItem({ message, metadata }), ...stop()]
  }

  /** No more is expected of a response. */
  function finish(): void {
    current.isDone = true
  }

  /** Ends a response that does not state why it ends, as not all models do. */
  function stop(): EventDraft[] {
    finish()
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
    // Behind the pieces of each.
    const ends = [...new Set(held.map(idOf))].flatMap((id) =>
      branches.push(id, { metadata: held[0]?.metadata ?? {} }),
    )
    if (own.length > 0) finish()
    return [...ends, ...branches.drain()]
  }

  return readFramework(source, options, {
    name: 'LangGraph.js',
    expected: "items of `graph.stream` with `streamMode: ['messages', 'updates']`",
    isOwn: (value) => itemOf(value) !== undefined,
    read(item) {
      const [mode = '', value] = itemOf(item) ?? []
      if (mode === 'messages' && Array.isArray(value)) {
        hasMessages = true
        return readMessage(fieldsOf(value[0]), fieldsOf(value[1]))
      }
      if (mode === 'error') {
        error = { ...run.failure('The graph failed.', { error: value }), retry: 'retryable' }
        return []
      }
      if (mode !== 'updates') {
        if (!silentModes.has(mode)) run.dropped(mode)
        return []
      }
      // Of a run that streams no messages.
      const written = hasMessages ? [] : messagesIn(fieldsOf(value)).flatMap(readWhole)
      const before = [...written, ...Object.keys(fieldsOf(value)).flatMap(endNode)]
      const asked = objectsOf(fieldsOf(value).__interrupt__).flatMap((each) => {
        const drafts = stop()
        return [...drafts, ...run.endResponse(), ...askIn(run, each)]
      })
      return [...before, ...asked]
    },
    run,
    end: () => [...branches.end(stop), ...stop(), ...run.end(error)],
    breakOff: () => [...branches.end(() => run.endResponse()), ...run.close()],
  })
}
