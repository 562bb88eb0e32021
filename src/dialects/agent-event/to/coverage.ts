/** How much of each event kind is kept in AgentEvents. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, coverageOf } from '../../shared/coverage.ts'

/**
 * How much of each event kind {@link toAgentEvents} keeps. Ids, times and positions do not count: AgentEvents have
 * none.
 */
export const agentEventCoverage: Readonly<Record<EventKind, Coverage>> = coverageOf({
  'task-status': 'partial', // Only the end; canceled becomes an error.
  'task-complete': 'partial', // Only the text, if it was not streamed.
  'content-delta': 'partial', // Without contentId: of several open texts, one as it comes.
  'content-complete': 'partial', // Only if it was not streamed; where the segment ends is lost.
  'tool-start': 'partial', // Without metadata.
  'tool-progress': 'full',
  'tool-complete': 'partial', // Results that are not strings become JSON text; without metadata, or before tool-start.
  'thought-stream': 'partial', // Only the text.
  // Not mapped: tool-arguments-delta and thought-delta, since tool-start and thought-stream have the whole text;
  // task-error, since an error event would end the run.
})
