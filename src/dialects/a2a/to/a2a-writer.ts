/** One step of `toA2a`: the updates it emits, its diagnostics, and its next state. */

import type { Mutable } from '../../../core/mutable.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { toWellFormed } from '../../../encoding/surrogates.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { toUpdateExtension } from '../wire/extension.ts'
import {
  type Artifact,
  type ArtifactUpdate,
  isInterrupted,
  type Message,
  type Part,
  type Status,
  type WrittenUpdate,
} from '../wire/model.ts'
import { cleanEvent, holdEvent, repeatsLog, takeHeld } from './carried-events.ts'
import { toInstant } from './instant.ts'
import { copyStatus, taskUpdate } from './snapshot.ts'
import { copyState, type ToA2aState } from './state.ts'

/** How streamed text is completed. */
export type CloseText = 'empty-part' | 'snapshot'

/** While a task waits, at most this many events are held back; then the last status carries them. */
const MAX_HELD_EVENTS = 128

/** Emits updates of one task. Its state is a copy to assign to; nested values are replaced, not changed. */
export class A2aWriter extends StepBuilder<Mutable<ToA2aState>, WrittenUpdate> {
  readonly closeText: CloseText
  /** The event that the extension is to carry; `null` once an update has it, or if it was dropped. */
  #current: ContextAnyEvent | null = null
  /** How many events were held back when the step began: they are copied before they are emitted. */
  #stored: number
  /** Whether the event was dropped, so that its fields are not reported as well. */
  isDropped = false

  constructor(state: ToA2aState, closeText: CloseText) {
    super(copyState(state))
    this.closeText = closeText
    this.#stored = state.extension?.held.length ?? 0
  }

  get hasExtension(): boolean {
    return this.state.extension !== null
  }

  override dropped(kind: string, reason: string, message: string): void {
    this.isDropped = true
    this.#current = null
    super.dropped(kind, reason, message)
  }

  /** Makes the next update carry an event. */
  carry(event: ContextAnyEvent): void {
    if (this.hasExtension) this.#current = event
  }

  /** Carries the event by itself if no update was emitted for it. */
  carryRest(event: ContextAnyEvent): void {
    if (this.#current === null) return
    if (this.state.deferredStatus !== null) this.#hold()
    else if (isInterrupted(this.state.status.state)) {
      // A new status would replace the prompt, so the event waits for the next update.
      this.#hold()
      if ((this.state.extension?.held.length ?? 0) >= MAX_HELD_EVENTS) this.flushHeld()
    } else this.setStatus({ state: 'working', ...this.timestamp(event) })
  }

  /** Reports an event that A2A has no equivalent for, unless the extension carries it. */
  noEquivalent({ kind }: ContextAnyEvent): void {
    if (this.hasExtension) return
    if (isInterrupted(this.state.status.state)) {
      const message = `Dropped ${kind} while the task waits: a new status would replace its prompt.`
      this.dropped(kind, 'waiting', message)
    } else this.dropped(kind, 'no-equivalent', `A2A has no equivalent for ${kind}.`)
  }

  /** Reports an event that changes nothing in A2A, unless the extension carries it. */
  notWritten({ kind }: ContextAnyEvent, reason: string, message: string): void {
    if (!this.hasExtension) this.dropped(kind, reason, message)
  }

  /** Creates the task and emits it: the first item of every stream. */
  createTask(event: ContextAnyEvent, metadata?: Metadata): void {
    const { taskId: id, contextId } = event
    this.state.task = metadata === undefined ? { id, contextId } : { id, contextId, metadata }
    this.state.phase = 'open'
    this.state.status = { state: 'submitted', ...this.timestamp(event) }
    this.emitTask()
  }

  /** Opens the next stream of a task whose last stream ended because input was required. */
  resume(event: ContextAnyEvent, message?: Message): void {
    this.state.phase = 'open'
    this.state.eventStatus = 'working'
    this.state.status = {
      state: 'working',
      ...this.timestamp(event),
      ...(message !== undefined && { message }),
    }
    this.emitTask()
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
  emitTask(): void {
    this.#hold()
    const { task, extension } = this.state
    if (task === null) return
    const isWhole = extension !== null && repeatsLog(extension)
    this.emit(taskUpdate(this.state, task, isWhole))
    if (extension === null) return
    this.state.extension = takeHeld(isWhole ? { ...extension, unrepeated: 0 } : extension)
    this.#stored = 0
  }

  /** Changes the status and emits it. */
  setStatus(status: Status): void {
    this.state.status = status
    this.emitStatus(this.#updateMetadata())
  }

  /** Emits the current status. */
  emitStatus(metadata?: Metadata): void {
    const { task, status } = this.state
    if (task === null) return
    this.emit({
      type: 'status',
      taskId: task.id,
      contextId: task.contextId,
      status: copyStatus(status),
      ...(metadata !== undefined && { metadata }),
    })
    if (status.state === 'input-required') this.state.phase = 'paused'
  }

  /** Emits parts of an artifact. */
  emitArtifact(artifact: Artifact, append: boolean, last: boolean): void {
    const { task } = this.state
    if (task === null) return
    const update: Mutable<ArtifactUpdate> = {
      type: 'artifact',
      taskId: task.id,
      contextId: task.contextId,
      artifact,
      append,
      last,
    }
    const metadata = this.#updateMetadata()
    if (metadata !== undefined) update.metadata = metadata
    this.out.push(update)
  }

  /** Emits the events held back, with a repetition of the last status. */
  flushHeld(): void {
    if ((this.state.extension?.held.length ?? 0) === 0) return
    if (this.state.phase === 'paused') this.emitTask()
    else this.emitStatus(this.#updateMetadata())
  }

  /** Emits the prompt of the last open request again, if there is one. */
  repeatPrompt(event: ContextAnyEvent): void {
    const request = this.state.requests.at(-1)
    if (request === undefined) return
    this.setStatus({ state: request.state, ...this.timestamp(event), message: request.message })
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

  /** Reports a field with values that are not JSON. */
  lossyJson(field: string): void {
    this.lossy(field, `${field} has values that JSON cannot represent.`)
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

  /** The time of an event, in UTC. Omitted outside the years 1 to 9999. */
  timestamp(event: ContextAnyEvent): { timestamp?: string } {
    const timestamp = toInstant(event.timestamp)
    return timestamp === undefined ? {} : { timestamp }
  }

  /** Numbers the event, so that the next update carries it. */
  #hold(): void {
    const { extension } = this.state
    if (this.#current === null || extension === null) return
    const event = cleanEvent(this.#current, (field) => this.lossyJson(field))
    this.state.extension = holdEvent(extension, event)
    this.#current = null
  }

  #updateMetadata(): Metadata | undefined {
    this.#hold()
    const { extension } = this.state
    if (extension === null) return undefined
    const { next, held } = extension
    const events = held.map((event, i) => (i < this.#stored ? structuredClone(event) : event))
    this.state.extension = takeHeld(extension)
    this.#stored = 0
    // Without an event of its own, the update belongs to the last one.
    return toUpdateExtension(next - Math.max(held.length, 1), events)
  }
}
