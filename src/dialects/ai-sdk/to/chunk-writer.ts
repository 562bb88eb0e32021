/** One step of `toUiMessageStream`: the chunks it emits, its diagnostics, and its next state. */

import { boundedEntries } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { EventWriter } from '../../engine/event-writer.ts'
import { itemsOf, someItem } from '../../engine/item.ts'
import type { AiSdkVersion, UiMessageChunk } from '../wire/types.ts'
import { losses } from './losses.ts'
import { copyState, type ToUiState } from './state.ts'
import { chunksAgain, isAside, isDiscardable, isTextChunk, withChunk } from './step-chunks.ts'

/** How chunks are written. */
export interface WriterOptions {
  readonly version: AiSdkVersion
  /** The tools that the page has types for. */
  readonly tools: ReadonlySet<string>
  readonly hasExtension: boolean
}

/** Emits chunks of one message. Its state is a copy to assign to; nested values are replaced, not changed. */
export class ChunkWriter extends EventWriter<Mutable<ToUiState>, UiMessageChunk> {
  readonly version: AiSdkVersion
  readonly #tools: ReadonlySet<string>

  constructor(state: ToUiState, { version, tools, hasExtension }: WriterOptions) {
    super(copyState(state), losses, hasExtension)
    this.version = version
    this.#tools = tools
  }

  /** Reports, once, the path of agents that a message does not have. */
  reportContext({ path }: ContextAnyEvent): void {
    if (path === undefined || this.isCarried || this.state.hasReported) return
    this.state.hasReported = true
    this.lossy('path', 'UI messages have no path of agents.', path)
  }

  /** Emits a chunk of the message, in an open step. */
  send(chunk: UiMessageChunk): void {
    this.open()
    this.out.push(chunk)
    this.#record(chunk)
  }

  /** Begins the message, or continues it after a pause. */
  open(): void {
    const { state } = this
    if (state.phase === 'paused') this.out.push({ type: 'start', messageId: state.taskId ?? '' })
    if (state.phase !== 'ended') state.phase = 'open'
    if (!state.hasStep) this.out.push(this.beginStep())
  }

  /** The chunk that begins a step. */
  beginStep(): UiMessageChunk {
    const { state } = this
    state.hasStep = true
    state.step++
    state.stepIteration = null
    state.stepStays = false
    state.stepChunks = []
    return { type: 'start-step' }
  }

  /**
   * Begins another step if the model was called again: the iteration is another or, as far as it is not known, a call has
   * ended in this step and nothing is open.
   */
  beginItem(event: {
    readonly taskId: string
    readonly iteration?: number
    readonly toolCallId?: string
  }): void {
    const { state } = this
    const iteration = event.taskId === state.taskId ? event.iteration : undefined
    const isKnown = iteration !== undefined && state.stepIteration !== null
    // Older readers forget open texts and thoughts when a step ends, and all take the input of a call for that of another.
    const isOver = isKnown
      ? iteration !== state.stepIteration && !this.#hasUnfinished()
      : state.isStepOver && !this.hasOpen(event.toolCallId)
    if (isOver) this.endStep()
    this.open()
    if (iteration !== undefined) state.stepIteration ??= iteration
    if (iteration === undefined || iteration !== state.stepIteration) state.stepStays = true
  }

  #hasUnfinished(): boolean {
    return someItem(this, this.state.taskId ?? '', ({ phase }) => phase === 'open')
  }

  /**
   * Whether something has not ended: a text, a thought or a call of the task, or one that the user is asked to approve.
   *
   * @param except - A call that begins.
   */
  hasOpen(except?: string): boolean {
    const { taskId, calls } = this.state
    if (itemsOf(this, taskId ?? '').some(({ type, key }) => type !== 'call' || key !== except)) return true
    for (const [id, { asked }] of boundedEntries(calls)) if (asked !== null && id !== except) return true
    return false
  }

  endStep(): void {
    if (!this.state.hasStep) return
    this.out.push({ type: 'finish-step' })
    this.state.hasStep = false
    this.state.isStepOver = false
  }

  /** Begins the step again. Its texts, thoughts and unfinished calls are gone. */
  resetStep(): void {
    this.send({ type: 'reset-step' })
    this.state.stepChunks = []
  }

  /** Sends the texts of the step again, one of them replaced. Returns whether the step can begin again: in version 7 only. */
  sendAgain(type: 'text' | 'reasoning', id: string, content: string): boolean {
    const chunks = chunksAgain(this.state.stepChunks, type, id, content)
    if (chunks === undefined) return false
    this.resetStep()
    for (const chunk of chunks) this.send(chunk)
    return true
  }

  /** Stores what the step has, as far as it is needed to begin it again. */
  #record(chunk: UiMessageChunk): void {
    const { state } = this
    if (isTextChunk(chunk)) {
      if (this.version === 7) state.stepChunks = withChunk(state.stepChunks, chunk)
    } else if (!isAside(chunk)) {
      state.stepChunks = null
      if (!isDiscardable(chunk)) state.stepStays = true
    }
  }

  /** `dynamic` of the chunks of a tool: its part is a `dynamic-tool` unless the page has types for the tool. */
  dynamic(toolName: string): { dynamic?: true } {
    return this.#tools.has(toolName) ? {} : { dynamic: true }
  }
}
