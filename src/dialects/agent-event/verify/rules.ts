/** The rules of the streams of an agent and of a tool, as data. */

/** A rule for streams. */
export interface AgentEventRule {
  /** Stable, for programs. */
  readonly rule: AgentEventRuleName | ToolEventRuleName
  /** The rule's number; several rules may share one. */
  readonly id: `A${number}`
  /** `error`: the stream is invalid. `warn`: it is suspicious or ambiguous. */
  readonly severity: 'error' | 'warn'
  /** The requirement, as a sentence. */
  readonly summary: string
}

/** The names of {@link agentEventRules}. */
export type AgentEventRuleName =
  | 'well-formed'
  | 'known-type'
  | 'ends-with-terminal'
  | 'one-terminal'
  | 'no-final-after-error'
  | 'nothing-after-terminal'
  | 'progress-within-call'
  | 'result-matches-call'
  | 'unambiguous-call'
  | 'unique-call-id'
  | 'call-has-result'
  | 'arguments-are-object'

/** The names of {@link toolEventRules}. */
export type ToolEventRuleName =
  | 'well-formed'
  | 'known-type'
  | 'ends-with-result'
  | 'one-result'
  | 'nothing-after-result'
  | 'same-tool'

/** A violation of a rule by an event, or by the end of the stream. */
export interface AgentEventViolation<Rule extends string = AgentEventRuleName> {
  /** The name of the rule. */
  rule: Rule
  /** The severity of the rule. */
  severity: 'error' | 'warn'
  /** Human-readable, in English. May change in any release. */
  message: string
  /** Position of the event in the stream, from 0; at the end, the number of events. */
  eventIndex: number
  /** JSON Pointer to the part of the event. Omitted for the whole event and for the end. */
  path?: string
  /** The expected value. Omitted if the message is enough. */
  expected?: unknown
  /** The actual value. Omitted if missing, or if the message is enough. */
  actual?: unknown
}

/** Rules by name. */
export type Rules<Name extends string> = {
  readonly [N in Name]: Omit<AgentEventRule, 'rule'>
}

const error = (id: AgentEventRule['id'], summary: string) => ({ id, severity: 'error', summary }) as const
const warn = (id: AgentEventRule['id'], summary: string) => ({ id, severity: 'warn', summary }) as const

/** The rules of the stream of an agent, by name. */
export const agentRules: Rules<AgentEventRuleName> = {
  'well-formed': error('A01', 'An event of a known type has the fields of its type.'),
  'known-type': warn('A01', 'Every event has a type of this version.'),
  'ends-with-terminal': error('A02', 'A stream ends with final or error.'),
  'one-terminal': error('A02', 'There is only one final or error.'),
  'no-final-after-error': warn('A02', 'No final follows error.'),
  'nothing-after-terminal': error('A06', 'Nothing follows final or error.'),
  'progress-within-call': error('A03', 'A tool_progress belongs to an open tool_call of its tool.'),
  'result-matches-call': error('A03', 'A tool_result belongs to an open tool_call of its tool.'),
  'unambiguous-call': warn('A03', 'Concurrent calls of one tool have ids.'),
  'unique-call-id': error('A03', 'Concurrent calls have different ids.'),
  'call-has-result': error('A04', 'Every tool_call has its tool_result before final.'),
  'arguments-are-object': warn('A05', 'toolArgs is a JSON object as text.'),
}

/** The rules of the stream of a tool, by name. */
export const toolRules: Rules<ToolEventRuleName> = {
  'well-formed': error('A07', 'An event of a known type has the fields of its type.'),
  'known-type': warn('A07', 'Every event has a type of this version.'),
  'ends-with-result': error('A07', 'A tool ends with a result.'),
  'one-result': error('A07', 'There is only one result.'),
  'nothing-after-result': error('A07', 'Nothing follows the result.'),
  'same-tool': error('A07', 'All events of a run have the same toolName.'),
}

/** The rules of {@link agentEventVerifier}. */
export const agentEventRules: readonly AgentEventRule[] = toList(agentRules)

/** The rules of {@link toolEventVerifier}. */
export const toolEventRules: readonly AgentEventRule[] = toList(toolRules)

function toList<Name extends AgentEventRule['rule']>(rules: Rules<Name>): readonly AgentEventRule[] {
  return (Object.keys(rules) as Name[]).map((rule) => ({ rule, ...rules[rule] }))
}
