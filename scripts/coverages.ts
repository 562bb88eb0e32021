/** The coverage tables of all dialects, for docs/reference/coverage.md. */
import { a2aCoverage } from '../src/dialects/a2a/index.ts'
import { agentEventCoverage } from '../src/dialects/agent-event/index.ts'
import { framesCoverage } from '../src/dialects/frames/index.ts'
import { sessionCoverage } from '../src/dialects/session/index.ts'
import type { EventKind } from '../src/events/event.ts'

/** Name of the entry point → coverage of each event kind. */
export const coverages: Readonly<Record<string, Readonly<Record<EventKind, string>>>> = {
  a2a: a2aCoverage,
  frames: framesCoverage,
  'agent-event': agentEventCoverage,
  session: sessionCoverage,
}
