/** How much of each event kind survives mapping to frames, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage, type LossTable } from '../../shared/coverage.ts'

/**
 * A subtask has a stream of its own, a `tool-start` repeats the arguments of its deltas, and `artifact_written` refers to content
 * that is stored elsewhere.
 */
export const losses: LossTable = {
  // Only the input, of a user.
  'task-created': ['*', 'initiator', 'metadata.agentId', 'metadata.model', 'metadata.input', 'metadata.*'],
  // Only final statuses.
  'task-status': ['*', 'message', 'error', 'metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  // As the end of the session; its text only if none was streamed.
  'task-complete': ['*', 'content', 'artifacts', 'metadata'],
  'content-delta': ['*', 'contentId', 'iteration', 'index', 'indexEnd', 'timestampEnd'],
  // Frames append.
  'content-replace': ['contentId', 'iteration', 'metadata', '?content'],
  // As its deltas, and one more for what they lack. Texts that no tool separates are read as one.
  'content-complete': ['*', 'contentId', '?content', 'iteration', 'finishReason', 'metadata'],
  'tool-start': [
    '*',
    'iteration',
    'metadata.provider',
    'metadata.concurrent',
    'metadata.signature',
    'metadata.redacted',
    'metadata.*',
  ],
  // Only output.
  'tool-progress': [
    '*',
    'iteration',
    'progress',
    'message',
    'metadata.step',
    'metadata.stepsCompleted',
    'metadata.stepsTotal',
    'metadata.remainingMs',
    'metadata.stream',
    'metadata.*',
  ],
  // The result becomes output if none was streamed. Not before tool-start.
  'tool-complete': [
    '*',
    'iteration',
    'result',
    'error',
    'metadata.duration',
    'metadata.cached',
    'metadata.retries',
    'metadata.*',
  ],
  // Only with an embedded frame.
  'internal:thought-process': ['*'],
  'internal:checkpoint': ['*'],
}

/** Fields of every event: in the envelope of each frame, or reported once per task. */
const COMMON = ['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp']

const declared = defineCoverage(losses, COMMON)

/**
 * How much of each event kind survives {@link toFrames}, for events without an embedded frame. An
 * event with an embedded frame maps to that frame.
 */
export const framesCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to frames may drop or change, by event kind: each diagnostic `lossy:<field>` names one of
 * them, or a field that the schema does not know. `*`: some events of the kind are dropped, with a diagnostic each.
 */
export const framesLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
