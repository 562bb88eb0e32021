/** LangGraph.js. */

import type { Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { parsedOrText } from '../../json/parsed.ts'
import { openaiChat } from '../../providers/openai-chat/openai-chat.ts'
import { fieldsOf, objectsOf, textOf } from '../../providers/shared/fields.ts'
import { FrameworkRun } from './framework-run.ts'
import { chunkOf, type Item, idOf, placeOf, plain, typeOf } from './langgraph-messages.ts'
import { questionOf } from './langgraph-questions.ts'
import {
  type FrameworkDrafts,
  type FrameworkOptions,
  readFramework,
  requireFramework,
} from './read-framework.ts'
import { SideBySide } from './side-by-side.ts'

/**
 * Reads a run of LangGraph: what `graph.stream(input, { streamMode: ['messages', 'updates'] })` yields, with `subgraphs`
 * too, or the same as JSON. What nodes write at the same time is read one response after the other. An `interrupt` is an
 * `input-required`, and the task waits. If it names a call that has not started, its answer approves the call. Pass `task`, and the
 * run after the answer continues it.
 *
 * Diagnostics: those of `openaiChat`; `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
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
 *     input = new langgraph.Command({ resume: answer?.outcome === 'declined' ? false : (answer?.value ?? true) })
 *   }
 * }
 * ```
 */
export function fromLangGraph(source: Source<unknown>, options: FrameworkOptions = {}): FrameworkDrafts {
  requireFramework(source, options)
  const run = new FrameworkRun(openaiChat, options)
  /** The message that is read, where it is written, and whether it is complete. */
  let current = { id: '', node: '', branch: '', graph: '', step: 0, isDone: true, isStated: true }
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
    const chunk = chunkOf(fields, metadata)
    const isDone = chunk.choices.some(({ finish_reason }) => finish_reason !== null)
    const isStated = isDone || (!isNew && current.isStated)
    current = { id, ...placeOf(metadata), isDone, isStated }
    return [...begun, ...run.push(chunk)]
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
    isOwn: (value) => Array.isArray(value) && typeof value.at(-2) === 'string',
    read(item) {
      const [mode, value] = Array.isArray(item) ? item.slice(-2) : []
      if (mode === 'messages' && Array.isArray(value)) {
        const [message, metadata] = [fieldsOf(value[0]), fieldsOf(value[1])]
        const { graph, step } = placeOf(metadata)
        // What of another step of the same graph was not over is now.
        const isOver = graph === current.graph && step !== current.step
        if (isOver) finish()
        const item = { message, metadata }
        return [...branches.drain(), ...branches.push(idOf(item), item)]
      }
      if (mode !== 'updates') return []
      const before = Object.keys(fieldsOf(value)).flatMap(endNode)
      const asked = objectsOf(fieldsOf(value).__interrupt__).flatMap((each) => {
        const drafts = stop()
        const inputId = run.newInputId(textOf(each.id))
        return [...drafts, ...run.endResponse(), ...run.ask(questionOf(each, inputId, run.waiting))]
      })
      return [...before, ...asked]
    },
    run,
    end: () => [...branches.end(stop), ...stop(), ...run.end()],
    breakOff: () => [...branches.end(() => run.endResponse()), ...run.close()],
  })
}
