/** One step of `toUiMessageStream`: the chunks it emits, its diagnostics, and its next state. */

import {
  type BoundedMap,
  boundedEntries,
  boundedSet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { reportLosses } from '../../shared/losses.ts'
import type { AiSdkVersion, UiMessageChunk } from '../wire/types.ts'
import { losses } from './losses.ts'
import { copyState, MAX_ITEMS, type OpenText, type ToUiState } from './state.ts'
import { recordChunk } from './step-texts.ts'

/** How chunks are written. */
export interface WriterOptions {
  readonly version: AiSdkVersion
  /** The tools that the page has types for. */
  readonly tools: ReadonlySet<string>
  readonly hasExtension: boolean
}

/** Emits chunks of one message. Its state is a copy to assign to; nested values are replaced, not changed. */
export class ChunkWriter extends StepBuilder<Mutable<ToUiState>, UiMessageChunk> {
  readonly version: AiSdkVersion
  readonly hasExtension: boolean
  readonly #tools: ReadonlySet<string>
  /** Whether the event was dropped, so that its fields are not reported as well. */
  isDropped = false

  constructor(state: ToUiState, options: WriterOptions) {
    super(copyState(state))
    this.version = options.version
    this.hasExtension = options.hasExtension
    this.#tools = options.tools
  }

  /** Reports an event that no chunk expresses, unless the extension carries it. */
  override dropped(kind: string, reason: string, message: string): void {
    this.isDropped = true
    if (!this.hasExtension) super.dropped(kind, reason, message)
  }

  /** Reports the fields of an event that its chunks do not express, unless the extension carries it. */
  reportLost(event: ContextAnyEvent, kept: readonly string[] = []): void {
    if (this.hasExtension || this.isDropped) return
    reportLosses(this, event as { kind: EventKind }, losses, kept)
  }

  /** Reports, once, the fields of all events that a message does not have. */
  reportContext({ contextId, timestamp, parentTaskId, path }: ContextAnyEvent): void {
    if (this.hasExtension || this.state.hasReported) return
    this.state.hasReported = true
    const message = 'UI messages have no equivalent.'
    this.lossy('contextId', message, contextId)
    this.lossy('timestamp', message, timestamp)
    if (parentTaskId !== undefined) this.lossy('parentTaskId', message, parentTaskId)
    if (path !== undefined) this.lossy('path', message, path)
  }

  /** Reports a field of which only a part is sent. */
  changed(field: string, message: string): void {
    if (!this.hasExtension) this.lossy(field, message)
  }

  /** Reports a key of the metadata that is not sent. */
  changedMetadata(key: string, message: string): void {
    if (!this.hasExtension) this.diagnostic('lossy:metadata', message, { path: `/metadata/${key}` })
  }

  /**
   * Emits a chunk of the message, in an open step.
   *
   * @param key - The `contentId` of a text that begins.
   */
  send(chunk: UiMessageChunk, key = ''): void {
    this.open()
    this.out.push(chunk)
    recordChunk(this.state, chunk, key)
  }

  /** Begins the message, or continues it after a pause. */
  open(): void {
    const { state } = this
    if (state.phase === 'paused') this.out.push({ type: 'start', messageId: state.taskId ?? '' })
    if (state.phase !== 'ended') state.phase = 'open'
    if (state.hasStep) return
    this.out.push(this.beginStep())
  }

  /** The chunk that begins a step. */
  beginStep(): UiMessageChunk {
    const { state } = this
    state.hasStep = true
    state.step++
    state.stepIteration = null
    state.stepStays = false
    state.stepTexts = []
    return { type: 'start-step' }
  }

  /**
   * Begins another step if the model was called again: the iteration is another or, as far as it is not known, a call has
   * ended in this step and nothing is open.
   */
  beginItem(event?: { readonly taskId: string; readonly iteration?: number }): void {
    const { state } = this
    const iteration = event?.taskId === state.taskId ? event?.iteration : undefined
    const isKnown = iteration !== undefined && state.stepIteration !== null
    if (
      isKnown
        ? iteration !== state.stepIteration && this.#hasNoText()
        : state.isStepOver && state.openItems === 0
    )
      this.endStep()
    this.open()
    state.openItems++
    if (iteration === undefined) return
    state.stepIteration ??= iteration
    if (iteration !== state.step) this.changed('iteration', `Its step has the number ${state.step}.`)
  }

  /** Whether no text and no thought is open: older readers forget those of a step that ends. */
  #hasNoText(): boolean {
    return [this.state.texts, this.state.thoughts].every((map) => boundedEntries<unknown>(map).next().done)
  }

  /** An open text, thought or call has ended. */
  endItem(): void {
    if (this.state.openItems > 0) this.state.openItems--
  }

  /** Ends the step. Older readers forget the open parts of a step that ends. */
  endStep(): void {
    if (!this.state.hasStep) return
    this.out.push({ type: 'finish-step' })
    this.state.hasStep = false
    this.state.isStepOver = false
  }

  /** `dynamic` of the chunks of a tool: its part is a `dynamic-tool` unless the page has types for the tool. */
  dynamic(toolName: string): { dynamic?: true } {
    return this.#tools.has(toolName) ? {} : { dynamic: true }
  }

  /** Ends all open texts and thoughts, in the order in which they began. */
  closeTexts(): void {
    const open: [type: 'text-end' | 'reasoning-end', item: OpenText][] = []
    for (const [, item] of boundedEntries(this.state.texts)) open.push(['text-end', item])
    for (const [, item] of boundedEntries(this.state.thoughts)) open.push(['reasoning-end', item])
    open.sort(([, a], [, b]) => a.order - b.order)
    for (const [type, { id }] of open) {
      this.send({ type, id })
      this.endItem()
    }
    this.state.texts = emptyBoundedMap
    this.state.thoughts = emptyBoundedMap
  }

  /** Stores an entry of a map of the state. Reports what is removed for it. */
  store<V>(map: BoundedMap<V>, key: string, value: V): BoundedMap<V> {
    const stored = boundedSet(map, key, value, MAX_ITEMS)
    if (stored.hasEvicted) {
      this.diagnostic('state-evicted', `Removed entries, of more than ${MAX_ITEMS}.`)
    }
    return stored.map
  }
}
