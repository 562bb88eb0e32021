// Proves that the verifier accepts what servers send, and reports the order that clients cannot read.

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { a2aRules, a2aVerifier, isA2aStreamEnd } from '../../../src/dialects/a2a/index.ts'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { casesOf } from '../../support/conformance.ts'
import { jsonValue } from '../../support/json.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { expectRules, expectViolationLaw } from '../../support/violation-law.ts'
import { runToA2a, versions, violationsOf } from './support.ts'

/** Streams as a2a-sdk 0.3.26 and 1.3.0 send them, each task with the lengths of the streams of its requests. */
const python = casesOf<{ version: A2aVersion; items: unknown[] }, unknown, { requests: number[] }>(
  'formats/a2a-verify',
)

type Fields = Readonly<Record<string, unknown>>

/** Items of one version, from a notation that is the same for both. */
function itemsOf(version: A2aVersion) {
  const isOld = version === '0.3'
  const stateName = (state: string): string =>
    isOld ? state : `TASK_STATE_${state.toUpperCase().replace('-', '_')}`
  const parts = [isOld ? { kind: 'text', text: 'x' } : { text: 'x' }]
  const message = (messageId: string, text = 'x'): Fields => ({
    ...(isOld && { kind: 'message' }),
    messageId,
    role: isOld ? 'agent' : 'ROLE_AGENT',
    parts: [isOld ? { kind: 'text', text } : { text }],
  })
  const wrap = (member: string, kind: string, value: Fields): unknown =>
    isOld ? { kind, ...value } : { [member]: value }
  const ids = { taskId: 't', contextId: 'c' }
  const statusOf = (state: string, said?: Fields): Fields => ({
    state: stateName(state),
    ...(said !== undefined && { message: said }),
  })
  return {
    message: (id = 'm'): unknown => (isOld ? { ...message(id) } : { message: message(id) }),
    task: (state = 'submitted', more: Fields = {}): unknown =>
      wrap('task', 'task', { id: 't', contextId: 'c', status: statusOf(state), ...more }),
    status: (state: string, more: Fields = {}, said?: [id: string, text: string]): unknown => {
      const isEnd = !['working', 'submitted', 'auth-required'].includes(state)
      const status = statusOf(state, said === undefined ? undefined : message(...said))
      return wrap('statusUpdate', 'status-update', {
        ...ids,
        status,
        ...(isOld && { final: isEnd }),
        ...more,
      })
    },
    artifact: (artifactId: string, flags: Fields = {}): unknown =>
      wrap('artifactUpdate', 'artifact-update', { ...ids, artifact: { artifactId, parts }, ...flags }),
    parts,
  }
}

const append = { append: true }
const last = { lastChunk: true }

