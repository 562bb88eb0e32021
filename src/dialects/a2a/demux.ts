/** Several tasks in one stream: splitting them, as A2A has one stream for each. */

import type { Diagnostic, Machine, Step } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'

/** Something of one task. */
export interface TaskOutput<Out> {
  /** The task it belongs to. */
  taskId: string
  event: Out
}

/** The state of {@link demuxTasks}: plain JSON. */
export interface DemuxState<State> {
  /** The tasks under way, each with the state of its machine. */
  readonly tasks: readonly { readonly id: string; readonly state: State }[]
  /** The tasks that ended last, oldest first. */
  readonly ended: readonly string[]
}

/** How many ended tasks are remembered, so that a late event does not begin one again. */
const MAX_ENDED = 256

/**
 * Splits the stream of a context into those of its tasks, subtasks included: each output says which
 * task it belongs to.
 *
 * With a machine, runs one of it for each task, from its `initial` to its `end`, which comes with
 * the end of the task. Without one, the events come out as they went in.
 *
 * An event of a task that has ended is dropped and reported as `dropped:<kind>`, except
 * `task-complete` after the status `completed`, which belongs to the end.
 *
 * @example
 * ```ts
 * const mapper = run(demuxTasks(toA2a({ version: '1.0' })))
 * for (const { taskId, event } of mapper.push(input)) streamOf(taskId).send(event)
 * ```
 */
export function demuxTasks(): Machine<DemuxState<null>, ContextAnyEvent, TaskOutput<ContextAnyEvent>>
export function demuxTasks<State, Out, End>(
  machine: Machine<State, ContextAnyEvent, Out, End>,
): Machine<DemuxState<State>, ContextAnyEvent, TaskOutput<Out>, End>
export function demuxTasks(
  machine: Machine<unknown, ContextAnyEvent, unknown, unknown> = asIs,
): Machine<DemuxState<unknown>, ContextAnyEvent, TaskOutput<unknown>, unknown> {
  return {
    initial: { tasks: [], ended: [] },
    step({ tasks, ended }, event) {
      const { taskId } = event
      if (ended.includes(taskId)) {
        const message = `The task ${taskId} has ended.`
        const diagnostic = { code: `dropped:${event.kind}`, message, detail: { reason: 'task-ended' } }
        return { state: { tasks, ended }, out: [], diagnostics: [diagnostic] }
      }
      const known = tasks.find(({ id }) => id === taskId)
      const first = machine.step(known === undefined ? machine.initial : known.state, event)
      const isEnd = endsTask(event)
      const steps = isEnd ? [first, machine.end(first.state)] : [first]
      const next = { id: taskId, state: first.state }
      const others = tasks.filter((task) => task !== known)
      const state = isEnd
        ? { tasks: others, ended: [...ended, taskId].slice(-MAX_ENDED) }
        : {
            tasks: known === undefined ? [...tasks, next] : tasks.map((t) => (t === known ? next : t)),
            ended,
          }
      return labelled(state, [[taskId, steps]])
    },
    end({ tasks, ended }, how) {
      const steps = tasks.map(({ id, state }): Labelled => [id, [machine.end(state, how)]])
      return labelled({ tasks: [], ended }, steps)
    },
  }
}

const asIs: Machine<unknown, ContextAnyEvent, unknown, unknown> = {
  initial: null,
  step: (state, event) => ({ state, out: [structuredClone(event)] }),
  end: (state) => ({ state, out: [] }),
}

type Labelled = readonly [taskId: string, steps: readonly Step<unknown, unknown>[]]

function labelled(
  state: DemuxState<unknown>,
  parts: readonly Labelled[],
): Step<DemuxState<unknown>, TaskOutput<unknown>> {
  const out = parts.flatMap(([taskId, steps]) =>
    steps.flatMap((step) => step.out.map((event) => ({ taskId, event }))),
  )
  const diagnostics: Diagnostic[] = parts.flatMap(([, steps]) =>
    steps.flatMap((step) => step.diagnostics ?? []),
  )
  return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
}

/** Whether nothing of the task may follow. After `completed`, its result may. */
function endsTask(event: ContextAnyEvent): boolean {
  return (
    event.kind === 'task-complete' ||
    (event.kind === 'task-status' && (event.status === 'failed' || event.status === 'canceled'))
  )
}
