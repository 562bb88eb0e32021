/** Splitting a stream of several tasks, as A2A has one stream per task. */

import { type Diagnostic, type Machine, requireMachine, type Step } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'

/** An output and the task it belongs to. */
export interface TaskOutput<Out> {
  taskId: string
  event: Out
}

/** The state of `demuxTasks`. */
interface DemuxState<State> {
  /** The running tasks, each with the state of its machine. */
  readonly tasks: readonly { readonly id: string; readonly state: State }[]
  /** The ids of the tasks that ended last, oldest first. */
  readonly endedTasks: readonly string[]
}

/** How many ended tasks are stored, so that a late event does not start one again. */
const MAX_ENDED_TASKS = 256

/**
 * Splits the stream of a context by task, subtasks included: each output names its task.
 *
 * With a machine, runs one per task, from its `initial` to its `end`, which is called at the end of the task.
 * Without one, outputs copies of the events.
 *
 * An event after the end of its task is dropped and reported as `dropped:<kind>`, except `task-complete` after
 * the status `completed`, which is part of the end.
 *
 * @throws TypeError if `machine` is not a machine.
 *
 * @example
 * ```ts
 * const mapper = run(demuxTasks(toA2a({ version: '1.0' })))
 * for (const { taskId, event } of mapper.push(input)) streamOf(taskId).send(event)
 * ```
 */
export function demuxTasks(): Machine<
  MachineState<'demuxTasks'>,
  ContextAnyEvent,
  { taskId: string; event: ContextAnyEvent }
>
export function demuxTasks<State, Out, End>(
  machine: Machine<State, ContextAnyEvent, Out, End>,
): Machine<MachineState<'demuxTasks'>, ContextAnyEvent, { taskId: string; event: Out }, End>
export function demuxTasks(
  machine: Machine<unknown, ContextAnyEvent, unknown, unknown> = copyEvents,
): Machine<MachineState<'demuxTasks'>, ContextAnyEvent, TaskOutput<unknown>, unknown> {
  requireMachine('machine', machine)
  const demux: Machine<DemuxState<unknown>, ContextAnyEvent, TaskOutput<unknown>, unknown> = {
    initial: { tasks: [], endedTasks: [] },
    step({ tasks, endedTasks }, event) {
      const { taskId } = event
      if (endedTasks.includes(taskId)) {
        const message = `${event.kind} after the end of task ${taskId}.`
        const diagnostic = { code: `dropped:${event.kind}`, message, detail: { reason: 'after-end' } }
        return { state: { tasks, endedTasks }, out: [], diagnostics: [diagnostic] }
      }
      const known = tasks.find(({ id }) => id === taskId)
      const first = machine.step(known === undefined ? machine.initial : known.state, event)
      const isEnd = endsTask(event)
      const steps = isEnd ? [first, machine.end(first.state)] : [first]
      const next = { id: taskId, state: first.state }
      const others = tasks.filter((task) => task !== known)
      const state = isEnd
        ? { tasks: others, endedTasks: [...endedTasks, taskId].slice(-MAX_ENDED_TASKS) }
        : {
            tasks: known === undefined ? [...tasks, next] : tasks.map((t) => (t === known ? next : t)),
            endedTasks,
          }
      return joinSteps(state, [[taskId, steps]])
    },
    end({ tasks, endedTasks }, reason) {
      const steps = tasks.map(({ id, state }): TaskSteps => [id, [machine.end(state, reason)]])
      return joinSteps({ tasks: [], endedTasks }, steps)
    },
  }
  return opaque(demux)
}

const copyEvents: Machine<unknown, ContextAnyEvent, unknown, unknown> = {
  initial: null,
  step: (state, event) => ({ state, out: [structuredClone(event)] }),
  end: (state) => ({ state, out: [] }),
}

type TaskSteps = readonly [taskId: string, steps: readonly Step<unknown, unknown>[]]

/** One step with the outputs and diagnostics of all steps. */
function joinSteps(
  state: DemuxState<unknown>,
  tasks: readonly TaskSteps[],
): Step<DemuxState<unknown>, TaskOutput<unknown>> {
  const out = tasks.flatMap(([taskId, steps]) =>
    steps.flatMap((step) => step.out.map((event) => ({ taskId, event }))),
  )
  const diagnostics: Diagnostic[] = tasks.flatMap(([, steps]) =>
    steps.flatMap((step) => step.diagnostics ?? []),
  )
  return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
}

/** Whether no event of the task may follow. After the status `completed`, its result may. */
function endsTask(event: ContextAnyEvent): boolean {
  return (
    event.kind === 'task-complete' ||
    (event.kind === 'task-status' && isTerminalStatus(event.status) && event.status !== 'completed')
  )
}
