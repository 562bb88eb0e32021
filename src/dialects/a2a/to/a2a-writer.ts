/** One step of `toA2a`: the updates it emits, its diagnostics, and its next state. */

import type { Mutable } from '../../../core/mutable.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { EventWriter } from '../../engine/event-writer.ts'
import { toUpdateExtension } from '../wire/extension.ts'
import {
  type Artifact,
  type ArtifactUpdate,
  isInterrupted,
  type Message,
  type Part,
  type State,
  type Status,
  type WrittenUpdate,
} from '../wire/model.ts'
import { serializeItem } from '../wire/serialize.ts'
import type { A2aEvent } from '../wire/version.ts'
import { cleanEvent, holdEvent, repeatsLog, takeHeld } from './carried-events.ts'
import { losses } from './coverage.ts'
import { copyStatus, taskUpdate } from './snapshot.ts'
import { copyState, type ToA2aState } from './state.ts'

/** How streamed text is completed. */
export type CloseText = 'empty-part' | 'snapshot'

/** While a task waits, at most this many events are held back; then the last status carries them. */
const MAX_HELD_EVENTS = 128

const NOT_JSON = (field: string): string => `${field} has values that JSON cannot represent.`

/** Emits updates of one task. Its state is a copy to assign to; nested values are replaced, not changed. */
export class A2aWriter extends EventWriter<Mutable<ToA2aState>, A2aEvent> {
  readonly closeText: CloseText
  /** The event of the step; `undefined` at the end of the stream. */
  readonly event: ContextAnyEvent | undefined
  /** How many events were held back when the step began: they are copied before they are emitted. */
  #stored: number

  constructor(state: ToA2aState, closeText: CloseText, event?: ContextAnyEvent) {
    super(copyState(state), losses)
    this.closeText = closeText
    this.event = event
    this.#stored = state.extension?.held.length ?? 0
  }

  get hasExtension(): boolean {
    return this.state.extension !== null
  }

  /** Reports a field that the extension does not carry either. */
  lost(field: string, message: string): void {
    this.diagnostic(`lossy:${field}`, message, { path: toPointer([field]) })
  }

  /** Numbers an event, so that the next update carries it. */
  carry(event: ContextAnyEvent): void {
    const { extension } = this.state
    if (extension === null) return
    this.state.extension = holdEvent(
      extension,
      cleanEvent(event, (field) => this.lost(field, NOT_JSON(field))),
    )
    this.isCarried = true
  }

  /** Carries the event by itself if no update was emitted for it. */
  carryRest(): void {
    const { extension, deferredStatus, status } = this.state
    if (extension === null || extension.held.length === 0 || deferredStatus !== null) return
    // A new status would replace the prompt, so the event waits for the next update.
    if (!isInterrupted(status.state)) this.setStatus(this.statusOf('working'))
    else if (extension.held.length >= MAX_HELD_EVENTS) this.flushHeld()
  }

  /** Reports an event that A2A has no equivalent for. */
  override noEquivalent(event: ContextAnyEvent): void {
    if (!isInterrupted(this.state.status.state)) super.noEquivalent(event)
    else this.dropped(event.kind, 'waiting', 'Expected an answer: a new status would replace the prompt.')
  }

  /** Creates the task and emits it: the first item of every stream. */
  createTask({ taskId: id, contextId }: ContextAnyEvent, metadata?: Metadata): void {
    this.state.task = metadata === undefined ? { id, contextId } : { id, contextId, metadata }
    this.state.phase = 'open'
    this.state.status = this.statusOf('submitted')
    this.emitTask()
  }

  /** Opens the next stream of a task whose last stream ended because input was required. */
  resume(message?: Message): void {
    this.state.phase = 'open'
    this.state.eventStatus = null
    this.state.status = this.statusOf('working', message)
    this.emitTask()
  }

  /** Opens the next stream if the last one has ended. */
  ensureOpen(): void {
    if (this.state.phase === 'paused') this.resume()
  }

  /** A status at the time of the event. That is omitted outside the years 1 to 9999. */
  statusOf(state: State, message?: Message): Status {
    const timestamp = this.event === undefined ? undefined : toInstant(this.event.timestamp)
    return {
      state,
      ...(timestamp !== undefined && { timestamp }),
      ...(message !== undefined && { message }),
    }
  }

