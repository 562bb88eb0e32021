/** The state of a stream of frames while it is mapped to events. */

import type { FrameStream } from '../wire/sequencer.ts'
import { getStream, type StreamMap } from '../wire/stream-map.ts'
import { taskIdOf } from '../wire/task-id.ts'
import type { ToolTaskSpawnedFrame } from '../wire/tool-types.ts'
import type { AnyFrame } from '../wire/types.ts'

/** One stream of frames, mapped to one task. */
export interface SourceStream {
  readonly contextId: string
  readonly taskId: string
  /** The task of the session that started it, if that was open. */
  readonly parentTaskId?: string
  /** `cancelled`: a background tool was cancelled, and its final status has not arrived. */
  readonly phase: 'open' | 'cancelled' | 'ended'
  /** The `timestamp_ms` of the last frame. */
  readonly time: number
  /** Text since the last `content-complete`. */
  readonly text: string
  /** Number of deltas in `text`. */
  readonly deltas: number
  /** Running tools, at most 1024. */
  readonly tools: readonly SourceTool[]
}

/** A running tool. */
export interface SourceTool {
  readonly id: string
  readonly name: string
}

/** The state of a stream before its first frame. */
export function initialSourceStream(
  frame: AnyFrame,
  { kind, id }: FrameStream,
  others: StreamMap<SourceStream>,
  contextId: string | undefined,
): SourceStream {
  const taskId = taskIdOf(kind, id)
  const origin =
    frame.type === 'tool_task_spawned'
      ? ((frame as ToolTaskSpawnedFrame).origin_session_id ?? undefined)
      : undefined
  const session = origin === undefined ? undefined : getStream(others, taskIdOf('session', origin))
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
