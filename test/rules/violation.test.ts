import { expect, it } from 'vitest'
import { type BoundedMap, boundedGet, emptyBoundedMap } from '../../src/core/bounded-map/bounded-map.ts'
import { expectBound, expectEqual } from '../../src/rules/expect.ts'
import { defineRule, ERROR_WARN_OFF, rulesOf } from '../../src/rules/rule.ts'
import { ViolationReporter, valuesOf } from '../../src/rules/violation.ts'

const rules = {
  second: defineRule('T02', 'stated', ERROR_WARN_OFF, 'The second rule.'),
  first: defineRule('T01', 'added', ERROR_WARN_OFF, 'The first rule.', 'none'),
}

it('lists the rules in the order of their ids', () => {
  expect(rulesOf(rules)).toEqual([
    {
      rule: 'first',
      id: 'T01',
      severity: { strict: 'error', standard: 'warn', lenient: 'off' },
      source: 'added',
      checkedBy: 'none',
      summary: 'The first rule.',
    },
    expect.objectContaining({ rule: 'second', id: 'T02', checkedBy: 'stream' }),
  ])
})

it.each([
  ['strict', ['error']],
  ['standard', ['warn']],
  ['lenient', []],
] as const)('reports with the severity of the mode %s', (mode, severities) => {
  const reporter = new ViolationReporter<'first' | 'second'>(rules, mode, { eventIndex: 3, taskId: 't' })
  expect(reporter.isEnabled('first')).toBe(severities.length > 0)
  reporter.report('first', 'Expected a, got b.', { expected: 'a', actual: 'b' })
  expect(reporter.violations).toEqual(
    severities.map((severity) => ({
      rule: 'first',
      severity,
      message: 'Expected a, got b.',
      eventIndex: 3,
      taskId: 't',
      expected: 'a',
      actual: 'b',
    })),
  )
})

it('states the value at the path of the violation, unless the check does', () => {
  const input = { list: [{ 'a/b': 1 }] }
  const reporter = new ViolationReporter<'first' | 'second'>(
    rules,
    'strict',
    { eventIndex: 0 },
    valuesOf(input),
  )
  reporter.report('first', 'One.', { path: '/list/0/a~1b' })
  reporter.report('first', 'Two.', { path: '/list/0/a~1b', actual: 2 })
  reporter.report('first', 'Three.', { path: '/list/1' })
  reporter.report('first', 'Four.', { path: '/list/0/a~1b', severity: 'warn' })
  const [one, two, three, four] = reporter.violations
  expect(one).toMatchObject({ actual: 1, severity: 'error' })
  expect(two).toMatchObject({ actual: 2 })
  expect(three).not.toHaveProperty('actual')
  expect(four).toMatchObject({ actual: 1, severity: 'warn' })
})

it('reports a value that is not the expected one, by the name of its field', () => {
  const reporter = new ViolationReporter<'first' | 'second'>(rules, 'strict', { eventIndex: 0 })
  expectEqual(reporter, 'first', '/a/name', 'x', 'x')
  expectEqual(reporter, 'first', '/a/name', 'x', undefined)
  expectEqual(reporter, 'first', '/seq', 1, 2, { name: 'thought index', of: 'a task', relatedEventIndex: 7 })
  expectBound(reporter, 'second', '/progress', '>=', 0.5, 0.5)
  expectBound(reporter, 'second', '/progress', '>=', 0.5, 0.4)
  expectBound(reporter, 'second', '/progress', '<=', 1, 1)
  expectBound(reporter, 'second', '/progress', '<=', 1, 2)
  expect(reporter.violations.map(({ message }) => message)).toEqual([
    'Expected name "x", got undefined.',
    'Expected thought index 1 of a task, got 2.',
    'Expected progress >= 0.5, got 0.4.',
    'Expected progress <= 1, got 2.',
  ])
  expect(reporter.violations[1]).toMatchObject({ path: '/seq', expected: 1, actual: 2, relatedEventIndex: 7 })
})

it('reports what is evicted from a map of the state', () => {
  const reporter = new ViolationReporter<'first' | 'second'>(rules, 'strict', { eventIndex: 0 })
  const state = { calls: emptyBoundedMap as BoundedMap<number> }
  const evicted = ['a', 'b', 'c'].map((key, i) => reporter.store(state, 'calls', key, i, 1))
  expect(evicted).toEqual([false, false, true])
  expect(boundedGet(state.calls, 'c')).toBe(2)
  expect(reporter.stepTo(state)).toEqual({
    state,
    out: [],
    diagnostics: [expect.objectContaining({ code: 'state-evicted' })],
  })
})
