/** Collects the frame bodies of one stream while its events are mapped. */

import { boundedDelete, boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { ToolStartEvent } from '../../../events/tool.ts'
import { EventWriter } from '../../engine/event-writer.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import type { EmbeddedFrame } from '../wire/embedded-frame.ts'
import { isTerminalToolStatus } from '../wire/exit-status.ts'
import { taskIdOf } from '../wire/stream/frame-stream.ts'
import type { FrameV2Body } from '../wire/types.ts'
import { losses } from './coverage.ts'
import { copyTargetStream, type RunningTool, type TargetStream } from './target-stream.ts'

/** Collects the frame bodies of one event. */
export class FrameWriter extends EventWriter<Mutable<TargetStream>, object> {
  /** Whether the frame that an event embeds was written, which has all of it. */
  isWhole = false

  constructor(stream: TargetStream) {
    super(copyTargetStream(stream), losses)
  }

  /** Emits a frame body. */
  emitFrame(body: FrameV2Body): void {
    this.emitEmbedded(body)
  }

  /** Emits the frame body embedded in an event. */
  emitEmbedded(body: EmbeddedFrame): void {
    this.emit(body)
    const { state } = this
    switch (body.type) {
      case 'output_text_delta':
        state.hasText = true
        state.readIndex++
        break
      case 'tool_started':
        if (state.readIndex > 0) state.isSegmentWhole = false
        state.readIndex = 0
        break
      case 'session_ended':
        state.phase = 'ended'
        break
      case 'tool_task_status':
        if (isTerminalToolStatus(String(body.status))) state.phase = 'ended'
        break
      default:
    }
  }

  /** Emits the frame body embedded in an event, which has all of it. */
  emitWhole(body: EmbeddedFrame): void {
    this.emitEmbedded({ ...body })
    this.isWhole = true
  }

  /** Records that a tool started. */
  startTool({ toolCallId, timestamp }: ContextEvent<ToolStartEvent>): void {
    this.#setTool(toolCallId, { startedAt: Date.parse(timestamp), hasOutput: false })
  }

  /** Records that output of a tool was streamed. */
  addStreamedTool(tool: string): void {
    const known = boundedGet(this.state.tools, tool)
    if (known !== undefined) this.#setTool(tool, { ...known, hasOutput: true })
  }

  /** Removes a tool that ended. Returns what is known of it. */
  removeTool(tool: string): RunningTool | undefined {
    const { tools } = this.state
    this.state.tools = boundedDelete(tools, tool)
    return boundedGet(tools, tool)
  }

  #setTool(id: string, tool: RunningTool): void {
    this.state.tools = boundedSet(this.state.tools, id, tool, MAX_ITEMS).map
  }

  /** Reports the context of a task that frames cannot express: once per task. */
  reportContext({ contextId, taskId, parentTaskId, path }: ContextAnyEvent): void {
    const message = 'Frames identify their stream only by kind and id.'
    this.lossy('contextId', message, contextId)
    if (taskId !== taskIdOf(this.state)) this.lossy('taskId', message, taskId)
    if (parentTaskId !== undefined) this.lossy('parentTaskId', message, parentTaskId)
    if (path !== undefined) this.lossy('path', message, path)
  }
}
