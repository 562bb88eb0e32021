/** Emits the events of one task while its frames are mapped. */

import {
  type BoundedMap,
  boundedDelete,
  boundedGet,
  boundedSet,
  boundedValues,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { EventDraft } from '../../../emitter/event-draft.ts'
import { epochToTimestamp, MAX_EPOCH_MS } from '../../shared/epoch-time.ts'
import { type FrameEvent, withoutEnvelope } from '../wire/embedded-frame.ts'
import { copySourceStream, type SourceStream, type SourceTool } from './source-stream.ts'

/** Maximum length of a text segment in UTF-16 units, as its `content-complete` repeats the text. */
const MAX_SEGMENT = 1 << 20

/** Maximum number of running tools. Frames of further tools are embedded, so that memory stays bounded. */
const MAX_TOOLS = 1024

/** The ids of this many calls are kept, so that a second call with the same id gets one of its own. */
const MAX_CALLS = 4096

/** Collects the events of one frame, or of the end of its stream. */
export class EventWriter extends StepBuilder<Mutable<SourceStream>, FrameEvent> {
  /** The number of calls by context and tool id. */
  calls: BoundedMap<number>
  readonly #timestamp: string

  /** @param milliseconds - The `timestamp_ms` of the frame. */
  constructor(stream: SourceStream, calls: BoundedMap<number>, milliseconds: number) {
    super(copySourceStream(stream))
    this.calls = calls
    // Events are in the order of time.
    const time = Math.min(Math.max(milliseconds, stream.time), MAX_EPOCH_MS)
    this.state.time = time
    this.#timestamp = epochToTimestamp(time)
    if (time !== milliseconds) {
      const message = `Expected a timestamp_ms from ${stream.time} to ${MAX_EPOCH_MS}, got ${milliseconds}.`
      this.lossy('timestamp_ms', message, milliseconds)
    }
  }

  /**
   * Emits an event of the task.
   *
   * @param draft - Becomes the event: a new object.
   * @param frame - The frame to embed. Omitted: none.
   */
  emitEvent(draft: EventDraft, frame?: object): void {
    const event = draft as Mutable<FrameEvent>
    event.contextId = this.state.contextId
    event.taskId = this.state.taskId
    event.timestamp = this.#timestamp
    if (frame !== undefined) event.frame = withoutEnvelope(frame)
    this.emit(event as FrameEvent)
  }

  /** Emits an event whose only purpose is to embed a frame. */
  emitEmbedded(frame: { type: string }, reasoning: string = frame.type): void {
    this.emitEvent(
      { kind: 'internal:thought-process', iteration: 0, stage: 'post-llm', reasoning, state: {} },
      frame,
    )
  }

  /** Emits the status `working` or `submitted`. */
  emitProgress(status: 'working' | 'submitted', frame?: object): void {
    if (status === 'working') this.state.isWorking = true
    this.emitEvent({ kind: 'task-status', status }, frame)
  }

  /** Appends text to the answer. */
  appendText(delta: string, frame?: object): void {
    const { state } = this
    if (state.text.length + delta.length > MAX_SEGMENT) this.completeSegment()
    this.emitEvent({ kind: 'content-delta', delta, index: state.deltas }, frame)
    state.text += delta
    state.deltas++
    if (state.text.length > MAX_SEGMENT) this.completeSegment()
  }

  /** Ends the open text segment, if any. */
  completeSegment(): void {
    const { state } = this
    if (state.deltas === 0) return
    this.emitEvent({ kind: 'content-complete', content: state.text })
    state.text = ''
    state.deltas = 0
  }

  /** The running tool with an id: of several, the one that started first. */
  runningTool(id: string): SourceTool | undefined {
    return boundedGet(this.state.tools, id)?.[0]
  }

  /**
   * Adds a running tool. Returns the id of its call, which no other call of the context has; `undefined` if too many
   * tools run.
   */
  startTool(id: string, toolName: string): string | undefined {
    const { state } = this
    if (state.running >= MAX_TOOLS) return undefined
    const toolCallId = this.#newCallId(id)
    const others = boundedGet(state.tools, id) ?? []
    const tool = { toolCallId, toolName, seq: state.nextSeq }
    state.tools = boundedSet(state.tools, id, [...others, tool], MAX_TOOLS).map
    state.running++
    return toolCallId
  }

  /** Removes the running tool with an id, of several the one that started first. */
  endTool(id: string): SourceTool | undefined {
    const { state } = this
    const [first, ...others] = boundedGet(state.tools, id) ?? []
    if (first === undefined) return undefined
    state.tools =
      others.length === 0
        ? boundedDelete(state.tools, id)
        : boundedSet(state.tools, id, others, MAX_TOOLS).map
    state.running--
    return first
  }

  /** Ends the task: completes the open segment and tools, and emits the final status. */
  endTask(draft: EventDraft & { kind: 'task-status' }, frame?: object): void {
    this.completeSegment()
    const running = [...boundedValues(this.state.tools)].flat().sort((a, b) => a.seq - b.seq)
    for (const { toolCallId, toolName } of running) {
      const message = `Expected the end of tool ${describeValue(toolCallId)}, got none; a failure was inferred.`
      this.diagnostic('inferred:tool-complete', message, { detail: toolCallId })
      const error = 'The session ended before the tool did.'
      this.emitEvent({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
    }
    this.emitEvent(draft, frame)
    if (draft.status === 'completed') this.emitEvent({ kind: 'task-complete' })
    this.state.phase = 'ended'
    this.state.tools = emptyBoundedMap
    this.state.running = 0
  }

  /** The id itself for the first call, `<id>#2` for the second one. */
  #newCallId(id: string): string {
    const { contextId } = this.state
    const keyOf = (id: string): string => `${contextId.length}:${contextId}${id}`
    const countOf = (id: string): number => boundedGet(this.calls, keyOf(id)) ?? 0
    let count = countOf(id) + 1
    let callId = count === 1 ? id : `${id}#${count}`
    while (count > 1 && countOf(callId) > 0) callId = `${id}#${++count}`
    for (const [key, value] of [
      [callId, 1],
      [id, count],
    ] as const) {
      this.calls = boundedSet(this.calls, keyOf(key), value, MAX_CALLS).map
    }
    return callId
  }
}
