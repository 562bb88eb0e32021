/** Builds inputs for tests of `fromSessionEvents`, and converts them. */

import type { FromSessionOptions } from '../../../src/dialects/session/from/from-session.ts'
import type { FromSessionState } from '../../../src/dialects/session/from/state.ts'
import { fromSessionEvents, type SessionInput } from '../../../src/dialects/session/index.ts'
import { type ContextAnyEvent, type Diagnostic, run } from '../../../src/index.ts'
import { documented } from './cases.ts'

export const events = documented.map(({ event }) => event) as unknown as readonly SessionInput[]
export const byName = (name: string): SessionInput =>
  events.find(({ event }) => event === name) ?? { event: name }

interface Converted {
  readonly out: readonly ContextAnyEvent[]
  readonly codes: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  readonly state: FromSessionState
}

/** Maps inputs to core events. A round that is open at the end stays open: the session goes on. */
export function convert(inputs: readonly SessionInput[], options: FromSessionOptions = {}): Converted {
  const { before, atEnd } = convertAll(inputs, options)
  return atEnd.codes.includes('gap') ? before : atEnd
}

/** Maps inputs to core events, and ends the stream. */
export function convertCut(inputs: readonly SessionInput[], options: FromSessionOptions = {}): Converted {
  return convertAll(inputs, options).atEnd
}

function convertAll(
  inputs: readonly SessionInput[],
  options: FromSessionOptions,
): { before: Converted; atEnd: Converted } {
  const diagnostics: Diagnostic[] = []
  const machine = run(fromSessionEvents({ showErrors: true, ...options }), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const out = inputs.flatMap((event) => [...machine.push(event)])
  const converted = (more: readonly ContextAnyEvent[]): Converted => ({
    out: [...out, ...more],
    codes: diagnostics.map(({ code }) => code),
    diagnostics: [...diagnostics],
    state: machine.state as unknown as FromSessionState,
  })
  return { before: converted([]), atEnd: converted(machine.end()) }
}

/** The timestamp of all inputs. */
export const at = '2026-03-04T05:06:07Z'
/** A session event with the given fields. */
export const input = (
  event: string,
  content?: unknown,
  metadata?: object,
  more: object = {},
): SessionInput => ({
  event,
  timestamp: at,
  session_id: 's-7',
  step_id: 'v',
  content,
  ...(metadata !== undefined && { metadata }),
  ...more,
})
/** Events as kind and fields, without context, timestamp and what they carry of the session. */
export const brief = (out: readonly ContextAnyEvent[]): unknown[] =>
  out.map(({ kind, contextId: _c, taskId: _t, timestamp: _a, ...fields }: ContextAnyEvent) => {
    const { metadata, ...rest } = fields as { metadata?: { session?: unknown } }
    const { session: _s, ...own } = metadata ?? {}
    return [kind, Object.keys(own).length === 0 ? rest : { ...rest, metadata: own }]
  })

/** What each event carries of the session. */
export const carried = (out: readonly ContextAnyEvent[]): unknown[] =>
  out.map((event) => (event as { metadata?: { session?: unknown } }).metadata?.session)
export const message: SessionInput = input('user.message', 'Why?')
export const created: readonly unknown[] = [
  'task-created',
  { initiator: 'user', metadata: { input: 'Why?' } },
]
export const completed: readonly unknown[] = ['task-status', { status: 'completed' }]
export const answer = (text: string): SessionInput =>
  input('agent.final_answer', { answer: text, answer_type: 'text' })
export const pipeline = (status: string): SessionInput =>
  input('pipeline.completed', null, { status, result_summary: '' })
