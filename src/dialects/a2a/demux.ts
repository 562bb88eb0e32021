/** Splitting a stream of several tasks, as A2A has one stream per task. */

import {
  type BoundedMap,
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../core/bounded-map/bounded-map.ts'
import { type Machine, requireMachine, type Step } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { Mutable } from '../../core/mutable.ts'
import { describeValue, requireBoolean, requireOnly } from '../../core/require.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isBareEnd, isTaskEnd } from '../../events/task-end.ts'

/** An output and the task it belongs to. */
export interface TaskOutput<Out> {
  taskId: string
  event: Out
}

/** Options of {@link demuxTasks}. */
export interface DemuxTasksOptions {
  /**
   * Whether a task with the status `completed` waits for its `task-complete`. For producers that emit both, the result
   * last: until then, or until `end`, the end of the task is held back. By default it ends at once, and a later
   * `task-complete` is dropped, and reported if it has a result.
   *
   * @defaultValue `false`
   */
  readonly awaitResult?: boolean
}

/** The state of `demuxTasks`. */
interface DemuxState<State> {
  /** The running tasks, by id. */
  readonly tasks: BoundedMap<RunningTask<State>>
  /** The ids of ended tasks, so that a late event does not start one again. */
  readonly endedTasks: BoundedMap<true>
  /** How many tasks have begun. */
  readonly taskCount: number
}

/** A task with the state of its machine. */
interface RunningTask<State> {
  /** Its position among all tasks, from 0. */
  readonly order: number
  readonly state: State
}

/**
 * Splits the stream of a context by task, subtasks included: each output names its task.
 *
 * With a machine, runs one per task, from its `initial` to its `end`, which is called at the end of the task.
 * Without one, outputs copies of the events.
 *
 * The state holds the 4096 to 8192 most recently used tasks.
 *
 * Diagnostics besides those of the machine:
 *
 * - `invalid-event`: the input is not a valid event; `detail` lists the issues
 * - `dropped:<kind>` with the reason `after-end`: the event came after the end of its task
 * - `state-evicted`: too many tasks are running; those without an event for the longest time start again
 *
 * @throws TypeError if `machine` is not a machine, or an option is invalid.
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
  options?: DemuxTasksOptions,
): Machine<MachineState<'demuxTasks'>, ContextAnyEvent, { taskId: string; event: Out }, End>
export function demuxTasks(
  machine: Machine<unknown, ContextAnyEvent, unknown, unknown> = copyEvents,
  options: DemuxTasksOptions = {},
): Machine<MachineState<'demuxTasks'>, ContextAnyEvent, TaskOutput<unknown>, unknown> {
  requireMachine('machine', machine)
  requireOnly('options', options, ['awaitResult'])
  // A copy of an event holds nothing back.
  const { awaitResult = false } = options
  requireBoolean('awaitResult', awaitResult)
  const awaits = awaitResult || machine === copyEvents
  const demux: Machine<DemuxState<unknown>, ContextAnyEvent, TaskOutput<unknown>, unknown> = {
    initial: { tasks: emptyBoundedMap, endedTasks: emptyBoundedMap, taskCount: 0 },
    step(state, input) {
      const builder = new DemuxBuilder(state)
      const decoded = decodeEvent(input)
      if (decoded.status === 'invalid') {
        builder.invalid(decoded.issues)
        return builder.done()
      }
      const event = decoded.event as ContextAnyEvent
      const { taskId, kind } = event
      if (boundedGet(state.endedTasks, taskId) === true) {
        const message = `Expected no event of task ${describeValue(taskId)} after its end, got ${describeValue(kind)}.`
        if (!isBareEnd(event)) builder.dropped(kind, 'after-end', message)
        return builder.done()
      }
      const known = boundedGet(state.tasks, taskId)
      const step = machine.step(known === undefined ? machine.initial : known.state, event)
      builder.add(taskId, step)
      if (endsTask(event, awaits)) {
        builder.add(taskId, machine.end(step.state))
        builder.endTask(taskId)
      } else builder.setTask(taskId, known, step.state)
      return builder.done()
    },
    end(state, reason) {
      const builder = new DemuxBuilder(state)
      const tasks = [...boundedEntries(state.tasks)].sort(([, a], [, b]) => a.order - b.order)
      for (const [id, task] of tasks) builder.add(id, machine.end(task.state, reason))
      builder.state.tasks = emptyBoundedMap
      return builder.done()
    },
  }
  return opaque(demux)
}

const copyEvents: Machine<unknown, ContextAnyEvent, unknown, unknown> = {
  initial: null,
  step: (state, event) => ({ state, out: [structuredClone(event)] }),
  end: (state) => ({ state, out: [] }),
}

/** Collects the outputs of the tasks. */
class DemuxBuilder extends StepBuilder<Mutable<DemuxState<unknown>>, TaskOutput<unknown>> {
  constructor(state: DemuxState<unknown>) {
    super({ ...state })
  }

  /** Adds what the machine of a task gave. */
  add(taskId: string, { out, diagnostics }: Step<unknown, unknown>): void {
    for (const event of out) this.emit({ taskId, event })
    for (const diagnostic of diagnostics ?? []) this.diagnostics.push(diagnostic)
  }

  setTask(id: string, known: RunningTask<unknown> | undefined, state: unknown): void {
    const order = known === undefined ? this.state.taskCount++ : known.order
    const { map, hasEvicted } = boundedSet(this.state.tasks, id, { order, state })
    this.state.tasks = map
    if (hasEvicted)
      this.diagnostic('state-evicted', 'Too many running tasks: the least recently used start again.')
  }

  endTask(id: string): void {
    this.state.tasks = boundedDelete(this.state.tasks, id)
    this.state.endedTasks = boundedSet(this.state.endedTasks, id, true).map
  }
}

/** Whether the task ends. After the status `completed`, its result may follow. */
function endsTask(event: ContextAnyEvent, awaits: boolean): boolean {
  const isSuccess = event.kind === 'task-status' && event.status === 'completed'
  return isTaskEnd(event) && !(awaits && isSuccess)
}
