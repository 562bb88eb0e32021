/** What is remembered of a stream of frames while it is said as events. */
import type { FrameV2 } from './types.ts'

/** One stream of frames: a task. */
export interface SourceStream {
  readonly contextId: string
  readonly taskId: string
  /** The session that started it, if it goes on. */
  readonly parentTaskId?: string
  /** `cancelled`: so a tool in the background was, and its last status is still to come. */
  readonly phase: 'open' | 'cancelled' | 'ended'
  /** The `timestamp_ms` of the last frame. */
  readonly time: number
  /** The text since the last `content-complete`. */
  readonly text: string
  /** How many deltas that is. */
  readonly deltas: number
  /** The tools that run. At most 1024. */
  readonly tools: readonly SourceTool[]
}

/** A tool that runs. */
export interface SourceTool {
  readonly id: string
  readonly name: string
}

/** The id of the task a stream is. Prefixed, as sessions, tools and agents may share a name. */
export function taskIdOf(kind: string, id: string): string {
  return `${kind}:${id}`
}

/** A stream before its first frame. */
export function sourceStream(
  frame: FrameV2,
  others: Readonly<Record<string, SourceStream>>,
  contextId: string | undefined,
): SourceStream {
  const { stream_kind, stream_id, timestamp_ms: time } = frame
  const taskId = taskIdOf(stream_kind, stream_id)
  const origin = frame.type === 'tool_task_spawned' ? (frame.origin_session_id ?? undefined) : undefined
  const session = origin === undefined ? undefined : others[taskIdOf('session', origin)]
  const context = contextId ?? session?.contextId ?? origin ?? stream_id
  const stream = { contextId: context, taskId, phase: 'open', time, text: '', deltas: 0, tools: [] } as const
  return session?.phase === 'open' ? { ...stream, parentTaskId: session.taskId } : stream
}
