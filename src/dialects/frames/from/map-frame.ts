/** Maps each type of frame to events. */

import { hasOtherFields } from '../wire/embedded-frame.ts'
import { endStatusOf, exitResult, sessionError } from '../wire/exit-status.ts'
import type { FrameStream } from '../wire/sequencer.ts'
import type { SessionEndedFrame } from '../wire/session-types.ts'
import type { ToolEndedFrame, ToolFailedFrame, ToolStartedFrame } from '../wire/tool-types.ts'
import type { FrameV1, FrameV2, UnknownFrame } from '../wire/types.ts'
import type { EventWriter } from './event-writer.ts'
import { mapTaskFrame, mapTaskSpawned } from './map-task-frame.ts'

/** A frame that `decodeFrame` accepted. */
type DecodedFrame = { status: 'known'; event: FrameV1 | FrameV2 } | { status: 'unknown'; event: UnknownFrame }

/**
 * Emits the events of a frame.
 *
 * @param starting - The stream that starts with this frame. Omitted: the stream has started before.
 */
export function mapFrame(
  writer: EventWriter,
  decoded: DecodedFrame,
  starting: FrameStream | undefined,
): void {
  const isKnown = decoded.status === 'known'
  if (starting !== undefined) {
    if (isKnown && mapStart(writer, decoded.event, starting)) return
    emitInferredStart(writer, starting.kind)
  }
  if (writer.state.phase === 'ended') {
    const { type } = decoded.event
    writer.diagnostic('after-end', `Frame ${type} follows the end of its stream; the frame was embedded.`, {
      detail: type,
    })
    writer.emitEmbedded(decoded.event)
  } else if (isKnown) mapKnown(writer, decoded.event)
  else writer.emitEmbedded(decoded.event)
}

/** Maps the regular first frame of a session or task. Returns whether the frame is one. */
function mapStart(writer: EventWriter, frame: FrameV1 | FrameV2, { kind, id }: FrameStream): boolean {
  if (frame.type === 'session_started') {
    const { input } = frame
    writer.emitEvent(
      { kind: 'task-created', initiator: 'user', ...(input !== '' && { metadata: { input } }) },
      hasOtherFields(frame, ['input']) ? frame : undefined,
    )
    writer.emitEvent({ kind: 'task-status', status: 'working' })
    return true
  }
  if (frame.type !== 'tool_task_spawned' || kind !== 'task' || frame.task_id !== id) return false
  mapTaskSpawned(writer, frame)
  return true
}

/** Starts a task without its regular first frame. Streams other than sessions and tasks have none. */
function emitInferredStart(writer: EventWriter, streamKind: string): void {
  if (streamKind === 'session' || streamKind === 'task') {
    const first = streamKind === 'session' ? 'session_started' : 'tool_task_spawned'
    writer.inferred(
      'task-created',
      `Expected ${first} as the first frame of the ${streamKind}; task-created was inferred.`,
    )
  }
  const initiator = streamKind === 'session' ? 'user' : 'agent'
  writer.emitEvent({ kind: 'task-created', initiator, metadata: { streamKind } })
}

function mapKnown(writer: EventWriter, frame: FrameV1 | FrameV2): void {
  switch (frame.type) {
    case 'output_text_delta':
      writer.appendText(frame.delta, hasOtherFields(frame, ['delta']) ? frame : undefined)
      break
    case 'session_ended':
      mapSessionEnd(writer, frame)
      break
    case 'tool_started':
      mapToolStart(writer, frame)
      break
    case 'tool_stdout':
    case 'tool_stderr':
      if (writer.runningTool(frame.tool_id) === undefined) writer.emitEmbedded(frame)
      else {
        const stream = frame.type === 'tool_stdout' ? 'stdout' : 'stderr'
        const { tool_id: toolCallId, chunk } = frame
        const hasMore = hasOtherFields(frame, ['tool_id', 'chunk'])
        const metadata = { stream, chunk }
        writer.emitEvent(
          { kind: 'tool-progress', toolCallId, progress: 0, metadata },
          hasMore ? frame : undefined,
        )
      }
      break
    case 'tool_ended':
    case 'tool_failed':
      mapToolEnd(writer, frame)
      break
    case 'checkpoint_created':
    case 'checkpoint_rewound':
    case 'checkpoint_failed':
      writer.emitEvent({ kind: 'internal:checkpoint', iteration: 0 }, frame)
      break
    case 'provider_event':
      writer.emitEmbedded(frame, frame.event_name ?? frame.status)
      break
    default:
      mapTaskFrame(writer, frame)
  }
}

function mapToolStart(writer: EventWriter, frame: ToolStartedFrame): void {
  const { tool_id: toolCallId, name: toolName, args, timeout_ms } = frame
  if (!writer.canStart(toolCallId)) {
    writer.emitEmbedded(frame)
    return
  }
  writer.completeSegment()
  const metadata = typeof timeout_ms === 'number' ? { metadata: { timeoutMs: timeout_ms } } : {}
  writer.emitEvent(
    { kind: 'tool-start', toolCallId, toolName, arguments: args, ...metadata },
    hasOtherFields(frame, ['tool_id', 'name', 'args', 'timeout_ms']) ? frame : undefined,
  )
  writer.addTool({ id: toolCallId, name: toolName })
}

function mapToolEnd(writer: EventWriter, frame: ToolEndedFrame | ToolFailedFrame): void {
  const tool = writer.runningTool(frame.tool_id)
  if (tool === undefined) {
    writer.emitEmbedded(frame)
    return
  }
  writer.removeTool(tool)
  const call = { kind: 'tool-complete', toolCallId: tool.id, toolName: tool.name } as const
  if (frame.type === 'tool_failed') {
    const hasMore = hasOtherFields(frame, ['tool_id', 'error'])
    writer.emitEvent({ ...call, success: false, error: frame.error }, hasMore ? frame : undefined)
    return
  }
  const { exit_code: exitCode, duration_ms: duration } = frame
  const hasMore = hasOtherFields(frame, ['tool_id', 'exit_code', 'duration_ms'])
  writer.emitEvent(
    { ...call, ...exitResult(exitCode), metadata: { duration, exitCode } },
    hasMore ? frame : undefined,
  )
}

function mapSessionEnd(writer: EventWriter, frame: SessionEndedFrame): void {
  const { reason } = frame
  const embedded = hasOtherFields(frame, ['reason']) ? frame : undefined
  const status = endStatusOf(reason)
  if (status === 'completed') writer.endTask(status, {}, embedded)
  else if (status === 'canceled') writer.endTask(status, { metadata: { reason } }, embedded)
  else writer.endTask(status, { error: sessionError(reason), metadata: { reason } }, embedded)
}
