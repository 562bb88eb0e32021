/** What each frame of a stream leads to. */
import { saysMoreThan } from '../wire/embedded-frame.ts'
import { endStatusOf, outcomeOf, sessionError } from '../wire/outcome.ts'
import type { FrameStream } from '../wire/sequencer.ts'
import type { SessionEndedFrame } from '../wire/session-types.ts'
import type { ToolEndedFrame, ToolFailedFrame, ToolStartedFrame } from '../wire/tool-types.ts'
import type { FrameV1, FrameV2, UnknownFrame } from '../wire/types.ts'
import type { EventWriter } from './event-writer.ts'
import { readTaskFrame, readTaskStart } from './read-task-frame.ts'

/** What `decodeFrame` makes of a frame. */
type ReadFrame = { status: 'known'; event: FrameV1 | FrameV2 } | { status: 'unknown'; event: UnknownFrame }

/**
 * Writes the events of a frame.
 *
 * @param first - Which stream begins with it. Absent: none does.
 */
export function readFrame(writer: EventWriter, decoded: ReadFrame, first: FrameStream | undefined): void {
  const isKnown = decoded.status === 'known'
  if (first !== undefined) {
    if (isKnown && readStart(writer, decoded.event, first)) return
    writeImpliedStart(writer, first.kind)
  }
  if (writer.stream.phase === 'ended') {
    const message = 'The stream has ended; the event carries the frame.'
    writer.diagnostics.push({ code: 'after-end', message, detail: decoded.event.type })
    writer.carry(decoded.event)
  } else if (isKnown) readKnown(writer, decoded.event)
  else writer.carry(decoded.event)
}

/** A stream that begins as it should. */
function readStart(writer: EventWriter, frame: FrameV1 | FrameV2, { kind, id }: FrameStream): boolean {
  if (frame.type === 'session_started') {
    const { input } = frame
    writer.write(
      { kind: 'task-created', initiator: 'user', ...(input !== '' && { metadata: { input } }) },
      saysMoreThan(frame, ['input']) ? frame : undefined,
    )
    writer.write({ kind: 'task-status', status: 'working' })
    return true
  }
  if (frame.type !== 'tool_task_spawned' || kind !== 'task' || frame.task_id !== id) return false
  readTaskStart(writer, frame)
  return true
}

/** A stream without a first frame of its own: all but sessions and tasks are. */
function writeImpliedStart(writer: EventWriter, streamKind: string): void {
  if (streamKind === 'session' || streamKind === 'task') {
    const message = 'The stream does not begin with its first frame; the task does with this event.'
    writer.diagnostics.push({ code: 'implied:task-created', message })
  }
  const initiator = streamKind === 'session' ? 'user' : 'agent'
  writer.write({ kind: 'task-created', initiator, metadata: { streamKind } })
}

function readKnown(writer: EventWriter, frame: FrameV1 | FrameV2): void {
  switch (frame.type) {
    case 'output_text_delta':
      writer.delta(frame.delta, saysMoreThan(frame, ['delta']) ? frame : undefined)
      break
    case 'session_ended':
      readSessionEnd(writer, frame)
      break
    case 'tool_started':
      readToolStart(writer, frame)
      break
    case 'tool_stdout':
    case 'tool_stderr':
      if (writer.tool(frame.tool_id) === undefined) writer.carry(frame)
      else {
        const stream = frame.type === 'tool_stdout' ? 'stdout' : 'stderr'
        const { tool_id: toolCallId, chunk } = frame
        const isMore = saysMoreThan(frame, ['tool_id', 'chunk'])
        const metadata = { stream, chunk }
        writer.write({ kind: 'tool-progress', toolCallId, progress: 0, metadata }, isMore ? frame : undefined)
      }
      break
    case 'tool_ended':
    case 'tool_failed':
      readToolEnd(writer, frame)
      break
    case 'checkpoint_created':
    case 'checkpoint_rewound':
    case 'checkpoint_failed':
      writer.write({ kind: 'internal:checkpoint', iteration: 0 }, frame)
      break
    case 'provider_event':
      writer.carry(frame, frame.event_name ?? frame.status)
      break
    default:
      readTaskFrame(writer, frame)
  }
}

function readToolStart(writer: EventWriter, frame: ToolStartedFrame): void {
  const { tool_id: toolCallId, name: toolName, args, timeout_ms } = frame
  if (!writer.canStart(toolCallId)) {
    writer.carry(frame)
    return
  }
  writer.completeContent()
  const metadata = typeof timeout_ms === 'number' ? { metadata: { timeoutMs: timeout_ms } } : {}
  writer.write(
    { kind: 'tool-start', toolCallId, toolName, arguments: args, ...metadata },
    saysMoreThan(frame, ['tool_id', 'name', 'args', 'timeout_ms']) ? frame : undefined,
  )
  writer.started({ id: toolCallId, name: toolName })
}

function readToolEnd(writer: EventWriter, frame: ToolEndedFrame | ToolFailedFrame): void {
  const tool = writer.tool(frame.tool_id)
  if (tool === undefined) {
    writer.carry(frame)
    return
  }
  writer.ended(tool)
  const call = { kind: 'tool-complete', toolCallId: tool.id, toolName: tool.name } as const
  if (frame.type === 'tool_failed') {
    const isMore = saysMoreThan(frame, ['tool_id', 'error'])
    writer.write({ ...call, success: false, error: frame.error }, isMore ? frame : undefined)
    return
  }
  const { exit_code: exitCode, duration_ms: duration } = frame
  const isMore = saysMoreThan(frame, ['tool_id', 'exit_code', 'duration_ms'])
  writer.write(
    { ...call, ...outcomeOf(exitCode), metadata: { duration, exitCode } },
    isMore ? frame : undefined,
  )
}

function readSessionEnd(writer: EventWriter, frame: SessionEndedFrame): void {
  const { reason } = frame
  const carried = saysMoreThan(frame, ['reason']) ? frame : undefined
  const status = endStatusOf(reason)
  if (status === 'completed') writer.end(status, {}, carried)
  else if (status === 'canceled') writer.end(status, { metadata: { reason } }, carried)
  else writer.end(status, { error: sessionError(reason), metadata: { reason } }, carried)
}
