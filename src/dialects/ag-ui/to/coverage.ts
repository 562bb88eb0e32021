/** How much of each event kind survives mapping to AG-UI, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage } from '../../shared/coverage.ts'
import { mappedLosses } from './losses.ts'

/** Fields of every event: reported once per task, by precision, or because they are not for clients. */
const COMMON = ['contextId', 'taskId', 'path', 'timestamp', 'metadata.audience', 'metadata.signature']

const declared = defineCoverage(
  {
    ...mappedLosses,
    // A subagent that is canceled ends as one that has finished.
    'task-status': [...mappedLosses['task-status'], 'status'],
    // What was sent in parts cannot be changed by the whole.
    'content-complete': [...mappedLosses['content-complete'], 'content'],
    'thought-stream': [...mappedLosses['thought-stream'], 'content'],
    'tool-start': [...mappedLosses['tool-start'], 'arguments'],
    // Values that are nested too deeply.
    'tool-complete': [...mappedLosses['tool-complete'], 'result'],
    'content-replace': [...mappedLosses['content-replace'], 'content'],
    // AG-UI has artifacts as objects only.
    'file-write': null,
    'dataset-write': null,
    // The client itself answers.
    'input-received': null,
    'input-canceled': null,
    'auth-completed': null,
    'auth-failed': null,
    // RUN_ERROR ends the run.
    'task-error': null,
    'internal:llm-call': null,
    'internal:thought-process': null,
    'internal:tool-start': null,
    'internal:tool-complete': null,
    'internal:checkpoint': null,
  },
  COMMON,
)

/** How much of each event kind survives `toAgUi` without the option `extension`; with it, every event is kept whole. */
export const agUiCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to AG-UI may drop or change, by event kind: each diagnostic `lossy:<field>` names one of
 * them, or a field that the schema does not know. `*`: some events of the kind are dropped, with a diagnostic each.
 */
export const agUiLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
