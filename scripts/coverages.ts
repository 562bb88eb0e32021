/** The coverage tables of all dialects, for the README. */
import { agentEventCoverage } from '../src/dialects/agent-event/index.ts'
import type { EventKind } from '../src/events/event.ts'

/** Name of the entry point → what becomes of each kind. */
export const coverages: Readonly<Record<string, Readonly<Record<EventKind, string>>>> = {
  'agent-event': agentEventCoverage,
}
