/** One step of `toA2a`: the updates it emits, its diagnostics, and its next state. */

import type { JsonValue } from '../../../core/json-value.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { toWellFormed } from '../../../encoding/surrogates.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { toUtc } from '../../shared/timestamp.ts'
import { type ExtensionEvent, toExtension, toTaskExtension } from '../wire/extension.ts'
import {
  type Artifact,
  isInterrupted,
  type Message,
  type Part,
  type Status,
  type WrittenUpdate,
} from '../wire/model.ts'
import { taskUpdate } from './snapshot.ts'
import type { ToA2aState } from './state.ts'

/** Options of `toA2a` with their defaults. */
export interface Settings {
  readonly extension: boolean
  readonly closeText: 'empty-part' | 'snapshot'
}

/** Why an event is dropped. */
export type DropReason =
  | 'no-equivalent'
  | 'unknown-kind'
  | 'waiting'
  | 'repeated'
  | 'out-of-order'
  | 'other-task'
  | 'after-end'

/** While a task waits, at most this many events are held back; then the last status carries them. */
const MAX_HELD_EVENTS = 128

/** Emits updates of one task. Its state is a copy to assign to; nested values are replaced, not changed. */
export class A2aWriter extends StepBuilder<Mutable<ToA2aState>, WrittenUpdate> {
  readonly settings: Settings
  /** Whether the event was dropped, so that its fields are not reported as well. */
  isDropped = false

  constructor(state: ToA2aState, settings: Settings) {
    super({ ...state })
    this.settings = settings
  }

  override dropped(kind: string, reason: DropReason, message: string): void {
    this.isDropped = true
    super.dropped(kind, reason, message)
  }

  /** Creates the task if no event has created it yet. */
  ensureTask(event: ContextAnyEvent): void {
    if (this.state.phase === 'new') this.createTask(event, undefined, undefined)
  }

  /** Creates the task and emits it: the first item of every stream. */
  createTask(
    event: ContextAnyEvent,
    metadata: Metadata | undefined,
    extensionEvent: ExtensionEvent | undefined,
  ): void {
    const { taskId: id, contextId } = event
    this.state.task = { id, contextId, ...(metadata !== undefined && { metadata }) }
    this.state.phase = 'open'
    this.state.status = { state: 'submitted', ...this.timestamp(event) }
    this.emitTask(extensionEvent)
  }

  /** Opens the next stream of a task whose last stream ended because input was required. */
  resume(event: ContextAnyEvent, extensionEvent?: ExtensionEvent, message?: Message): void {
    this.state.phase = 'open'
    this.state.eventStatus = 'working'
    this.state.status = {
      state: 'working',
      ...this.timestamp(event),
      ...(message !== undefined && { message }),
    }
    this.emitTask(extensionEvent)
  }

  /** Opens the next stream if the last one has ended. */
  ensureOpen(event: ContextAnyEvent): void {
    if (this.state.phase === 'paused') this.resume(event)
  }

  /** Marks the task as ended: nothing may follow. */
  endTask(): void {
    this.state.phase = 'ended'
    this.state.requests = []
  }

