/** What makes a stream of this dialect legal, as data. */
import type { DecodeResult } from '../../../core/decoded.ts'

/** A rule streams obey. */
export interface AgentEventRule {
  /** Stable, for programs. */
  readonly rule: AgentEventRuleName | ToolEventRuleName
  /** The rule's number; several rules may share one. */
  readonly id: `A${number}`
  /** `error`: the stream is wrong. `warn`: it is suspicious, or leaves room for misunderstanding. */
  readonly severity: 'error' | 'warn'
  /** What the rule asks for. */
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

/** One event, or one end, that breaks a rule. */
export interface AgentEventViolation<Rule extends string = AgentEventRuleName> {
  /** Which rule. */
  rule: Rule
  /** As in the rule. */
  severity: 'error' | 'warn'
  /** For people, in English. May change in any release. */
  message: string
  /** Position of the event in the stream, from 0; at the end, how many events there were. */
  eventIndex: number
  /** JSON pointer to the part of the event that is meant. Absent: the whole event, or the end. */
  path?: string
  /** What the rule asks for here. Absent: the message says it. */
  expected?: unknown
  /** What is there instead. Absent: nothing, or the message says it. */
  actual?: unknown
}

type Rules<Name extends string> = {
  readonly [N in Name]: Omit<AgentEventRule, 'rule'>
}

const error = (id: AgentEventRule['id'], summary: string) => ({ id, severity: 'error', summary }) as const
const warn = (id: AgentEventRule['id'], summary: string) => ({ id, severity: 'warn', summary }) as const

const agentRules: Rules<AgentEventRuleName> = {
  'well-formed': error('A01', 'Every event of a known type has the fields of its type.'),
  'known-type': warn('A01', 'Every event is of a type of this version.'),
  'ends-with-terminal': error('A02', 'A stream does not end without final or error.'),
  'one-terminal': error('A02', 'There is one final or error, and no second one.'),
  'no-final-after-error': warn('A02', 'error ends the stream; no final follows it.'),
  'nothing-after-terminal': error('A06', 'Nothing follows final or error.'),
  'progress-within-call': error('A03', 'A tool_progress belongs to an open tool_call of its tool.'),
  'result-matches-call': error('A03', 'A tool_result belongs to an open tool_call of its tool.'),
  'unambiguous-call': warn('A03', 'Calls of one tool that are open at the same time have ids.'),
  'unique-call-id': error('A03', 'Calls that are open at the same time have different ids.'),
  'call-has-result': error('A04', 'Every tool_call has its tool_result before final.'),
  'arguments-are-object': warn('A05', 'toolArgs is the text of a JSON object.'),
}

const toolRules: Rules<ToolEventRuleName> = {
  'well-formed': error('A07', 'Every event of a known type has the fields of its type.'),
  'known-type': warn('A07', 'Every event is of a type of this version.'),
  'ends-with-result': error('A07', 'A tool does not end without a result.'),
  'one-result': error('A07', 'There is one result, and no second one.'),
  'nothing-after-result': error('A07', 'Nothing follows the result.'),
  'same-tool': error('A07', 'All events of a run name the same tool.'),
}

/** The rules of {@link agentEventVerifier}. */
export const agentEventRules: readonly AgentEventRule[] = listed(agentRules)

/** The rules of {@link toolEventVerifier}. */
export const toolEventRules: readonly AgentEventRule[] = listed(toolRules)

/** Collects the violations of one event of an agent. */
export function agentViolations(index: number): Violations<AgentEventRuleName> {
  return new Violations(agentRules, index)
}

/** Collects the violations of one event of a tool. */
export function toolViolations(index: number): Violations<ToolEventRuleName> {
  return new Violations(toolRules, index)
}

/** Collects what one event violates. */
export class Violations<Rule extends string> {
  readonly list: AgentEventViolation<Rule>[] = []
  readonly #rules: Rules<Rule>
  readonly #index: number

  constructor(rules: Rules<Rule>, index: number) {
    this.#rules = rules
    this.#index = index
  }

  add(
    rule: Rule,
    message: string,
    more: Pick<AgentEventViolation, 'path' | 'expected' | 'actual'> = {},
  ): void {
    this.list.push({ rule, severity: this.#rules[rule].severity, message, eventIndex: this.#index, ...more })
  }
}

function listed<Name extends AgentEventRule['rule']>(rules: Rules<Name>): readonly AgentEventRule[] {
  return (Object.keys(rules) as Name[]).map((rule) => ({ rule, ...rules[rule] }))
}

/** Adds what is wrong with a value that is no known event. */
export function addNotKnown(
  decoded: Exclude<DecodeResult<unknown, unknown>, { status: 'known' }>,
  found: Pick<Violations<'well-formed' | 'known-type'>, 'add'>,
): void {
  if (decoded.status === 'unknown') {
    found.add('known-type', `Unknown type ${decoded.kind}.`, { path: '/type', actual: decoded.kind })
    return
  }
  for (const { path, message } of decoded.issues) found.add('well-formed', message, { path })
}
