/** Maps each type of frame to events. */

import { isFields } from '../../../validation/predicates.ts'
import { hasOtherFields } from '../wire/embedded-frame.ts'
import { endStatusOf, exitResult, sessionError } from '../wire/exit-status.ts'
import type { FrameStream } from '../wire/stream/frame-stream.ts'
import type { ReadFrame } from '../wire/stream/read-frame.ts'
import type {
  SessionEndedFrame,
  ToolEndedFrame,
  ToolFailedFrame,
  ToolStartedFrame,
} from '../wire/types.generated.ts'
import type { FrameV1, FrameV2 } from '../wire/types.ts'
import {
  completeSegment,
  emitEmbedded,
  emitEvent,
  emitProgress,
  endTask,
  endTool,
  type FrameWriter,
  startTool,
  writeText,
} from './frame-writer.ts'
import { mapOutput } from './map-output.ts'
import { mapTaskFrame, mapTaskSpawned } from './map-task-frame.ts'

/**
 * Emits the events of a frame.
 *
 * @param starting - The stream that starts with this frame. Omitted: the stream has started before.
 */
export function mapFrame(writer: FrameWriter, decoded: ReadFrame, starting: FrameStream | undefined): void {
  const isKnown = decoded.status === 'known'
  if (starting !== undefined) {
    if (isKnown && mapStart(writer, decoded.event, starting)) return
    emitInferredStart(writer, starting.kind)
  }
  if (isKnown) mapKnown(writer, decoded.event)
  else emitEmbedded(writer, decoded.event)
}

/** Maps the regular first frame of a session or task. Returns whether the frame is one. */
function mapStart(writer: FrameWriter, frame: FrameV1 | FrameV2, { kind, id }: FrameStream): boolean {
  if (frame.type === 'session_started') {
    const { input } = frame
    emitEvent(
      writer,
      { kind: 'task-created', initiator: 'user', ...(input !== '' && { metadata: { input } }) },
      hasOtherFields(frame, ['input']) ? frame : undefined,
    )
    emitProgress(writer, 'working')
    return true
  }
  if (frame.type !== 'tool_task_spawned' || kind !== 'task' || frame.task_id !== id) return false
  mapTaskSpawned(writer, frame)
  return true
}

/** Starts a task without its regular first frame. Streams other than sessions and tasks have none. */
function emitInferredStart(writer: FrameWriter, streamKind: string): void {
  if (streamKind === 'session' || streamKind === 'task') {
    const first = streamKind === 'session' ? 'session_started' : 'tool_task_spawned'
    writer.inferred(
      'task-created',
      `Expected ${first} as the first frame, got another one; task-created was inferred.`,
    )
  }
  const initiator = streamKind === 'session' ? 'user' : 'agent'
  emitEvent(writer, { kind: 'task-created', initiator, metadata: { streamKind } })
}

function mapKnown(writer: FrameWriter, frame: FrameV1 | FrameV2): void {
  switch (frame.type) {
    case 'output_text_delta':
      writeText(writer, frame.delta, hasOtherFields(frame, ['delta']) ? frame : undefined)
      break
    case 'session_ended':
      mapSessionEnd(writer, frame)
      break
    case 'tool_started':
      mapToolStart(writer, frame)
      break
    case 'tool_stdout':
    case 'tool_stderr':
      mapOutput(
        writer,
        frame.tool_id,
        frame.type === 'tool_stdout' ? 'stdout' : 'stderr',
        frame,
        OUTPUT_FIELDS,
      )
      break
    case 'tool_ended':
    case 'tool_failed':
      mapToolEnd(writer, frame)
      break
    case 'checkpoint_created':
    case 'checkpoint_rewound':
    case 'checkpoint_failed':
      emitEvent(writer, { kind: 'internal:checkpoint', iteration: 0 }, frame)
      break
    case 'provider_event':
      emitEmbedded(writer, frame, frame.event_name ?? frame.status)
      break
    default:
      mapTaskFrame(writer, frame)
  }
}

/** The fields of each type that its event expresses. */
const START_FIELDS = ['tool_id', 'name', 'args', 'timeout_ms']
const OUTPUT_FIELDS = ['tool_id', 'chunk']
const FAILED_FIELDS = ['tool_id', 'error']
const ENDED_FIELDS = ['tool_id', 'exit_code', 'duration_ms']

function mapToolStart(writer: FrameWriter, frame: ToolStartedFrame): void {
  const { tool_id: id, name: toolName, args, timeout_ms } = frame
  const toolCallId = startTool(writer, id, toolName)
  if (toolCallId === undefined) {
    emitEmbedded(writer, frame)
    return
  }
  completeSegment(writer)
  const isObject = isFields(args)
  const isWhole = toolCallId === id && isObject && !hasOtherFields(frame, START_FIELDS)
  const metadata = typeof timeout_ms === 'number' ? { metadata: { timeoutMs: timeout_ms } } : {}
  emitEvent(
    writer,
    { kind: 'tool-start', toolCallId, toolName, arguments: isObject ? args : {}, ...metadata },
    isWhole ? undefined : frame,
  )
}

function mapToolEnd(writer: FrameWriter, frame: ToolEndedFrame | ToolFailedFrame): void {
  const { tool_id: id } = frame
  const tool = endTool(writer, id)
  if (tool === undefined) {
    emitEmbedded(writer, frame)
    return
  }
  const { toolCallId, toolName } = tool
  const call = { kind: 'tool-complete', toolCallId, toolName } as const
  const fields = frame.type === 'tool_failed' ? FAILED_FIELDS : ENDED_FIELDS
  const isWhole = toolCallId === id && !hasOtherFields(frame, fields)
  const embedded = isWhole ? undefined : frame
  if (frame.type === 'tool_failed') {
    emitEvent(writer, { ...call, success: false, error: frame.error }, embedded)
    return
  }
  const { exit_code: exitCode, duration_ms: duration } = frame
  emitEvent(writer, { ...call, ...exitResult(exitCode), metadata: { duration, exitCode } }, embedded)
}

function mapSessionEnd(writer: FrameWriter, frame: SessionEndedFrame): void {
  const { reason } = frame
  const embedded = hasOtherFields(frame, ['reason']) ? frame : undefined
  const status = endStatusOf(reason)
  const event = { kind: 'task-status', status } as const
  if (status === 'completed') endTask(writer, { ...event }, embedded)
  else if (status === 'canceled') endTask(writer, { ...event, metadata: { reason } }, embedded)
  else endTask(writer, { ...event, error: sessionError(reason), metadata: { reason } }, embedded)
}
