/** How much of each event kind is kept in AgentEvents. */

import type { EventKind } from '../../../events/event.ts'
import type { Coverage } from '../../shared/coverage.ts'

/**
 * How much of each event kind {@link toAgentEvents} keeps. Ids, times and positions do not count: AgentEvents have
 * none.
 */
export const agentEventCoverage: Readonly<Record<EventKind, Coverage>> = {
  'task-created': 'omitted',
  'task-status': 'partial', // Only the end; canceled becomes an error.
  'task-complete': 'partial', // Only the text, if it was not streamed.
  'content-delta': 'partial', // Without contentId: of several open texts, one as it comes.
  'content-complete': 'partial', // Only if it was not streamed; where the segment ends is lost.
  'tool-start': 'partial', // Without metadata.
  'tool-arguments-delta': 'omitted', // tool-start has the whole arguments.
  'tool-progress': 'full',
  'tool-complete': 'partial', // Results that are not strings become JSON text; without metadata, or before tool-start.
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
  'thought-delta': 'omitted', // thought-stream has the whole text.
  'thought-stream': 'partial', // Only the text.
  'task-error': 'omitted', // An error event would end the run.
  'internal:thought-process': 'omitted',
  'internal:llm-call': 'omitted',
  'internal:checkpoint': 'omitted',
  'internal:tool-start': 'omitted',
  'internal:tool-complete': 'omitted',
}
