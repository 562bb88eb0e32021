/** One task: its `invoke_agent` span, and the spans of its model and its tools. */

import type { TaskName } from '../events/event.ts'
import { endsTask } from '../events/task-end.ts'
import type { Fields } from '../validation/predicates.ts'
import { fieldsOf, textIn } from '../validation/read-fields.ts'
import { type ModelCall, startModelCall } from './model-call.ts'
import { nameIn, type Running, type Telemetry } from './telemetry.ts'

/** The calls of one task that are remembered. The oldest ends when there are more. */
const MAX_CALLS = 1000

/** A task, as far as it is traced. */
export interface TracedTask<Context> {
  /** For what belongs to the task. */
  readonly context: Context
  /** Whether it has ended. */
  readonly isOver: boolean
  /** Adds an event of it. */
  add(event: Fields, time: number, end: number): void
  /**
   * Starts its span, unless it has one.
   *
   * @param agent - The name of the agent. Omitted if it is unknown.
   */
  start(time: number, parent: Context, agent?: string): void
  /**
   * Ends its spans that are open. Nothing is traced of it afterwards.
   *
   * @param error - The type of the error that it ends with. Omitted: none.
   * @param open - That of its calls that are open. Omitted: `error`.
   */
  end(time: number, error?: string, open?: string): void
}

/** @param root - The context of a task whose start is unknown. */
export function traceTask<Context>(
  telemetry: Telemetry<Context>,
  task: TaskName,
  root: Context,
): TracedTask<Context> {
  let running: Running<Context> | undefined
  let model: ModelCall | undefined
  /** By the id of the call. `undefined`: it has ended. */
  const calls = new Map<string, Running<Context> | undefined>()
  let isOver = false
  /** The time of the event before. */
  let before: number | undefined
  const context = (): Context => running?.context ?? root

  const endModel = (time: number, error?: string): void => {
    model?.end(time, error)
    model = undefined
  }
  const setCall = (id: string, call: Running<Context> | undefined, time: number): void => {
    calls.delete(id)
    calls.set(id, call)
    if (calls.size <= MAX_CALLS) return
    for (const [oldest, dropped] of calls) {
      dropped?.end(time)
      calls.delete(oldest)
      return
    }
  }
  const end = (time: number, error?: string, open = error): void => {
    if (isOver) return
    isOver = true
    // An agent that succeeds need not end its text.
    endModel(time, model?.hasOutput ? error : open)
    for (const call of calls.values()) call?.end(time, open)
    calls.clear()
    running?.end(time, error)
  }
  const startCall = (id: string, event: Fields, time: number): void => {
    // An event that is delivered twice.
    if (calls.has(id)) return
    const name = nameIn(event, 'toolName')
    const labels = name === undefined ? {} : { 'gen_ai.tool.name': name }
    const call = telemetry.start('execute_tool', name, time, context(), labels, {
      'gen_ai.conversation.id': task.contextId,
      'gen_ai.tool.call.id': id,
    })
    setCall(id, call, time)
  }
  const addKnown = (event: Fields, time: number): void => {
    const id = textIn(event, 'toolCallId')
    if (event.kind === 'internal:llm-call') {
      if (model !== undefined && model.iteration === event.iteration && !model.hasOutput) return
      endModel(time)
      // Readers of model streams write this event with the first chunk.
      model = startModelCall(telemetry, event, task, before ?? time, time, context())
    } else if (event.kind === 'tool-start' && id !== undefined) startCall(id, event, time)
    else if (event.kind === 'tool-complete' && id !== undefined) {
      calls.get(id)?.end(time, event.success === false ? 'tool_failed' : undefined)
      if (calls.has(id)) setCall(id, undefined, time)
    } else if (endsTask(event as { kind: string })) end(time, failureOf(event))
  }
  return {
    get context() {
      return context()
    },
    get isOver() {
      return isOver
    },
    start(time, parent, agent) {
      if (running !== undefined || isOver) return
      const labels = agent === undefined ? {} : { 'gen_ai.agent.name': agent }
      running = telemetry.start('invoke_agent', agent, time, parent, labels, {
        'gen_ai.conversation.id': task.contextId,
      })
      before ??= time
    },
    add(event, time, until) {
      if (isOver) return
      if (model?.add(event, time, until)) endModel(until)
      else addKnown(event, time)
      before = until
    },
    end,
  }
}

/** The type of the error that a task ends with. `undefined`: it completes. */
function failureOf({ kind, status, error }: Fields): string | undefined {
  if (kind !== 'task-status' || status === 'completed') return undefined
  return status === 'failed' ? errorType(fieldsOf(error).code) : 'canceled'
}

/** An error code as a type of errors: no text that may have content. */
export function errorType(code: unknown): string {
  return typeof code === 'string' && /^[\w.:-]{1,64}$/.test(code) ? code : '_OTHER'
}
