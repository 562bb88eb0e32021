// Proves that legal streams pass, and that for each rule a stream violates only that rule.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AgentEvent,
  agentEventRules,
  agentEventVerifier,
  type ToolEvent,
  toolEventRules,
  toolEventVerifier,
} from '../../../src/dialects/agent-event/index.ts'
import { expectRules, expectViolationLaw } from '../../support/violation-law.ts'
import { broken, brokenTools, legal } from './cases.ts'
import { anything, legalStream, through } from './support.ts'

const withoutText = (violations: readonly { message: string }[]): object[] =>
  violations.map(({ message, ...rest }) => {
    expect(message).not.toBe('')
    return rest
  })

describe('agentEventVerifier', () => {
  test.each(legal)('accepts $name', ({ events }) => {
    expect(through(agentEventVerifier(), events as AgentEvent[]).out).toEqual([])
  })
  test.each(broken)('reports $name', ({ events, violations }) => {
    expect(withoutText(through(agentEventVerifier(), events as AgentEvent[]).out)).toStrictEqual(violations)
  })
  test.each(broken)('names the value of the event as `actual`: $name', ({ events }) => {
    expectViolationLaw((list) => through(agentEventVerifier(), list).out, events as AgentEvent[])
  })
  test('every rule has a stream that violates only that rule', () => {
    const rules = broken.map(({ violations: [first], violations }) => {
      expect(new Set(violations.map(({ rule }) => rule)).size).toBe(1)
      return first?.rule
    })
    expect(new Set(rules)).toEqual(new Set(agentEventRules.map(({ rule }) => rule)))
  })
  test.each([true, false])('accepts every legal stream (ids: %s)', (withIds) => {
    fc.assert(
      fc.property(legalStream(withIds), (events) => {
        const { out } = through(agentEventVerifier(), events)
        expect(out.filter(({ rule }) => rule !== 'arguments-are-object')).toEqual([])
      }),
    )
  })
  test('reports only its rules with their severity for arbitrary input', () => {
    const severityOf = new Map<string, string>(
      agentEventRules.map(({ rule, severity }) => [rule, severity.standard]),
    )
    fc.assert(
      fc.property(fc.array(anything), (events) => {
        const { out } = through(agentEventVerifier(), events)
        for (const { rule, severity } of out) expect(severityOf.get(rule)).toBe(severity)
      }),
    )
  })
  test('never matches a result with a toolCallId to a call without one', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5 }), fc.nat({ max: 9 }), (before, id) => {
        const thoughts = Array.from({ length: before }, () => ({ type: 'thought', content: '' }) as const)
        const call: AgentEvent = { type: 'tool_call', toolName: 'a', toolArgs: '{}' }
        const result: AgentEvent = { type: 'tool_result', toolName: 'a', output: '', toolCallId: `${id}` }
        const { out } = through(agentEventVerifier(), [...thoughts, call, result])
        expect(out.map(({ rule }) => rule)).toContain('result-matches-call')
      }),
    )
  })
  test('evicts the oldest of too many open calls, and reports it', () => {
    const call: AgentEvent = { type: 'tool_call', toolName: 'a', toolArgs: '{}' }
    const calls = Array.from({ length: 2049 }, (_, i) => ({ ...call, toolCallId: `${i}` }))
    const first: AgentEvent = { type: 'tool_result', toolName: 'a', output: '', toolCallId: '0' }
    const { out, codes } = through(agentEventVerifier(), [...calls, first])
    expect(codes).toEqual(['state-evicted'])
    expect(out.map(({ rule }) => rule)).toEqual(['ends-with-terminal'])
  })
  test('counts from startIndex, after which earlier calls are unknown', () => {
    const result: AgentEvent = { type: 'tool_result', toolName: 'a', output: '' }
    const events = [result, { type: 'stream' } as never]
    expect(through(agentEventVerifier({ startIndex: 5 }), events).out).toMatchObject([
      { rule: 'well-formed', eventIndex: 6 },
      { rule: 'ends-with-terminal', eventIndex: 7 },
    ])
  })
  test('reports with the severity of the mode', () => {
    const events = [{ type: 'later' } as never]
    const bySeverity = (mode: 'strict' | 'standard' | 'lenient') =>
      through(agentEventVerifier({ mode }), events).out.map(({ rule, severity }) => [rule, severity])
    expect(bySeverity('strict')).toEqual([
      ['known-type', 'warn'],
      ['ends-with-terminal', 'error'],
    ])
    expect(bySeverity('lenient')).toEqual([['ends-with-terminal', 'warn']])
  })
})

describe('toolEventVerifier', () => {
  test('accepts progress and a result', () => {
    const events: ToolEvent[] = [
      { type: 'progress', toolName: 'a', data: 1 },
      { type: 'progress', toolName: 'a', data: 2 },
      { type: 'result', toolName: 'a', output: '' },
    ]
    expect(through(toolEventVerifier(), events).out).toEqual([])
  })
  test.each(brokenTools)('reports $name', ({ name, events, violations }) => {
    expect(withoutText(through(toolEventVerifier(), events as ToolEvent[]).out)).toStrictEqual(violations)
    expect(violations.map(({ rule }) => rule)).toEqual([name])
  })
  test('every rule has a stream that violates it', () => {
    expect(brokenTools.map(({ name }) => name)).toEqual(toolEventRules.map(({ rule }) => rule))
  })
})

test('agentEventRules and toolEventRules have unique names and summaries that stand alone', () => {
  expectRules(agentEventRules)
  expectRules(toolEventRules)
})
