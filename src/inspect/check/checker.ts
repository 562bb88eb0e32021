/** The rules of each dialect that has any, loaded when they are needed. */

import type { Machine } from '../../core/machine.ts'
import type { Rule, VerifyMode } from '../../rules/rule.ts'
import type { Violation } from '../../rules/violation.ts'
import { eventRules } from '../../streams/verify/rules/index.ts'
import { verifier } from '../../streams/verify/verifier.ts'
import { isFields } from '../../validation/predicates.ts'
import type { Dialect } from '../dialects.ts'
import { type Finding, severityOf } from './finding.ts'

/** Checks values against rules. Its findings have no position besides the line. */
export interface Checker {
  /** Checks one value or event. */
  push(value: unknown, line: number): Finding[]
  /** Reports what is missing at the end. */
  end(): Finding[]
}

type VerifierFor = (first: unknown, mode: VerifyMode) => Machine<unknown, unknown, Violation>

/** The rules of a dialect, and what checks them. */
interface RuleSet {
  readonly rules: readonly Rule[]
  readonly verifierFor: VerifierFor
}

/** Machines of different dialects, of which only the outputs matter here. */
function machineOf<State, In>(machine: Machine<State, In, Violation>): Machine<unknown, unknown, Violation> {
  return machine as unknown as Machine<unknown, unknown, Violation>
}

const ruleSets: Readonly<Partial<Record<Dialect, () => Promise<RuleSet>>>> = {
  a2a: async () => {
    const [{ a2aRules }, { a2aVerifier }] = await Promise.all([
      import('../../dialects/a2a/verify/rules.ts'),
      import('../../dialects/a2a/verify/verifier.ts'),
    ])
    return {
      rules: a2aRules,
      verifierFor: (first, mode) =>
        machineOf(a2aVerifier({ version: isV03(itemOf(first)) ? '0.3' : '1.0', mode })),
    }
  },
  'ag-ui': async () => {
    const [{ agUiRules }, { agUiVerifier }] = await Promise.all([
      import('../../dialects/ag-ui/verify/rules.ts'),
      import('../../dialects/ag-ui/verify/verifier.ts'),
    ])
    return { rules: agUiRules, verifierFor: (_, mode) => machineOf(agUiVerifier({ mode })) }
  },
  frames: async () => {
    const [{ frameRules }, { frameVerifier }] = await Promise.all([
      import('../../dialects/frames/verify/rules/index.ts'),
      import('../../dialects/frames/verify/verifier.ts'),
    ])
    return {
      rules: frameRules,
      verifierFor: (first, mode) => {
        const version = isFields(first) && 'stream_kind' in first ? 'v2' : 'v1'
        return machineOf(frameVerifier({ version, mode }))
      },
    }
  },
  session: async () => {
    const [{ sessionRules }, { sessionVerifier }] = await Promise.all([
      import('../../dialects/session/verify/rules.ts'),
      import('../../dialects/session/verify/verifier.ts'),
    ])
    return { rules: sessionRules, verifierFor: (_, mode) => machineOf(sessionVerifier({ mode })) }
  },
  'agent-event': async () => {
    const { agentEventRules, agentEventVerifier } = await import(
      '../../dialects/agent-event/verify/verifier.ts'
    )
    return { rules: agentEventRules, verifierFor: (_, mode) => machineOf(agentEventVerifier({ mode })) }
  },
}

/** Loads the rules of a dialect. `undefined` if it has none: the events that it is read as are checked instead. */
export async function loadChecker(dialect: Dialect, mode: VerifyMode): Promise<Checker | undefined> {
  const set = await ruleSets[dialect]?.()
  if (set === undefined) return undefined
  return checkerOf((first) => set.verifierFor(first, mode), dialect === 'a2a' ? itemOf : (value) => value)
}

/** The rules that recordings of a dialect are checked against. */
export async function rulesFor(dialect: Dialect): Promise<readonly Rule[]> {
  return (await ruleSets[dialect]?.())?.rules ?? eventRules
}

/** Checks events of the core vocabulary. */
export function eventChecker(mode: VerifyMode): Checker {
  return checkerOf(
    () => machineOf(verifier({ mode })),
    (event) => event,
  )
}

function checkerOf(
  machineFor: (first: unknown) => Machine<unknown, unknown, Violation>,
  input: (value: unknown) => unknown,
): Checker {
  let machine: Machine<unknown, unknown, Violation> | undefined
  let state: unknown
  let line = 1
  const findings = (step: ReturnType<Machine<unknown, unknown, Violation>['end']>): Finding[] => {
    state = step.state
    const found: Finding[] = step.out.map((violation) => findingOf(violation, line))
    for (const { code, message } of step.diagnostics ?? [])
      found.push({ code, severity: severityOf(code), message, line })
    return found
  }
  return {
    push(value, at) {
      line = at
      if (machine === undefined) {
        machine = machineFor(value)
        state = machine.initial
      }
      return findings(machine.step(state, input(value)))
    },
    end: () => (machine === undefined ? [] : findings(machine.end(state))),
  }
}

function findingOf(violation: Violation, line: number): Finding {
  const { rule, severity, message, path } = violation
  return {
    rule,
    severity,
    message,
    line,
    ...(path !== undefined && { path }),
    ...('expected' in violation && { expected: violation.expected }),
    ...('actual' in violation && { actual: violation.actual }),
  }
}

/** The item of an A2A stream without the response around it. */
function itemOf(value: unknown): unknown {
  return isFields(value) && value.jsonrpc !== undefined && value.result !== undefined ? value.result : value
}

/** Items of A2A 0.3 state their kind. */
function isV03(item: unknown): boolean {
  return isFields(item) && typeof item.kind === 'string'
}
