/** Collects the frame bodies of one stream while its events are mapped. */

import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { EmbeddedFrame } from '../wire/embedded-frame.ts'
import { isTerminalToolStatus } from '../wire/exit-status.ts'
import { taskIdOf } from '../wire/task-id.ts'
import type { FrameV2Body } from '../wire/types.ts'
import type { TargetStream } from './target-stream.ts'

/** Maximum number of tools tracked for streamed output. */
const MAX_TOOLS = 1024

/** Fields of every event: in the envelope of each frame, or reported once per task. */
const ENVELOPE = ['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'frame']

/** Collects the frame bodies of one event. */
export class FrameWriter extends StepBuilder<TargetStream, object> {
  /** Emits a frame body. */
  emitFrame(body: FrameV2Body): void {
    this.emitEmbedded(body)
  }

  /** Emits the frame body embedded in an event. */
  emitEmbedded(body: EmbeddedFrame): void {
    this.emit(body)
    switch (body.type) {
      case 'output_text_delta':
        this.update({ text: 'open' })
        break
      case 'session_ended':
        this.update({ phase: 'ended' })
        break
      case 'tool_task_status':
        if (isTerminalToolStatus(String(body.status))) this.update({ phase: 'ended' })
        break
      default:
        break
    }
  }

  /** Ends the open text segment, if any. */
  completeText(): void {
    if (this.state.text === 'open') this.update({ text: 'complete' })
  }

  /** Records that output of a tool was streamed. */
  addStreamedTool(tool: string): void {
    const { streamed } = this.state
    if (streamed.includes(tool)) return
    this.update({ streamed: [...streamed, tool].slice(-MAX_TOOLS) })
  }

  /** Removes a tool that ended. Returns whether its output was streamed. */
  removeStreamedTool(tool: string): boolean {
    const { streamed } = this.state
    if (!streamed.includes(tool)) return false
    this.update({ streamed: streamed.filter((other) => other !== tool) })
    return true
  }

  /** Reports an event that has no equivalent in frames. */
  droppedEvent({ kind }: ContextAnyEvent, message = `Frames have no equivalent for ${kind}.`): void {
    this.dropped(kind, 'no-equivalent', message)
  }

  /** Reports the context of a task that frames cannot express: once per task. */
  reportContext({ contextId, taskId, parentTaskId, path }: ContextAnyEvent): void {
    const { kind, id, isSession } = this.state
    const message = 'Frames identify their stream only by kind and id.'
    this.lossy('contextId', message, contextId)
    if (taskId !== taskIdOf(kind, id)) this.lossy('taskId', message, taskId)
    // The spawn frame of a background tool names the session that started it.
    if (parentTaskId !== undefined && isSession) this.lossy('parentTaskId', message, parentTaskId)
    if (path !== undefined) this.lossy('path', message, path)
  }

  /** Reports each field of an event, and the keys of its metadata, that were not mapped. */
  reportLossyFields(
    event: ContextAnyEvent,
    mappedFields: readonly string[],
    mappedMetadata: readonly string[] = [],
  ): void {
    for (const [field, value] of Object.entries(event)) {
      if (value === undefined || ENVELOPE.includes(field) || mappedFields.includes(field)) continue
      const message = `Frames have no equivalent for ${field} of ${event.kind}.`
      if (field !== 'metadata') this.lossy(field, message, value)
      else {
        const keys = Object.entries(value as object).filter(([, inner]) => inner !== undefined)
        const lost = keys.map(([key]) => key).filter((key) => !mappedMetadata.includes(key))
        if (lost.length > 0) this.lossy('metadata', message, lost)
      }
    }
  }
}
