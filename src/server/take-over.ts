/** Takes over tasks whose process has stopped. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { isObsolete } from '../commands/ledger/obsolete.ts'
import { ancestorsOf, hasEnded, isAnswered, latestTime, requestsBelow } from '../commands/ledger/read.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { contextKey } from '../streams/context-key.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import type { ExpiredLease, LeaseLog } from '../streams/log/lease-log.ts'
import { readToEnd } from '../streams/log/read-to-end.ts'
import { foldEvents } from '../streams/view/fold/index.ts'
import { emptyView, taskOf, type View } from '../streams/view/index.ts'
import { closeDangling } from '../streams/view/snapshot/index.ts'
import type { Stream } from './stream.ts'

/** A task that was taken over: called with it, an application runs it or ends it. */
export type OnLeaseExpired = (task: TaskName & { readonly expiredAt: string }, stream: Stream) => unknown

/** What taking over needs of a stream. */
export interface Heir {
  readonly stream: Stream
  /** Its log, if it has leases. */
  readonly leases: LeaseLog | undefined
  readonly onLeaseExpired: OnLeaseExpired | undefined
  /** The state that is known here. */
  readonly state: CommandLedgerState
  /** Whether the state of the stream is stored: other processes know by it what waits. */
  readonly isShared: boolean
  /** Appends an event, also while the stream is released. */
  append(event: ContextAnyEvent): Promise<unknown>
  /** Reads what other processes have stored. */
  refresh(): Promise<unknown>
  /** The current time: RFC 3339 with time zone. */
  time(): string
  /** Whether the input of a task waits for its turn, or to be handed over. */
  isWaiting(task: TaskName): boolean
  /** Keeps the input of a task until its requests are closed, to hand it over again. `false` if it has none. */
  park(task: TaskName): Promise<boolean>
  report(diagnostics: readonly Diagnostic[]): void
}

/** What is being done with tasks that were taken over. */
export interface TakenOver {
  /** Resolves when the application is done with all of them. Never rejects. */
  readonly done: Promise<unknown>
}

/** The result of a call that had started when its process stopped: nobody knows what it has done, so it is not run again. */
const INTERRUPTED = 'interrupted'
const REASON = 'The process that ran this task stopped: its lease expired.'

/** A task and those below it, which nobody runs. */
interface Family {
  readonly root: TaskName
  readonly tasks: readonly TaskName[]
}

/** One that a lease has held. */
interface HeldFamily extends Family {
  readonly expiredAt: string
}

/** Takes the expired leases of one stream over. */
export class TakeOver {
  readonly #heir: Heir
  /** What this process holds and has not settled, because something failed. */
  readonly #failed = new Set<HeldFamily>()
  /** Whether the last look failed: this process may hold something that it does not know of. */
  #isUnsure = false
  /** What is being done with what this process holds. */
  readonly #handled = new Map<HeldFamily, Promise<void>>()
  /** The looks that go on: what they take over is in neither yet. */
  readonly #looks = new Set<Promise<TakenOver>>()

  constructor(heir: Heir) {
    this.#heir = heir
  }

  /** Whether something that this process holds is to be tried again: its lease is renewed, so that no look finds it. */
  get hasFailed(): boolean {
    return this.#failed.size > 0 || this.#isUnsure
  }