describe.each(versions)('a stream of %s', (version) => {
  const { task, status, artifact, message, parts } = itemsOf(version)

  it.each<[string, readonly unknown[]]>([
    ['is valid from start to end', [task(), status('working'), artifact('a'), status('completed')]],
    ['may be truncated', [task(), status('working')]],
    ['may be empty', []],
    ['may be one message', [message()]],
    ['may start with a task that has ended', [task('completed')]],
    ['may replace an artifact after its last chunk', [task(), artifact('a', last), artifact('a', last)]],
    [
      'may append to an artifact of its task',
      [task('working', { artifacts: [{ artifactId: 'a', parts }] }), artifact('a', append)],
    ],
    ['may repeat a message', [task(), status('working', {}, ['m', 'x']), status('working', {}, ['m', 'x'])]],
    [
      'may be followed by another after an input',
      [task(), status('input-required'), task('working'), status('completed')],
    ],
  ])('%s', (_, items) => {
    expect(violationsOf(version, items)).toEqual([])
  })

  it.each<[string, readonly unknown[], readonly (readonly [number, string, object?])[]]>([
    [
      'an invalid item',
      [task(), { x: 1 }],
      [[1, 'invalid-item', { path: version === '0.3' ? '/kind' : '' }]],
    ],
    [
      'its task twice',
      [task(), status('working'), task('working')],
      [[2, 'second-task', { relatedEventIndex: 0 }]],
    ],
    ['a message beside its task', [task(), message()], [[1, 'message-beside-task']]],
    ['a message after an input', [task(), status('input-required'), message()], [[2, 'message-beside-task']]],
    [
      'an item after its message',
      [message(), status('working')],
      [[1, 'after-end', { relatedEventIndex: 0 }]],
    ],
    [
      'an item after its end',
      [task(), status('failed'), status('working')],
      [[2, 'after-end', { relatedEventIndex: 1 }]],
    ],
    [
      'two items after its end',
      [task('canceled'), task(), artifact('a')],
      [
        [1, 'after-end', { relatedEventIndex: 0 }],
        [2, 'after-end', { relatedEventIndex: 0 }],
      ],
    ],
    [
      'another task',
      [task(), status('working', { taskId: 't2' })],
      [[1, 'other-task', { path: '/taskId', expected: 't' }]],
    ],
    [
      'another task after an input',
      [task(), status('input-required'), task('working', { id: 't2' })],
      [[2, 'other-task', { path: '/id', expected: 't' }]],
    ],
    [
      'another context',
      [task(), artifact('a', { contextId: 'c2' })],
      [[1, 'other-context', { path: '/contextId', expected: 'c' }]],
    ],
    [
      'a chunk of an unknown artifact',
      [task(), artifact('a', append)],
      [[1, 'append-to-unknown', { path: '/append', expected: false }]],
    ],
    [
      'a chunk after the last one',
      [task(), artifact('a', last), artifact('a', append)],
      [[2, 'append-after-last', { path: '/append', relatedEventIndex: 1 }]],
    ],
    [
      'a state that comes back',
      [task(), status('working'), status('submitted')],
      [[2, 'submitted-again', { path: '/status/state' }]],
    ],
    [
      'a message id twice',
      [task(), status('working', {}, ['m', 'x']), status('working', {}, ['m', 'y'])],
      [[2, 'message-id-reused', { path: '/status/message/messageId', relatedEventIndex: 1 }]],
    ],
  ])('must not have %s', (_, items, expected) => {
    const violations = violationsOf(version, items)
    const found = violations.map(({ eventIndex, rule, path, expected, relatedEventIndex }) => {
      const within = path?.replace(/^\/(task|statusUpdate|artifactUpdate)(?=\/)/, '')
      return [eventIndex, rule, { path: within, expected, relatedEventIndex }]
    })
    expect(found).toEqual(expected.map(([index, rule, details = {}]) => [index, rule, details]))
    for (const violation of violations) {
      expect(violation.message).toMatch(/^(Expected .+, got .+|Unexpected .+)\.$/)
      const item = items[violation.eventIndex] as Fields
      const { id, taskId = id, contextId } = (version === '0.3' ? item : Object.values(item)[0]) as Fields
      if (contextId !== undefined) expect(violation).toMatchObject({ contextId, taskId })
    }
  })

  it('states which item a violation contradicts', () => {
    const items = [
      task(),
      status('working', {}, ['m', 'x']),
      artifact('a', last),
      artifact('a', append),
      status('working', {}, ['m', 'y']),
      task('working'),
    ]
    expect(
      violationsOf(version, items).map(({ rule, relatedEventIndex }) => [rule, relatedEventIndex]),
    ).toEqual([
      ['append-after-last', 2],
      ['message-id-reused', 1],
      ['second-task', 0],
    ])
  })

  it('may be joined late', () => {
    const items = [
      artifact('a', append),
      status('working'),
      task('working'),
      status('completed'),
      task('completed'),
    ]
    expect(
      violationsOf(version, items, { startIndex: 7 }).map(({ eventIndex, rule }) => [eventIndex, rule]),
    ).toEqual([[11, 'after-end']])
  })

  it('has violations that are right about the items', () => {
    const streams = legalStreams({ subtasks: false, maxChoices: 12 })
    fc.assert(
      fc.property(streams, fc.nat(), fc.nat(), (events, from, to) => {
        const items: unknown[] = runToA2a(events, { version }).out
        const [moved] = items.splice(from % Math.max(items.length, 1), 1)
        items.splice(to % (items.length + 1), 0, moved)
        expectViolationLaw((all) => violationsOf(version, all), items)
      }),
      { numRuns: runs(60) },
    )
  })

  it('is verified by a machine that obeys the law, for any value', () => {
    const items = fc.constantFrom(
      task(),
      status('working'),
      artifact('a'),
      artifact('a', append),
      status('input-required'),
      message(),
    )
    expectMachineLaw(a2aVerifier({ version }), fc.oneof(items, jsonValue()), { runs: 60 })
  })
})

describe.each(versions)('a stream of the Python SDK, A2A %s', (version) => {
  const ofVersion = python.filter(({ input }) => input.version === version)

  it.each(ofVersion)('is accepted: $name', ({ input: { items }, requests }) => {
    const errors = violationsOf(version, items, { mode: 'standard' }).filter(
      ({ severity }) => severity === 'error',
    )
    expect(errors).toEqual([])
    let end = 0
    for (const length of requests) {
      end += length
      expect(isA2aStreamEnd(items[end - 1])).toBe(true)
    }
    expect(end).toBe(items.length)
  })
})

describe('a stream without its task', () => {
  const { task, status } = itemsOf('1.0')
  it('is a violation in 1.0', () => {
    expect(violationsOf('1.0', [status('working')])).toMatchObject([
      { rule: 'task-not-first', severity: 'error' },
    ])
    expect(violationsOf('1.0', [status('working')], { mode: 'lenient' })).toMatchObject([
      { severity: 'warn' },
    ])
  })
  it('is an error after an input only in strict mode: the Python SDK 1.3.0 never sends it', () => {
    const items = [task(), status('input-required'), status('working')]
    expect(violationsOf('1.0', items)).toMatchObject([{ rule: 'resumed-without-task', severity: 'error' }])
    expect(violationsOf('1.0', items, { mode: 'standard' })).toMatchObject([{ severity: 'warn' }])
    expect(violationsOf('1.0', items, { mode: 'lenient' })).toEqual([])
  })
})

it('holds a bounded number of artifacts', () => {
  const { task, artifact } = itemsOf('1.0')
  const machine = a2aVerifier({ version: '1.0' })
  let { state } = machine.step(machine.initial, task())
  const codes = new Set<string>()
  for (let i = 0; i < 10_000; i++) {
    const step = machine.step(state, artifact(`a${i}`))
    state = step.state
    for (const { code } of step.diagnostics ?? []) codes.add(code)
  }
  expect([...codes]).toEqual(['state-evicted'])
  expect(JSON.stringify(state).match(/"a\d+"/g)?.length).toBeLessThanOrEqual(8192)
  expect(machine.step(state, artifact('a0', append)).out).toEqual([])
})

it('has rules with ids, severities and summaries', () => {
  expect(a2aRules.map(({ id }) => id)).toEqual(a2aRules.map((_, i) => `A${String(i + 1).padStart(2, '0')}`))
  for (const { summary, severity } of a2aRules) {
    expect(summary).toMatch(/^[A-Z].+\.$/)
    expect(severity.strict).not.toBe('off')
  }
})

test('a2aRules have unique names and summaries that stand alone', () => expectRules(a2aRules))
