/** What one event leads to, while it is being worked out. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { JsonValue } from '../../../core/schema.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import { toWellFormed } from '../../../encoding/surrogates.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/fields.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { type CarriedEvent, carry, carryOnTask } from '../wire/extension.ts'
import {
  type Artifact,
  isInterrupted,
  type Message,
  type Part,
  type Status,
  type WrittenUpdate,
} from '../wire/model.ts'
import { toUtc } from '../wire/time.ts'
import { type OpenRequest, type ToA2aState, taskUpdate } from './state.ts'

/** Settings of `toA2a` with their defaults filled in. */
export interface Settings {
  readonly extension: boolean
  readonly closeText: 'empty-part' | 'snapshot'
}

/** Why an event is not said. */
export type DropReason =
  | 'no-equivalent'
  | 'waiting'
  | 'repeated'
  | 'out-of-order'
  | 'other-task'
  | 'task-ended'
  | 'invalid'

/** More events are not held back while a task waits: they are sent with what was said last. */
const MAX_HELD = 128

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** One step of `toA2a`: a copy of the state to change, and what comes out. */
export class Turn {
  readonly state: Mutable<ToA2aState>
  readonly settings: Settings
  readonly updates: WrittenUpdate[] = []
  readonly diagnostics: Diagnostic[] = []
  /** Whether the event was not said, so that its fields need not be looked at. */
  dropped = false

  constructor(state: ToA2aState, settings: Settings) {
    this.state = { ...state }
    this.settings = settings
  }

  diagnostic(code: string, message: string, detail?: unknown): void {
    this.diagnostics.push(detail === undefined ? { code, message } : { code, message, detail })
  }

  /** Diagnostics that a field of the event is not said, or not as it is. */
  lose(field: string, message = `A2A cannot say ${field}.`): void {
    this.diagnostics.push({ code: `lossy:${field}`, message, path: toPointer([field]) })
  }

  /** Diagnostics that the event is not said. */
  drop(event: { kind: string }, reason: DropReason, message: string): void {
    this.dropped = true
    this.diagnostic(`dropped:${event.kind}`, message, { reason })
  }

  /** Begins the task where that has not happened. */
  ensureTask(event: ContextAnyEvent): void {
    if (this.state.phase !== 'new') return
    this.begin(event, undefined, undefined)
  }

  /** The first thing a stream says: there is a task. */
  begin(event: ContextAnyEvent, metadata: Metadata | undefined, carried: CarriedEvent | undefined): void {
    const { taskId: id, contextId } = event
    this.state.task = { id, contextId, ...(metadata !== undefined && { metadata }) }
    this.state.phase = 'open'
    this.state.status = { state: 'submitted', ...this.time(event) }
    this.sayTask(carried)
  }

  /** Opens another stream of the task after one that ended for input. */
  resume(event: ContextAnyEvent, carried?: CarriedEvent, message?: Message): void {
    this.state.phase = 'open'
    this.state.told = 'working'
    this.state.status = { state: 'working', ...this.time(event), ...(message !== undefined && { message }) }
    this.sayTask(carried)
  }

  /** The task has ended: nothing follows. */
  close(): void {
    this.state.phase = 'ended'
    this.state.requests = []
  }

  /** Opens another stream where the last one ended, for an event that says something. */
  ensureOpen(event: ContextAnyEvent): void {
    if (this.state.phase === 'paused') this.resume(event)
  }

  /** Says the task as it stands, with everything so far. */
  sayTask(carried?: CarriedEvent): void {
    const { task, counts } = this.state
    if (task === undefined) return
    const update = taskUpdate(this.state, task)
    this.state.counts = { ...counts, tasks: counts.tasks + 1 }
    if (!this.settings.extension) {
      this.updates.push(update)
      return
    }
    const metadata = { ...update.metadata, ...carryOnTask(counts.tasks, this.take(carried)) }
    this.updates.push({ ...update, metadata })
  }

  /** Says a new status. */
  say(status: Status, carried?: CarriedEvent): void {
    this.state.status = status
    this.restate(this.carrying(carried))
  }

  /** Says the status as it is. */
  restate(metadata: Metadata | undefined): void {
    const { task, status } = this.state
    if (task === undefined) return
    this.updates.push({
      type: 'status',
      taskId: task.id,
      contextId: task.contextId,
      status: status.message === undefined ? status : structuredClone(status),
      ...(metadata !== undefined && { metadata }),
    })
    if (status.state === 'input-required') this.state.phase = 'paused'
  }

