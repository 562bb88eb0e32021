/** What becomes of each event in frames, as data. */

import type { EventKind } from '../../../events/event.ts'
import type { Coverage } from '../../shared/coverage.ts'

/**
 * What {@link toFrames} makes of each kind of event that does not carry a frame, or could: those that
 * carry one are said in full.
 */
export const framesCoverage: Readonly<Record<EventKind, Coverage>> = {
  'task-created': 'partial', // A session starts with its input and nothing else.
  'task-status': 'partial', // Only the end of a session is told.
  'task-complete': 'partial', // As the end of the session; its text where none was streamed.
  'content-delta': 'partial', // The text, not what numbers it.
  'content-complete': 'partial', // The deltas say it; where there were none, it is one.
  'tool-start': 'partial',
  'tool-arguments-delta': 'omitted', // The tool-start that follows repeats them whole.
  'tool-progress': 'partial', // Only pieces of output.
  'tool-complete': 'partial', // A result is output, where none was streamed.
  'input-required': 'omitted',
  'input-received': 'omitted',
  'input-canceled': 'omitted',
  'auth-required': 'omitted',
  'auth-completed': 'omitted',
  'auth-failed': 'omitted',
  'file-write': 'omitted', // artifact_written refers to what is stored elsewhere.
  'data-write': 'omitted',
  'dataset-write': 'omitted',
  'artifact-delta': 'omitted',
  'subtask-created': 'omitted', // The stream of the subtask begins by itself.
  'thought-delta': 'omitted',
  'thought-stream': 'omitted',
  'task-error': 'omitted',
  'internal:thought-process': 'partial', // Only where it carries a frame.
  'internal:llm-call': 'omitted',
  'internal:checkpoint': 'partial', // Only where it carries a frame: a snapshot of files.
  'internal:tool-start': 'omitted',
  'internal:tool-complete': 'omitted',
}

/**
 * The fields an event may lose on its way to frames, by kind: each `lossy:<field>` names one of them.
 * Those of all kinds are under `*`. Kinds that are not here lose nothing, or are left out as a whole.
 */
export const framesLossyFields: Readonly<Partial<Record<EventKind | '*', readonly string[]>>> = {
  '*': ['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'frame'],
  'task-created': ['initiator', 'metadata'],
  'task-status': ['message', 'error', 'metadata'],
  'task-complete': ['content', 'artifacts', 'metadata'],
  'content-delta': ['indexEnd', 'timestampEnd'],
  'content-complete': ['finishReason'],
  'tool-start': ['metadata'],
  'tool-progress': ['progress', 'message', 'metadata'],
  'tool-complete': ['result', 'error', 'metadata'],
}