  /** Marks the task as ended: nothing may follow. */
  endTask(): void {
    this.state.phase = 'ended'
    this.state.requests = []
  }

  /** Emits the whole task in its current state. */
  emitTask(): void {
    const { task, extension } = this.state
    const isWhole = extension !== null && repeatsLog(extension)
    this.#send(taskUpdate(this.state, task, isWhole))
    if (extension === null) return
    this.state.extension = takeHeld(isWhole ? { ...extension, unrepeated: 0 } : extension)
    this.#stored = 0
  }

  /** Changes the status and emits it, in an open stream. */
  setStatus(status: Status): void {
    this.ensureOpen()
    this.state.status = status
    this.emitStatus(this.#updateMetadata())
  }

  /** Emits the current status. */
  emitStatus(metadata?: Metadata): void {
    const { task, status } = this.state
    this.#send({
      type: 'status',
      taskId: task.id,
      contextId: task.contextId,
      status: copyStatus(status),
      ...(metadata !== undefined && { metadata }),
    })
    if (status.state === 'input-required') this.state.phase = 'paused'
  }

  /** Emits parts of an artifact, in an open stream. */
  emitArtifact(artifact: Artifact, append: boolean, last: boolean): void {
    this.ensureOpen()
    const { task } = this.state
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
    this.#send(update)
  }

  /** Emits the events held back, with a repetition of the last status. */
  flushHeld(): void {
    if ((this.state.extension?.held.length ?? 0) === 0) return
    if (this.state.phase === 'paused') this.emitTask()
    else this.emitStatus(this.#updateMetadata())
  }

  /** Metadata as JSON; `undefined` if it is empty. */
  cleanMetadata(metadata: unknown): Metadata | undefined {
    if (metadata === undefined) return undefined
    const copy = cleanObject(metadata, this.notJson('metadata'))
    return Object.keys(copy).length > 0 ? copy : undefined
  }

  /** Reports a field that is not all JSON, once, however many of its values are not. */
  notJson(field: string): () => void {
    let isReported = false
    return () => {
      if (!isReported) this.lossy(field, NOT_JSON(field))
      isReported = true
    }
  }

  /** A message of the agent with a new id. */
  createMessage(parts: readonly Part[]): Message {
    const { counts, task } = this.state
    const messages = counts.messages + 1
    this.state.counts = { ...counts, messages }
    // The time keeps ids unique when a task resumes with a fresh state.
    const suffix = this.event === undefined ? '' : `:${this.event.timestamp}`
    return { messageId: `${task.id}:message-${messages}${suffix}`, role: 'agent', parts }
  }

  /** A message with one text part; `undefined` if the text is missing or empty. */
  createTextMessage(text: string | undefined): Message | undefined {
    return text ? this.createMessage([{ type: 'text', text }]) : undefined
  }

  #send(update: WrittenUpdate): void {
    this.out.push(serializeItem(this.state.version, update))
  }

  #updateMetadata(): Metadata | undefined {
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

/**
 * The same instant in UTC, with 3, 6 or 9 digits of a second as protocol buffers write it. `undefined` outside the years
 * 1 to 9999, which they do not have.
 */
export function toInstant(timestamp: string): string | undefined {
  if (timestamp.length === 24 && timestamp.endsWith('Z')) return inRange(timestamp)
  const fraction = (/\.(?:\d{0,8}[1-9])?/.exec(timestamp) ?? ['.'])[0]
  const milliseconds = Date.parse(timestamp.replace(/\.\d+/, ''))
  if (Number.isNaN(milliseconds)) return undefined
  const seconds = new Date(milliseconds).toISOString().slice(0, -5)
  return inRange(
    `${seconds}${fraction.padEnd(fraction.length <= 4 ? 4 : fraction.length <= 7 ? 7 : 10, '0')}Z`,
  )
}

function inRange(timestamp: string): string | undefined {
  return /^(?!0000)\d{4}-/.test(timestamp) ? timestamp : undefined
}
