/** Writing the events of one task, while frames are read. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { EventDraft } from '../../../emitter/event-draft.ts'
import { stamp } from '../../../emitter/stamp.ts'
import type { TaskStatus } from '../../../events/task.ts'
import { bodyOf, type FrameEvent } from '../wire/embedded-frame.ts'
import type { SourceStream, SourceTool } from './source-stream.ts'

/** How much text a segment may have, in UTF-16 units: its `content-complete` repeats it. */
const MAX_SEGMENT = 1 << 20

/** No agent runs more tools at once; beyond it they are carried, so that memory stays bounded. */
const MAX_TOOLS = 1024

/** Collects the events that one frame leads to, and what becomes of the stream. */
export class EventWriter {
  readonly out: FrameEvent[] = []
  readonly diagnostics: Diagnostic[]
  stream: SourceStream
  readonly #timestamp: string

  constructor(stream: SourceStream, timestamp: string, diagnostics: Diagnostic[]) {
    this.stream = stream
    this.#timestamp = timestamp
    this.diagnostics = diagnostics
  }

  /** Writes an event. `frame`: the one it is to carry. */
  write(draft: EventDraft, frame?: object): void {
    const { contextId, taskId, parentTaskId } = this.stream
    const context = { contextId, taskId, ...(parentTaskId !== undefined && { parentTaskId }) }
    const event = stamp({ ...draft, timestamp: this.#timestamp }, context) as FrameEvent
    if (frame !== undefined) event.frame = bodyOf(frame)
    this.out.push(event)
  }

  /** Writes an event of the task that spawned this one. */
  writeInParent(parentTaskId: string, draft: EventDraft): void {
    const context = { contextId: this.stream.contextId, taskId: parentTaskId }
    this.out.push(stamp({ ...draft, timestamp: this.#timestamp }, context) as FrameEvent)
  }

  /** Writes an event that does nothing but carry a frame. */
  carry(frame: { type: string }, reasoning: string = frame.type): void {
    this.write(
      { kind: 'internal:thought-process', iteration: 0, stage: 'post-llm', reasoning, state: {} },
      frame,
    )
  }

  /** Writes a piece of the answer. */
  delta(delta: string, frame?: object): void {
    const { text } = this.stream
    if (text.length + delta.length > MAX_SEGMENT) this.completeContent()
    const { deltas } = this.stream
    this.write({ kind: 'content-delta', delta, index: deltas }, frame)
    this.stream = { ...this.stream, text: this.stream.text + delta, deltas: deltas + 1 }
  }

  /** Ends the segment, if there is one. */
  completeContent(): void {
    const { text, deltas } = this.stream
    if (deltas === 0) return
    this.write({ kind: 'content-complete', content: text })
    this.stream = { ...this.stream, text: '', deltas: 0 }
  }

  /** The tool that runs under an id. */
  tool(id: string): SourceTool | undefined {
    return this.stream.tools.find((tool) => tool.id === id)
  }

  /** Whether another tool may start under an id. */
  canStart(id: string): boolean {
    return this.tool(id) === undefined && this.stream.tools.length < MAX_TOOLS
  }

  started(tool: SourceTool): void {
    this.stream = { ...this.stream, tools: [...this.stream.tools, tool] }
  }

  ended(tool: SourceTool): void {
    this.stream = { ...this.stream, tools: this.stream.tools.filter((other) => other !== tool) }
  }

  /** Ends the task: closes what is open, and says how it ended. */
  end(
    status: Extract<TaskStatus, 'completed' | 'failed' | 'canceled'>,
    more: Omit<EventDraft & { kind: 'task-status' }, 'kind' | 'status'> = {},
    frame?: object,
  ): void {
    this.completeContent()
    for (const { id, name } of this.stream.tools) {
      const message = 'The tool runs when its session ends.'
      this.diagnostics.push({ code: 'implied:tool-complete', message, detail: id })
      const error = 'The session ended before the tool did.'
      this.write({ kind: 'tool-complete', toolCallId: id, toolName: name, success: false, error })
    }
    this.write({ kind: 'task-status', status, ...more }, frame)
    if (status === 'completed') this.write({ kind: 'task-complete' })
    this.stream = { ...this.stream, phase: 'ended', tools: [] }
  }
}
