/** What is remembered of a stream of frames while it is said as events. */
import type { FrameStream } from '../wire/sequencer.ts'
import { type Streams, streamIn } from '../wire/stream-map.ts'
import { taskIdOf } from '../wire/task-id.ts'
import type { ToolTaskSpawnedFrame } from '../wire/tool-types.ts'
import type { AnyFrame } from '../wire/types.ts'

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

/** A stream before its first frame. */
export function sourceStream(
  frame: AnyFrame,
  { kind, id }: FrameStream,
  others: Streams<SourceStream>,
  contextId: string | undefined,
): SourceStream {
  const taskId = taskIdOf(kind, id)
  const origin =
    frame.type === 'tool_task_spawned'
      ? ((frame as ToolTaskSpawnedFrame).origin_session_id ?? undefined)
      : undefined
  const session = origin === undefined ? undefined : streamIn(others, taskIdOf('session', origin))
  const context = contextId ?? session?.contextId ?? origin ?? id
  const stream = {
    contextId: context,
    taskId,
    phase: 'open',
    time: 0,
    text: '',
    deltas: 0,
    tools: [],
  } as const
  return session?.phase === 'open' ? { ...stream, parentTaskId: session.taskId } : stream
}