  /** The tasks that were taken over and are not settled yet: they stay held. */
  get unsettled(): readonly TaskName[] {
    return [...this.#failed, ...this.#handled.keys()].flatMap(({ tasks }) => tasks)
  }

  /** Whether nothing is left to do: the stream may be released. */
  get isDone(): boolean {
    return !this.hasFailed && this.#handled.size === 0 && this.#looks.size === 0
  }

  /** Resolves when nothing is being settled. What an application does may take hours: it is not waited for. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#looks)
    if (this.#heir.onLeaseExpired === undefined) await Promise.all(this.#handled.values())
  }

  /** Takes over what has expired. */
  async look(): Promise<TakenOver> {
    const looking = this.#look()
    this.#looks.add(looking)
    try {
      return await looking
    } finally {
      this.#looks.delete(looking)
    }
  }

  async #look(): Promise<TakenOver> {
    const { leases } = this.#heir
    const families: HeldFamily[] = []
    this.#isUnsure = false
    try {
      for (const lease of (await leases?.expiredLeases()) ?? []) {
        if (await leases?.takeOver(lease)) families.push(...(await this.#familiesOf(lease)))
      }
    } catch (error) {
      for (const family of families) this.#failed.add(family)
      this.#isUnsure = true
      throw error
    }
    families.push(...this.#failed)
    this.#failed.clear()
    for (const family of families) {
      const done = this.#handle(family).finally(() => this.#handled.delete(family))
      this.#handled.set(family, done)
    }
    return { done: Promise.all(families.map((family) => this.#handled.get(family))) }
  }

  async #familiesOf({ tasks, expiredAt }: ExpiredLease): Promise<HeldFamily[]> {
    await this.#heir.refresh().catch(() => undefined)
    const { state } = this.#heir
    const held = new Set(tasks.map(({ contextId, taskId }) => contextKey(contextId, taskId)))
    const families = new Map<string, { root: TaskName; tasks: TaskName[]; expiredAt: string }>()
    for (const task of tasks) {
      const { contextId } = task
      const above = ancestorsOf(state, task).filter((taskId) => held.has(contextKey(contextId, taskId)))
      const root = { contextId, taskId: above.at(-1) ?? task.taskId }
      const key = contextKey(contextId, root.taskId)
      const known = families.get(key)
      if (known === undefined) families.set(key, { root, tasks: [task], expiredAt })
      else known.tasks.push(task)
    }
    return [...families.values()]
  }

  async #handle(family: HeldFamily): Promise<void> {
    const { root, expiredAt } = family
    const { onLeaseExpired, stream, leases } = this.#heir
    try {
      // It was shown, and has not begun: it is handed over when it is its turn.
      if (this.#heir.isWaiting(root)) await leases?.release(family.tasks)
      else if (onLeaseExpired === undefined) await this.settle(family)
      else await onLeaseExpired({ ...root, expiredAt }, stream)
    } catch (error) {
      this.#failed.add(family)
      const what =
        onLeaseExpired === undefined ? 'the stream to be available' : 'onLeaseExpired to take the task'
      this.#heir.report([
        {
          code: 'take-over-failed',
          message: `Expected ${what}, got for "${root.taskId}": ${String(error)}. It is tried again.`,
          detail: { ...root },
        },
      ])
    }
  }

  /** A task that waits for an answer stays open; any other fails. */
  async settle({ root, tasks }: Family): Promise<void> {
    const heir = this.#heir
    await heir.refresh()
    const open = tasks.filter((task) => !hasEnded(heir.state, task))
    const waiting = requestsBelow(heir.state, root)
    const isWaiting = waiting.length > 0 || open.some((task) => isAnswered(heir.state, task))
    const view = await viewOf(heir.stream.log, open)
    const clientCalls = new Set(
      waiting.map(({ type, id, call, isExecution }) =>
        type === 'tool' ? id : isExecution && call?.toolCallId,
      ),
    )
    for (const event of endsOf(view, latestTime(heir.state, heir.time()))) {
      if (isWaiting && !isInterruption(view, event)) continue
      if (isWaiting && event.kind === 'tool-complete' && clientCalls.has(event.toolCallId)) continue
      if (isObsolete(heir.state, event) === undefined) await heir.append(event)
    }
    if (!isWaiting) return
    if (!(await heir.park(root))) {
      const message = `Expected input of a client for the task "${root.taskId}", got none: nobody runs it when its requests are closed. Run it in onLeaseExpired.`
      heir.report([{ code: 'task-not-resumed', message, detail: { ...root } }])
    }
    // Without a stored state, only this process knows that it waits.
    if (heir.isShared) await heir.leases?.release(tasks)
  }
}

/** The events that end tasks: calls that had started are interrupted. */
function endsOf(view: View, at: string): ContextAnyEvent[] {
  return closeDangling(view, { reason: REASON, at }).map((event) =>
    event.kind === 'tool-complete' && statusOfCall(view, event) === 'running'
      ? { ...event, error: INTERRUPTED }
      : event,
  )
}

/** Whether an event ends what its process was doing, and not what waits. */
function isInterruption(view: View, event: ContextAnyEvent): boolean {
  const { kind } = event
  return kind === 'tool-complete'
    ? statusOfCall(view, event) === 'running'
    : kind === 'content-complete' || kind === 'thought-stream'
}

function statusOfCall(view: View, event: ContextAnyEvent & { kind: 'tool-complete' }): unknown {
  const parts = taskOf(view, event.taskId, event.contextId)?.parts ?? []
  const call = parts.find((part) => part.type === 'tool' && part.toolCallId === event.toolCallId)
  return call?.status
}

/** The view of some tasks. Those that the log no longer holds are begun, to be ended. */
async function viewOf(log: EventLog, tasks: readonly TaskName[]): Promise<View> {
  let view = foldEvents(emptyView, await eventsOf(log, tasks))
  for (const { contextId, taskId } of tasks) {
    if (taskOf(view, taskId, contextId) !== undefined) continue
    const timestamp = new Date(0).toISOString()
    view = foldEvents(view, [{ kind: 'task-status', contextId, taskId, status: 'working', timestamp }])
  }
  return view
}

/** The events of some tasks that a log has, or what they were. */
export async function eventsOf(log: EventLog, tasks: readonly TaskName[]): Promise<ContextAnyEvent[]> {
  const names = new Set(tasks.map(({ contextId, taskId }) => contextKey(contextId, taskId)))
  let events: ContextAnyEvent[] = []
  for await (const part of readToEnd(log)) {
    if (part.type === 'reset') events = []
    for (const event of part.events ?? [])
      if (names.has(contextKey(event.contextId, event.taskId))) events.push(event)
  }
  return events
}
