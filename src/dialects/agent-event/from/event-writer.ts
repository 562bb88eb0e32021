/** Writing the events of a task: its beginning, ids, times, and what the input states besides. */

import { randomId } from '../../../core/random-id.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { withContext } from '../../../emitter/stamp.ts'
import type { AnyEvent, ContextAnyEvent, EventContext } from '../../../events/event.ts'
import { readClock, readNewId } from '../../../validation/callbacks.ts'
import { type Fields, isId } from '../../../validation/predicates.ts'
import { epochToTimestamp } from '../../shared/epoch-time.ts'
import type { RunEnvelope } from '../wire/run-event.ts'
import type { FromAgentEventsOptions } from './options.ts'
import type { FromAgentEventsState } from './state.ts'

type Draft = AnyEvent extends infer E ? (E extends AnyEvent ? Omit<E, 'timestamp'> : never) : never

/** Emits the events of the task for one input. */
export class EventWriter extends StepBuilder<FromAgentEventsState, ContextAnyEvent> {
  readonly options: FromAgentEventsOptions
  /** What the next event carries in `metadata.langvis`. */
  #carried: Fields | undefined

  constructor(state: FromAgentEventsState, options: FromAgentEventsOptions) {
    super(state)
    this.options = options
  }

  /** Begins the task unless it has begun. */
  start(): void {
    if (this.state.phase !== 'new') return
    const { contextId, taskId, parentTaskId, path, initiator } = this.options
    const runId = this.#carried?.runId
    const context: EventContext = {
      contextId: contextId ?? this.state.conversationId ?? this.#inferId('contextId', 'context-1'),
      taskId: taskId ?? (isId(runId) ? (runId as string) : this.#inferId('taskId', randomId())),
    }
    if (parentTaskId !== undefined) context.parentTaskId = parentTaskId
    if (path !== undefined) context.path = [...path]
    this.update({ phase: 'running', context })
    this.emitDraft({
      kind: 'task-created',
      initiator: initiator ?? (parentTaskId === undefined ? 'user' : 'agent'),
    })
    this.emitDraft({ kind: 'task-status', status: 'working' })
  }

  /** Takes over what an input states besides the fields of its type. */
  readEnvelope({ at, seq, runId }: RunEnvelope): void {
    if (seq !== undefined) this.update({ seq })
    if (at !== undefined && this.state.isHostTime) this.carry({ at })
    else this.readTime(at)
    if (runId !== undefined && runId !== this.state.runId) this.carry({ runId })
  }

  /** Takes over a time that the stream states. */
  readTime(at: number | undefined): void {
    const latest = this.state.at
    if (at === undefined || this.state.isHostTime) return
    if (at > latest) this.update({ at })
    else if (at < latest) this.lossy('at', `Expected at least ${latest}, got ${at}.`)
  }

  /** Carries fields in the metadata of the next event. The `messageId` that events repeat is carried where it changes. */
  carry(fields: Fields | undefined): void {
    if (fields === undefined) return
    const { messageId, ...others } = fields
    const isRepeated = typeof messageId === 'string' && messageId === this.state.messageId
    const carried = isRepeated ? others : fields
    if (Object.keys(carried).length > 0) this.#carried = { ...this.#carried, ...carried }
  }

  /** An id of the caller; `undefined` if it gave no function for ids. */
  newId(): string | undefined {
    const { newId } = this.options
    return newId && readNewId(newId)
  }

  emitDraft(draft: Draft): void {
    // The draft is not shared: setting a field is much cheaper than a copy.
    const event = draft as AnyEvent & { metadata?: object }
    event.timestamp = this.#time()
    if (this.#carried !== undefined) {
      event.metadata = { ...event.metadata, langvis: this.#carried }
      const { runId, messageId } = this.#carried
      if (typeof runId === 'string') this.update({ runId })
      if (typeof messageId === 'string') this.update({ messageId })
      this.#carried = undefined
    }
    this.out.push(withContext(event, this.state.context) as unknown as ContextAnyEvent)
  }

  /** The latest time that the stream states. If it begins without one, that of the host. */
  #time(): string {
    const { at, isHostTime } = this.state
    const { now } = this.options
    if (at > 0 || (now === undefined && isHostTime)) return epochToTimestamp(at)
    if (!isHostTime) this.update({ isHostTime: true })
    if (now !== undefined) return readClock(now)
    this.inferred('timestamp', 'Expected a time in the event or the option now, got neither; 0 was inferred.')
    return epochToTimestamp(0)
  }

  #inferId(field: string, fallback: string): string {
    const id = this.newId()
    if (id !== undefined) return id
    this.inferred(field, `Expected the option ${field} or newId, got neither; ${fallback} was inferred.`)
    return fallback
  }
}