  /** Says something about an artifact. */
  put(artifact: Artifact, how: { append: boolean; last: boolean }, carried?: CarriedEvent): void {
    const { task } = this.state
    if (task === undefined) return
    const metadata = this.carrying(carried)
    this.updates.push({
      type: 'artifact',
      taskId: task.id,
      contextId: task.contextId,
      artifact,
      ...how,
      ...(metadata !== undefined && { metadata }),
    })
  }

  /** An event with no words of its own: only the extension carries it. */
  carryOnly(event: ContextAnyEvent, carried: CarriedEvent = this.carried(event)): void {
    const interrupted = isInterrupted(this.state.status.state)
    if (!this.settings.extension) {
      this.drop(
        event,
        interrupted ? 'waiting' : 'no-equivalent',
        interrupted
          ? `The task waits: saying ${event.kind} would take the place of what it asks for.`
          : `A2A has no word for ${event.kind}.`,
      )
    } else if (!interrupted) {
      this.say({ state: 'working', ...this.time(event) }, carried)
    } else {
      // Another status would take the place of the prompt, so the event waits for the next one.
      this.state.held = [...this.state.held, carried]
      if (this.state.held.length >= MAX_HELD) this.release()
    }
  }

  /** Gives out the events held back, with what was said last. */
  release(): void {
    if (this.state.held.length === 0) return
    if (this.state.phase === 'paused') this.sayTask()
    else this.restate(this.carrying(undefined))
  }

  /** The event as the extension carries it, with some fields left out or as they were said. */
  carried(
    event: ContextAnyEvent,
    changes: Readonly<Record<string, JsonValue | undefined>> = {},
  ): CarriedEvent {
    if (!this.settings.extension) return { kind: event.kind }
    const { contextId: _, taskId: __, ...fields } = event
    const changed = new Set<string>()
    const copy = Object.entries({ ...fields, ...changes }).map(([field, value]) => [
      field,
      cleanJson(value, () => changed.add(field)),
    ])
    for (const field of changed) this.lose(field, `What ${field} holds is not all JSON.`)
    return Object.fromEntries(copy.filter(([, value]) => value !== undefined)) as CarriedEvent
  }

  /** Metadata a producer hands in, as A2A can carry it; `undefined` when there is none. */
  metadata(metadata: unknown): Metadata | undefined {
    if (metadata === undefined) return undefined
    let changed = false
    const copy = cleanObject(metadata, () => {
      changed = true
    })
    if (changed) this.lose('metadata', 'What metadata holds is not all JSON.')
    return Object.keys(copy).length > 0 ? copy : undefined
  }

  /** A message of the agent. */
  message(event: ContextAnyEvent | undefined, parts: readonly Part[]): Message {
    const { counts, task } = this.state
    const messages = counts.messages + 1
    this.state.counts = { ...counts, messages }
    // The time keeps ids apart when a task goes on with a fresh state.
    const at = event === undefined ? '' : `:${event.timestamp}`
    return { messageId: `${task?.id}:message-${messages}${at}`, role: 'agent', parts }
  }

  /** A message of one text; `undefined` when there is nothing to say. */
  textMessage(event: ContextAnyEvent, text: string | undefined): Message | undefined {
    return text ? this.message(event, [{ type: 'text', text: toWellFormed(text) }]) : undefined
  }

  time(event: ContextAnyEvent): { timestamp?: string } {
    const timestamp = toUtc(event.timestamp)
    return timestamp === undefined ? {} : { timestamp }
  }

  /** Says what the task still waits for, if anything. */
  askAgain(event: ContextAnyEvent): boolean {
    const request: OpenRequest | undefined = this.state.requests.at(-1)
    if (request === undefined) return false
    this.say({ state: request.state, ...this.time(event), message: request.message })
    return true
  }

  private carrying(carried: CarriedEvent | undefined): Metadata | undefined {
    return this.settings.extension ? carry(this.take(carried)) : undefined
  }

  /** The events to be carried now: those held back, then this one. */
  private take(carried: CarriedEvent | undefined): readonly CarriedEvent[] {
    const held = this.state.held
    const fresh = carried === undefined ? [] : [carried]
    if (held.length === 0) return fresh
    this.state.held = []
    return [...structuredClone(held), ...fresh]
  }
}
