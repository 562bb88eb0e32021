/** Traces a stream of events. */

import { readEach } from '../core/read-items.ts'
import { requireSource, type Source } from '../core/source.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { contextKey } from '../streams/context-key.ts'
import { fieldsOf, textIn } from '../validation/read-fields.ts'
import type { OtelSpan } from './api.ts'
import { requireTraceOptions, type TraceOptions } from './options.ts'
import { errorType, type TracedTask, traceTask } from './task.ts'
import { nameIn, startTelemetry } from './telemetry.ts'

/** The tasks that are remembered. If there are more, the oldest goes; those that have ended first. */
const MAX_TASKS = 1000

/**
 * Reads a source of events, and writes spans and metrics of OpenTelemetry with the names of the GenAI semantic conventions 1.41.
 * Yields the events as they are.
 *
 * Spans: `invoke_agent` of a task, as a child of that of its parent task; `chat` of a call of a model, from the event before its
 * `internal:llm-call` to the last event of its response; `execute_tool` of a call of a tool. Those that are open end with the source:
 * when it ends, fails, or is left, with the `error.type` `ended-early`, that of its error, or `canceled`. Events that are delivered
 * twice, or after the end of their task, count once. At most 1000 tasks are traced at a time, and 1000 calls of tools in each: of more,
 * the oldest ends, those that have ended first.
 *
 * Neither spans nor metrics have prompts, answers, thoughts, arguments, results or messages of errors: names, ids, counts, times and
 * error codes only. Each has the time of its event; a draft without one, that at which it is read.
 *
 * What the tracer or the meter throws is dropped, and the events pass all the same.
 *
 * @throws TypeError if the source is not a stream or an iterable, or an option is invalid. The generator throws what the source throws.
 *
 * @example
 * ```ts
 * const telemetry = { tracer: trace.getTracer('shop'), setSpan: trace.setSpan, meter: metrics.getMeter('shop') }
 * const traced: Agent = (task) => traceEvents(agent(task), { ...telemetry, task, parent: context.active() })
 * ```
 */
export function traceEvents<E extends EventDraft | ContextAnyEvent, Context, Span extends OtelSpan>(
  source: Source<E>,
  options: TraceOptions<Context, Span>,
): AsyncGenerator<E, void, undefined> {
  requireSource(source)
  requireTraceOptions(options)
  const tracing = startTracing(options)
  const events = readEach(source)
  return {
    async next() {
      tracing.begin()
      try {
        const result = await events.next()
        if (result.done) tracing.end()
        else tracing.add(result.value)
        return result
      } catch (error) {
        const { code, name } = fieldsOf(error)
        tracing.end(errorType(typeof code === 'string' ? code : name))
        throw error
      }
    },
    return(value) {
      // A source that hangs in a read may hang in its cancellation as well.
      tracing.end('canceled')
      return events.return(value)
    },
    throw(error) {
      tracing.end('canceled')
      return events.throw(error)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function startTracing<Context, Span extends OtelSpan>({
  tracer,
  setSpan,
  parent: root,
  meter,
  task: own,
  agent: agentName,
}: TraceOptions<Context, Span>): {
  begin(): void
  add(event: unknown): void
  end(error?: string): void
} {
  const telemetry = startTelemetry(tracer, setSpan, meter)
  const agent = nameIn({ agentName }, 'agentName')
  const tasks = new Map<string, TracedTask<Context>>()
  /** The task that ends with the source. */
  let agentTask: TracedTask<Context> | undefined
  let phase: 'new' | 'open' | 'closed' = 'new'
  /** The time of the latest event. */
  let latest: number | undefined

  const taskNamed = (name: TaskName, time: number, above = root): TracedTask<Context> => {
    const key = contextKey(name.contextId, name.taskId)
    let task = tasks.get(key)
    if (task === undefined) {
      if (tasks.size >= MAX_TASKS) forgetOne(time)
      task = traceTask(telemetry, name, above)
      tasks.set(key, task)
    }
    return task
  }
  const forgetOne = (time: number): void => {
    const all = [...tasks]
    const [key, task] = all.find(([, { isOver }]) => isOver) ?? (all[0] as (typeof all)[0])
    task.end(time)
    tasks.delete(key)
  }
  return {
    begin() {
      if (phase !== 'new') return
      phase = 'open'
      const time = Date.now()
      if (own === undefined) return
      agentTask = taskNamed(own, time)
      agentTask.start(time, root, agent)
    },
    add(value) {
      // Whoever left may still wait for an event.
      if (phase !== 'open') return
      const event = fieldsOf(value)
      const contextId = textIn(event, 'contextId') ?? own?.contextId
      const taskId = textIn(event, 'taskId') ?? own?.taskId
      if (contextId === undefined || taskId === undefined) return
      const time = timeOf(event.timestamp) ?? Date.now()
      const end = Math.max(time, timeOf(event.timestampEnd) ?? time)
      latest = Math.max(latest ?? end, end)
      const task = taskNamed({ contextId, taskId }, time)
      if (event.kind === 'task-created') {
        const parentId = textIn(event, 'parentTaskId')
        const parent = parentId === undefined ? undefined : tasks.get(contextKey(contextId, parentId))
        const { path, metadata } = event
        const named = nameIn({ name: Array.isArray(path) ? path.at(-1) : undefined }, 'name')
        const known = named ?? nameIn(metadata, 'agentId')
        const above = parent?.context ?? task.context
        task.start(time, above, known ?? (parentId === undefined && above === root ? agent : undefined))
      }
      const subtaskId = event.kind === 'subtask-created' ? textIn(event, 'subtaskId') : undefined
      if (subtaskId !== undefined) taskNamed({ contextId, taskId: subtaskId }, time, task.context)
      task.add(event, time, end)
    },
    end(error) {
      phase = 'closed'
      const time = own === undefined ? (latest ?? Date.now()) : Date.now()
      const early = error ?? 'ended-early'
      for (const task of tasks.values()) task.end(time, task === agentTask ? error : early, early)
      tasks.clear()
    },
  }
}

/** A timestamp in milliseconds since 1970. `undefined` if it is not one. */
function timeOf(timestamp: unknown): number | undefined {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN
  return Number.isNaN(time) ? undefined : time
}
