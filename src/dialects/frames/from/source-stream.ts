/** The state of a stream of frames while it is mapped to events. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { DraftState, Ids } from '../../engine/draft.ts'
import type { DraftItem } from '../../engine/draft-item.ts'
import { nothingReceived, type Received } from '../wire/stream/position.ts'

/** One stream of frames, mapped to one task. */
export interface SourceStream extends Received, Readonly<DraftState & Ids> {
  /** `cancelled`: a background tool was cancelled, and its final status has not arrived. */
  readonly phase: 'open' | 'cancelled' | 'ended'
  /** Whether the task has the status `working`. */
  readonly isWorking: boolean
  /** The time of the last event, in milliseconds since 1970. */
  readonly time: number
  /** The text since the last `content-complete`. */
  readonly segment: DraftItem
  /** Running tools by id, in the order in which they started. */
  readonly tools: BoundedMap<readonly SourceTool[]>
  /** The number of running tools. */
  readonly running: number
}

/** A running tool. */
export interface SourceTool {
  readonly toolCallId: string
  readonly toolName: string
  /** The `seq` of the frame that started it. */
  readonly seq: number
}

export const emptySegment: DraftItem = { id: null, iteration: null, text: '', deltas: 0 }

/** The state of a stream before its first frame. */
export function initialSourceStream(contextId: string, taskId: string): SourceStream {
  return {
    contextId,
    taskId,
    phase: 'open',
    isWorking: false,
    ...nothingReceived,
    time: 0,
    ids: emptyBoundedMap,
    segment: emptySegment,
    tools: emptyBoundedMap,
    running: 0,
  }
}

/** A copy of a stream. Written out: spreading is slow. */
export function copySourceStream(stream: SourceStream, ids: SourceStream['ids']): SourceStream {
  return {
    contextId: stream.contextId,
    taskId: stream.taskId,
    phase: stream.phase,
    isWorking: stream.isWorking,
    nextSeq: stream.nextSeq,
    completeSeq: stream.completeSeq,
    firstHash: stream.firstHash,
    hashes: stream.hashes,
    time: stream.time,
    ids,
    segment: stream.segment,
    tools: stream.tools,
    running: stream.running,
  }
}
