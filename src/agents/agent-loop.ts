/** The loop of an agent: a model, its tools, and the user who approves. */

import type { EventDraft } from '../emitter/event-draft.ts'
import type { ErrorInfo } from '../events/error.ts'
import type { Usage } from '../events/usage.ts'
import { addUsage } from '../events/usage-sum.ts'
import { type ToolResult, type Turn, turnDraft, unanswered } from '../turns/index.ts'
import { outOfTurns } from './failures.ts'
import { modelResponse } from './model-response.ts'
import { type AgentLoopOptions, type LoopSettings, type LoopTask, loopSettings } from './options.ts'
import { runCalls } from './run-calls.ts'

/**
 * Calls a model until it needs no more tools: yields its responses as they stream, asks about the calls that need an approval, runs
 * the tools of a response side by side, and sends the results back. Ends with a `task-complete`, which has the usage of all responses; with
 * the status `failed`, if a response has an error, calls nothing but tools without a name, or there are too many; or with the status `canceled`, as soon as the signal of the task is aborted.
 *
 * A tool runs only after its `tool-start` was taken, and those of all other calls of the response: whoever reads the generator and
 * stops there, because the stream refuses one, has run none of them. A tool that throws, takes too long or returns no JSON, and a call
 * without valid arguments, fail by themselves: the model gets the failure, and continues.
 *
 * Each response and each result is saved as an `internal:checkpoint`, for operators only. With the `turns` that are made of them, the
 * loop continues after a restart where it was: it sends the provider what it had sent, signatures included, asks nothing twice, and
 * runs no call twice.
 *
 * Diagnostics: those of the reader; `lossy:content` for earlier responses of another format.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const agent: Agent = (task) =>
 *   agentLoop(task, {
 *     format: chatFormat,
 *     model: (messages, signal) => openai.chat.completions.create({ model, messages, tools, stream: true }, { signal }),
 *     tools: { pay: ({ amount }) => bank.pay(amount) },
 *   })
 * ```
 */
export function agentLoop<Message, Chunk = unknown>(
  task: LoopTask,
  options: AgentLoopOptions<Message, Chunk>,
): AsyncGenerator<EventDraft, void> {
  return loop(task, loopSettings(task, options))
}

async function* loop<Message, Chunk>(
  task: LoopTask,
  settings: LoopSettings<Message, Chunk>,
): AsyncGenerator<EventDraft, void> {
  const { signal, maxTurns } = settings
  const turns = [...task.turns]
  // The responses of this task before a restart.
  const before = turns
    .slice(turns.findLastIndex(({ role }) => role === 'user') + 1)
    .flatMap((turn) => (turn.role === 'assistant' ? [turn] : []))
  let usage = before.reduce<readonly Usage[]>((all, turn) => addUsage(all, turn.usage), [])
  let iteration = before.length - 1
  /** The response whose calls are to be answered, or after which the task is over. */
  let latest = before.at(-1)
  try {
    while (!signal.aborted) {
      if (latest === undefined) {
        if (++iteration >= maxTurns) return yield failed(outOfTurns(maxTurns))
        latest = yield* modelResponse(turns, iteration, iteration === before.length, settings)
        if (signal.aborted) break
        usage = addUsage(usage, latest.usage)
        if (latest.error !== undefined) return yield failed(latest.error)
        turns.push(latest)
        yield turnDraft(latest, iteration)
      }
      const { calls = [], isPaused, finishReason } = latest
      if (calls.length === 0 && isPaused !== true) return yield completed(usage, iteration + 1, finishReason)
      const missing = new Set(unanswered(latest, turns.slice(turns.lastIndexOf(latest) + 1)))
      const results = runCalls(
        calls.filter(({ toolCallId }) => missing.has(toolCallId)),
        iteration,
        task,
        settings,
      )
      for await (const draft of results) {
        const result = resultIn(draft)
        if (result !== undefined) turns.push({ role: 'tool', results: result })
        yield draft
      }
      latest = undefined
    }
  } catch (error) {
    // A wait for an answer rejects then.
    if (!signal.aborted) throw error
  }
  yield { kind: 'task-status', status: 'canceled' }
}

/** The results that a draft saves. */
function resultIn(draft: EventDraft): readonly ToolResult[] | undefined {
  const turn = draft.kind === 'internal:checkpoint' ? (draft.state?.turn as Turn | undefined) : undefined
  return turn?.role === 'tool' ? turn.results : undefined
}

function failed(error: ErrorInfo): EventDraft {
  return { kind: 'task-status', status: 'failed', error }
}

function completed(
  usage: readonly Usage[],
  iterations: number,
  finishReason: string | undefined,
): EventDraft {
  const metadata = {
    iterations,
    ...(usage.length > 0 && { usage: [...usage] }),
    ...(finishReason !== undefined && { finishReason }),
  }
  return { kind: 'task-complete', metadata }
}
