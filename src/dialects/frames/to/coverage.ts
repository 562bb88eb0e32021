/** How much of each event kind survives mapping to frames, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, coverageOf } from '../../shared/coverage.ts'

/**
 * How much of each event kind survives {@link toFrames}, for events without an embedded frame. An
 * event with an embedded frame maps to that frame.
 */
export const framesCoverage: Readonly<Record<EventKind, Coverage>> = coverageOf({
  'task-created': 'partial', // Only the input.
  'task-status': 'partial', // Only final statuses.
  'task-complete': 'partial', // As the end of the session; its text only if none was streamed.
  'content-delta': 'partial', // The text, without its indexes; of several open texts, one as it comes.
  'content-complete': 'partial', // As its deltas; as one delta if there were none.
  'tool-start': 'partial',
  'tool-progress': 'partial', // Only output chunks.
  'tool-complete': 'partial', // The result becomes output if none was streamed; not before tool-start.
  'internal:thought-process': 'partial', // Only with an embedded frame.
  'internal:checkpoint': 'partial', // Only with an embedded frame: a snapshot of files.
  // Not mapped: tool-arguments-delta, since the following tool-start repeats the arguments; file-write, since
  // artifact_written refers to content stored elsewhere; subtask-created, since a subtask has its own stream.
})

/**
 * The fields that mapping to frames may drop or change, by event kind: each diagnostic `lossy:<field>`
 * names one of them. `*` lists the fields of every kind. Other kinds keep all other fields or are
 * dropped as a whole.
 */
export const framesLossyFields: Readonly<Partial<Record<EventKind | '*', readonly string[]>>> = {
  '*': ['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'frame'],
  'task-created': ['initiator', 'metadata'],
  'task-status': ['message', 'error', 'metadata'],
  'task-complete': ['content', 'artifacts', 'metadata'],
  'content-delta': ['contentId', 'indexEnd', 'timestampEnd'],
  'content-complete': ['contentId', 'finishReason', 'metadata'],
  'tool-start': ['metadata'],
  'tool-progress': ['progress', 'message', 'metadata'],
  'tool-complete': ['result', 'error', 'metadata'],
}
