/** How much of each event kind survives mapping to frames, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage } from '../../shared/coverage.ts'
import { mappedLosses } from './losses.ts'

/** Fields of every event: in the envelope of each frame, or reported once per task. */
const COMMON = ['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp']

const declared = defineCoverage(
  {
    ...mappedLosses,
    // A subtask has a stream of its own.
    'subtask-created': null,
    // The following tool-start repeats the arguments.
    'tool-arguments-delta': null,
    // artifact_written refers to content that is stored elsewhere.
    'file-write': null,
    'data-write': null,
    'dataset-write': null,
    'artifact-delta': null,
    'input-required': null,
    'input-received': null,
    'input-canceled': null,
    'auth-required': null,
    'auth-completed': null,
    'auth-failed': null,
    // Frames append.
    'content-replace': null,
    'iteration-reset': null,
    'thought-delta': null,
    'thought-stream': null,
    'task-error': null,
    custom: null,
    'internal:llm-call': null,
    'internal:tool-start': null,
    'internal:tool-complete': null,
  },
  COMMON,
)

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