  /** Emits the whole task in its current state. */
  emitTask(extensionEvent?: ExtensionEvent): void {
    const { task, counts } = this.state
    if (task === undefined) return
    const update = taskUpdate(this.state, task)
    this.state.counts = { ...counts, tasks: counts.tasks + 1 }
    if (!this.settings.extension) {
      this.emit(update)
      return
    }
    const extension = toTaskExtension(counts.tasks, this.#takeHeldEvents(extensionEvent))
    this.emit({ ...update, metadata: { ...update.metadata, ...extension } })
  }

  /** Changes the status and emits it. */
  setStatus(status: Status, extensionEvent?: ExtensionEvent): void {
    this.state.status = status
    this.emitStatus(this.#extensionMetadata(extensionEvent))
  }

  /** Emits the current status. */
  emitStatus(metadata: Metadata | undefined): void {
    const { task, status } = this.state
    if (task === undefined) return
    this.emit({
      type: 'status',
      taskId: task.id,
      contextId: task.contextId,
      status: status.message === undefined ? status : structuredClone(status),
      ...(metadata !== undefined && { metadata }),
    })
    if (status.state === 'input-required') this.state.phase = 'paused'
  }

  /** Emits parts of an artifact. */
  emitArtifact(
    artifact: Artifact,
    flags: { append: boolean; last: boolean },
    extensionEvent?: ExtensionEvent,
  ): void {
    const { task } = this.state
    if (task === undefined) return
    const metadata = this.#extensionMetadata(extensionEvent)
    this.emit({
      type: 'artifact',
      taskId: task.id,
      contextId: task.contextId,
      artifact,
      ...flags,
      ...(metadata !== undefined && { metadata }),
    })
  }

  /** Emits an event that A2A has no equivalent for: in the extension, or not at all. */
  emitExtensionOnly(
    event: ContextAnyEvent,
    extensionEvent: ExtensionEvent = this.extensionEvent(event),
  ): void {
    const isWaiting = isInterrupted(this.state.status.state)
    if (!this.settings.extension) {
      if (isWaiting) {
        const message = `Dropped ${event.kind} while the task waits: a new status would replace its prompt.`
        this.dropped(event.kind, 'waiting', message)
      } else this.dropped(event.kind, 'no-equivalent', `A2A has no equivalent for ${event.kind}.`)
    } else if (!isWaiting) {
      this.setStatus({ state: 'working', ...this.timestamp(event) }, extensionEvent)
    } else {
      // A new status would replace the prompt, so the event waits for the next update.
      this.state.heldEvents = [...this.state.heldEvents, extensionEvent]
      if (this.state.heldEvents.length >= MAX_HELD_EVENTS) this.flushHeldEvents()
    }
  }

  /** Emits the events held back, with a repetition of the last status. */
  flushHeldEvents(): void {
    if (this.state.heldEvents.length === 0) return
    if (this.state.phase === 'paused') this.emitTask()
    else this.emitStatus(this.#extensionMetadata(undefined))
  }

  /** Emits the prompt of the last open request again, if there is one. */
  repeatPrompt(event: ContextAnyEvent): void {
    const request = this.state.requests.at(-1)
    if (request === undefined) return
    this.setStatus({ state: request.state, ...this.timestamp(event), message: request.message })
  }

  /** The event as the extension carries it; `changes` replace fields, or remove them with `undefined`. */
  extensionEvent(
    event: ContextAnyEvent,
    changes: Readonly<Record<string, JsonValue | undefined>> = {},
  ): ExtensionEvent {
    if (!this.settings.extension) return { kind: event.kind }
    const { contextId: _, taskId: __, ...fields } = event
    const changed = new Set<string>()
    const copy = Object.entries({ ...fields, ...changes }).map(([field, value]) => [
      field,
      cleanJson(value, () => changed.add(field)),
    ])
    for (const field of changed) this.lossyJson(field)
    return Object.fromEntries(copy.filter(([, value]) => value !== undefined)) as ExtensionEvent
  }

  /** Reports a field with values that are not JSON. */
  lossyJson(field: string): void {
    this.lossy(field, `${field} has values that JSON cannot represent.`)
  }

  /** Metadata as JSON; `undefined` if it is empty. */
  cleanMetadata(metadata: unknown): Metadata | undefined {
    if (metadata === undefined) return undefined
    let isChanged = false
    const copy = cleanObject(metadata, () => {
      isChanged = true
    })
    if (isChanged) this.lossyJson('metadata')
    return Object.keys(copy).length > 0 ? copy : undefined
  }

  /** A message of the agent with a new id. */
  createMessage(event: ContextAnyEvent | undefined, parts: readonly Part[]): Message {
    const { counts, task } = this.state
    const messages = counts.messages + 1
    this.state.counts = { ...counts, messages }
    // The time keeps ids unique when a task resumes with a fresh state.
    const suffix = event === undefined ? '' : `:${event.timestamp}`
    return { messageId: `${task?.id}:message-${messages}${suffix}`, role: 'agent', parts }
  }

  /** A message with one text part; `undefined` if the text is missing or empty. */
  createTextMessage(event: ContextAnyEvent, text: string | undefined): Message | undefined {
    return text ? this.createMessage(event, [{ type: 'text', text: toWellFormed(text) }]) : undefined
  }

  /** The time of an event, in UTC. */
  timestamp(event: ContextAnyEvent): { timestamp?: string } {
    const timestamp = toUtc(event.timestamp)
    return timestamp === undefined ? {} : { timestamp }
  }

  #extensionMetadata(extensionEvent: ExtensionEvent | undefined): Metadata | undefined {
    return this.settings.extension ? toExtension(this.#takeHeldEvents(extensionEvent)) : undefined
  }

  /** The events for the next update: those held back, then the given one. */
  #takeHeldEvents(extensionEvent: ExtensionEvent | undefined): readonly ExtensionEvent[] {
    const held = this.state.heldEvents
    const current = extensionEvent === undefined ? [] : [extensionEvent]
    if (held.length === 0) return current
    this.state.heldEvents = []
    return [...structuredClone(held), ...current]
  }
}
