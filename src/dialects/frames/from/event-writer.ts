/** Emits the events of one task while its frames are mapped. */

import { StepBuilder } from '../../../core/step-builder.ts'
import type { EventDraft } from '../../../emitter/event-draft.ts'
import { stamp } from '../../../emitter/stamp.ts'
import type { TaskStatus } from '../../../events/task-status.ts'
import { epochToTimestamp, MAX_EPOCH_MS } from '../../shared/epoch-time.ts'
import { type FrameEvent, withoutEnvelope } from '../wire/embedded-frame.ts'
import type { SourceStream, SourceTool } from './source-stream.ts'

/** Maximum length of a text segment in UTF-16 units, as its `content-complete` repeats the text. */
const MAX_SEGMENT = 1 << 20

/** Maximum number of running tools. Frames of further tools are embedded, so that memory stays bounded. */
const MAX_TOOLS = 1024

/** Collects the events of one frame, or of the end of its stream. */
export class EventWriter extends StepBuilder<SourceStream, FrameEvent> {
  readonly #timestamp: string

  /** @param milliseconds - The `timestamp_ms` of the frame. */
  constructor(stream: SourceStream, milliseconds: number) {
    super(stream)
    this.#timestamp = epochToTimestamp(milliseconds)
    if (milliseconds > MAX_EPOCH_MS) {
      const message = 'Clamped to the end of the year 9999, the last instant of RFC 3339.'
      this.lossy('timestamp_ms', message, milliseconds)
    }
  }

  /** Emits an event of the task, with a frame embedded if one is given. */
  emitEvent(draft: EventDraft, frame?: object): void {
    const { contextId, taskId, parentTaskId } = this.state
    const context = { contextId, taskId, ...(parentTaskId !== undefined && { parentTaskId }) }
    const event = stamp({ ...draft, timestamp: this.#timestamp }, context) as FrameEvent
    if (frame !== undefined) event.frame = withoutEnvelope(frame)
    this.emit(event)
  }

  /** Emits an event of the task that spawned this one. */
  emitInParent(parentTaskId: string, draft: EventDraft): void {
    const context = { contextId: this.state.contextId, taskId: parentTaskId }
    this.emit(stamp({ ...draft, timestamp: this.#timestamp }, context) as FrameEvent)
  }

  /** Emits an event whose only purpose is to embed a frame. */
  emitEmbedded(frame: { type: string }, reasoning: string = frame.type): void {
    this.emitEvent(
      { kind: 'internal:thought-process', iteration: 0, stage: 'post-llm', reasoning, state: {} },
      frame,
    )
  }

  /** Appends text to the answer. */
  appendText(delta: string, frame?: object): void {
    if (this.state.text.length + delta.length > MAX_SEGMENT) this.completeSegment()
    const { text, deltas } = this.state
    this.emitEvent({ kind: 'content-delta', delta, index: deltas }, frame)
    this.update({ text: text + delta, deltas: deltas + 1 })
  }

  /** Ends the open text segment, if any. */
  completeSegment(): void {
    const { text, deltas } = this.state
    if (deltas === 0) return
    this.emitEvent({ kind: 'content-complete', content: text })
    this.update({ text: '', deltas: 0 })
  }

  /** The running tool with an id. */
  runningTool(id: string): SourceTool | undefined {
    return this.state.tools.find((tool) => tool.id === id)
  }

  /** Whether a tool may start: its id is free and there is room for it. */
  canStart(id: string): boolean {
    return this.runningTool(id) === undefined && this.state.tools.length < MAX_TOOLS
  }

  /** Adds a running tool. */
  addTool(tool: SourceTool): void {
    this.update({ tools: [...this.state.tools, tool] })
  }

  /** Removes a tool that ended. */
  removeTool(tool: SourceTool): void {
    this.update({ tools: this.state.tools.filter((other) => other !== tool) })
  }

  /** Ends the task: completes the open segment and tools, and emits the final status. */
  endTask(
    status: Extract<TaskStatus, 'completed' | 'failed' | 'canceled'>,
    more: Omit<EventDraft & { kind: 'task-status' }, 'kind' | 'status'> = {},
    frame?: object,
  ): void {
    this.completeSegment()
    for (const { id, name } of this.state.tools) {
      const message = `Tool ${JSON.stringify(id)} was still running when its session ended; a failure was inferred.`
      this.diagnostic('inferred:tool-complete', message, { detail: id })
      const error = 'The session ended before the tool did.'
      this.emitEvent({ kind: 'tool-complete', toolCallId: id, toolName: name, success: false, error })
    }
    this.emitEvent({ kind: 'task-status', status, ...more }, frame)
    if (status === 'completed') this.emitEvent({ kind: 'task-complete' })
    this.update({ phase: 'ended', tools: [] })
  }
}
