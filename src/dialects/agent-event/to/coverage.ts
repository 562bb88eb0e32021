/** Coverage of the mapper to AgentEvents. */

import type { EventKind } from '../../../events/event.ts'
import type { Coverage } from '../../shared/coverage.ts'

/**
 * What {@link toAgentEvents} makes of each kind. Ids, times and positions are not told of any: the
 * dialect has none.
 */
export const agentEventCoverage: Readonly<Record<EventKind, Coverage>> = {
  'task-created': 'omitted',
  'task-status': 'partial', // Only how it ends; canceled is told as an error.
  'task-complete': 'partial', // Only the text, when it was not told before.
  'content-delta': 'full',
  'content-complete': 'partial', // Repeats what was told, and says where a segment ends.
  'tool-start': 'partial', // Without metadata.
  'tool-arguments-delta': 'omitted', // tool-start repeats them whole.
  'tool-progress': 'full',
  'tool-complete': 'partial', // Results that are no text as JSON text; without metadata.
  'input-required': 'omitted',
  'input-received': 'omitted',
  'input-canceled': 'omitted',
  'auth-required': 'omitted',
  'auth-completed': 'omitted',
  'auth-failed': 'omitted',
  'file-write': 'omitted',
  'data-write': 'omitted',
  'dataset-write': 'omitted',
  'artifact-delta': 'omitted',
  'subtask-created': 'omitted',
  'thought-delta': 'omitted', // thought-stream repeats them whole.
  'thought-stream': 'partial', // Only the text.
  'task-error': 'omitted', // An error of this dialect ends the run.
  'internal:thought-process': 'omitted',
  'internal:llm-call': 'omitted',
  'internal:checkpoint': 'omitted',
  'internal:tool-start': 'omitted',
  'internal:tool-complete': 'omitted',
}
