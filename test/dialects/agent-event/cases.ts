/** The conformance cases of AgentEvents and ToolEvents. */
import type { AgentEvent, ToolEvent } from '../../../src/dialects/agent-event/index.ts'
import { casesOf, type SuiteCase } from '../../support/conformance.ts'

/** A stream, and what a verifier finds in it. */
export interface VerifiedStream<Event> {
  readonly name: string
  readonly events: readonly Event[]
  readonly violations: readonly { readonly rule: string }[]
  /** Whether a `toolCallId` is used by two calls. Omitted: by one at most. */
  readonly reusesIds?: true
}

type Violations = { readonly violations: readonly { readonly rule: string }[] }

/** What no other implementation needs. */
interface More {
  /** What the violations have besides. */
  readonly details?: readonly object[]
  readonly reusesIds?: true
}

function streamOf<Event>({
  name,
  input,
  expected,
  details = [],
  reusesIds,
}: SuiteCase<{ events: readonly Event[] }, Violations, More>): VerifiedStream<Event> {
  const violations = expected.violations.map((violation, i) => ({ ...violation, ...details[i] }))
  const stream = { name, events: input.events, violations }
  return reusesIds === undefined ? stream : { ...stream, reusesIds }
}

const streams = casesOf<{ events: readonly AgentEvent[] }, Violations, More>(
  'formats/agent-event-verify',
).map(streamOf)
export const legal: readonly VerifiedStream<AgentEvent>[] = streams.filter(
  ({ violations }) => violations.length === 0,
)
export const broken: readonly VerifiedStream<AgentEvent>[] = streams.filter(
  ({ violations }) => violations.length > 0,
)
export const brokenTools: readonly VerifiedStream<ToolEvent>[] = casesOf<
  { events: readonly ToolEvent[] },
  Violations,
  More
>('formats/tool-event-verify').map(streamOf)
