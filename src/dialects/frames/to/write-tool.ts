/** What the events of a tool call are in frames. */

import type { ContextEvent } from '../../../events/event.ts'
import type { ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from '../../../events/tool.ts'
import { isFields } from '../../../validation/predicates.ts'
import { exitError } from '../wire/outcome.ts'
import type { FrameWriter } from './frame-writer.ts'

/** Whether a call is that of a tool in the background: its task, which tells of it by itself. */
function isTaskItself({ stream }: FrameWriter, event: { taskId: string; toolCallId: string }): boolean {
  return stream.kind === 'task' && event.toolCallId === event.taskId
}

/** `tool_started`. */
export function sayToolStart(writer: FrameWriter, event: ContextEvent<ToolStartEvent>): void {
  const { toolCallId: tool_id, toolName: name, arguments: args, metadata } = event
  if (isTaskItself(writer, event)) return
  const timeout = metadata?.timeoutMs
  const isTimeout = Number.isSafeInteger(timeout) && (timeout as number) >= 0
  writer.say({
    type: 'tool_started',
    tool_id,
    name,
    args,
    timeout_ms: isTimeout ? (timeout as number) : null,
  })
  writer.loseAllBut(event, ['toolCallId', 'toolName', 'arguments'], isTimeout ? ['timeoutMs'] : [])
}

/** `tool_stdout`, `tool_stderr` or `tool_task_output_delta`. */
export function sayToolProgress(writer: FrameWriter, event: ContextEvent<ToolProgressEvent>): void {
  const { toolCallId: tool_id, progress, metadata } = event
  const { stream, chunk } = metadata ?? {}
  if (chunk === undefined) {
    writer.drop(event, 'Frames tell the output of a tool, not how far it has come.')
    return
  }
  const isTask = isTaskItself(writer, event)
  const isStream = stream === 'stdout' || stream === 'stderr' || (isTask && stream === 'pty')
  if (isTask) {
    writer.say({
      type: 'tool_task_output_delta',
      task_id: writer.stream.id,
      stream: isStream ? stream : 'stdout',
      chunk,
      artifacts: null,
    })
  } else writer.say({ type: stream === 'stderr' ? 'tool_stderr' : 'tool_stdout', tool_id, chunk })
  writer.streamed(tool_id)
  const said = ['toolCallId', ...(progress === 0 ? ['progress'] : [])]
  writer.loseAllBut(event, said, isStream ? ['stream', 'chunk'] : ['chunk'])
}

/** `tool_ended` or `tool_failed`. */
export function sayToolComplete(writer: FrameWriter, event: ContextEvent<ToolCompleteEvent>): void {
  const { toolCallId: tool_id, success, result, error, metadata } = event
  const wasStreamed = writer.endStreamed(tool_id)
  if (isTaskItself(writer, event)) return
  if (result !== undefined && result !== null && !wasStreamed) {
    const chunk = typeof result === 'string' ? result : JSON.stringify(result)
    writer.say({ type: 'tool_stdout', tool_id, chunk })
  }
  const said = ['toolCallId', 'toolName', 'success']
  const exitCode = exitCodeOf(metadata?.exitCode, success)
  if (exitCode === undefined) {
    writer.say({ type: 'tool_failed', tool_id, error: error ?? 'The tool failed.' })
    writer.loseAllBut(event, [...said, 'error'])
    return
  }
  const { duration } = metadata ?? {}
  const duration_ms = Math.min(Math.round(duration ?? 0), Number.MAX_SAFE_INTEGER)
  const artifacts = metadata?.artifacts
  const hasArtifacts = isFields(artifacts)
  writer.say({
    type: 'tool_ended',
    tool_id,
    exit_code: exitCode,
    duration_ms,
    artifacts: hasArtifacts ? artifacts : null,
  })
  if (duration === undefined) {
    writer.diagnostic({
      code: 'assumed:duration_ms',
      message: 'How long the tool ran is not told; 0 is written.',
    })
  }
  writer.loseAllBut(event, error === exitError(exitCode) ? [...said, 'error'] : said, [
    'exitCode',
    ...(duration === duration_ms ? ['duration'] : []),
    ...(hasArtifacts ? ['artifacts'] : []),
  ])
}

/** The exit code of a tool, if it has one that fits its outcome; without one, a success is 0. */
function exitCodeOf(told: unknown, success: boolean): number | undefined {
  // Numbers of 32 bits only.
  if (typeof told === 'number' && (told | 0) === told && (told === 0) === success) return told
  return success ? 0 : undefined
}
