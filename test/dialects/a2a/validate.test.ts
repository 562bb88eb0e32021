// Proves that the validators report invalid items, agree with the SDK's codecs on damaged ones, and check the order
// of a stream.

import { readFileSync } from 'node:fs'
import { StreamResponse } from '@a2a-js/sdk'
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type A2aVersion, validateA2aEvent, validateA2aStream } from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { jsonValue } from '../../support/json.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { runToA2a, versions } from './support.ts'

interface Invalid {
  readonly why: string
  readonly value: unknown
  readonly path: string
}

const file = new URL('../../fixtures/a2a/invalid.json', import.meta.url)
const invalid = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<A2aVersion, readonly Invalid[]>>

describe.each(versions)('an item of %s', (version) => {
  it.each(invalid[version])('is invalid: $why', ({ value, path }) => {
    const issues = validateA2aEvent(version, value)
    expect(issues.map((issue) => issue.path)).toContain(path)
    for (const { code, message } of issues) expect([code, message]).not.toContain('')
  })

  it.each([
    ['NaN', { x: Number.NaN }, '/x'],
    ['a bigint', { x: [1n] }, '/x/0'],
    ['undefined', { x: undefined }, '/x'],
    ['a function', { x: () => {} }, '/x'],
  ])('is invalid with %s in it', (_, metadata, at) => {
    const task = { id: 't', contextId: 'c', metadata }
    const value =
      version === '0.3'
        ? { kind: 'task', ...task, status: { state: 'working' } }
        : { task: { ...task, status: { state: 'TASK_STATE_WORKING' } } }
    const path = `${version === '0.3' ? '' : '/task'}/metadata${at}`
    expect(validateA2aEvent(version, value)).toEqual([expect.objectContaining({ path })])
  })

  it('is invalid if it is cyclic or throws, with about 32 issues at most', () => {
    const cyclic: Record<string, unknown> = { kind: 'task' }
    cyclic.metadata = cyclic
    expect(validateA2aEvent(version, cyclic).map(({ code }) => code)).toContain('too-deep')
    const throwing = {
      get kind(): string {
        throw new Error('no')
      },
    }
    expect(validateA2aEvent(version, throwing)).toMatchObject([{ code: 'unreadable' }])
    const many = { x: Array.from({ length: 1000 }, () => Number.NaN) }
    expect(validateA2aEvent(version, many).length).toBeLessThanOrEqual(32)
  })
})

/** Items of legal streams, to be damaged. */
const samples = fc.sample(legalStreams({ subtasks: false, maxChoices: 15 }), { numRuns: 80, seed: 5 })

/** Items with one member removed, added or replaced. */
function damaged(version: A2aVersion): fc.Arbitrary<unknown> {
  const items = samples.flatMap((events, i) => runToA2a(events, { version, extension: i % 2 === 0 }).out)
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      '',
      'working',
      'TASK_STATE_WORKING',
      true,
      false,
      0,
      [],
      {},
      [{}],
      'A',
      'AQ==',
    ),
    jsonValue({ maxDepth: 1 }),
  )
  return fc
    .tuple(
      fc.constantFrom(...items),
      fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }),
      fc.constantFrom<('replace' | 'remove' | 'add')[]>('replace', 'remove', 'add'),
      fc.constantFrom(
        'kind',
        'final',
        'index',
        'append',
        'lastChunk',
        'text',
        'data',
        'metadata',
        'mediaType',
      ),
      value,
    )
    .map(([item, path, change, key, by]) => damage(item, path, change, key, by))
}

function damage(
  value: unknown,
  path: readonly number[],
  change: 'replace' | 'remove' | 'add',
  key: string,
  by: unknown,
): unknown {
  const [at = 0, ...rest] = path
  if (typeof value !== 'object' || value === null) return by
  const entries = Object.entries(value)
  const changed = entries.flatMap(([name, inner], i): [string, unknown][] => {
    if (i !== at % entries.length) return [[name, inner]]
    if (rest.length > 0) return [[name, damage(inner, rest, change, key, by)]]
    if (change === 'remove') return []
    return change === 'replace'
      ? [[name, by]]
      : [
          [name, inner],
          [key, by],
        ]
  })
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)
}

/** Without false flags and empty strings and lists, which canonical JSON omits, and null data, which the SDK loses. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const optional = ['append', 'lastChunk', 'name', 'description', 'filename', 'mediaType', 'extensions']
  const lists = ['artifacts', 'history', 'referenceTaskIds', 'extensions']
  const isDefault = (key: string, inner: unknown): boolean =>
    (optional.includes(key) && (inner === false || inner === '')) ||
    (lists.includes(key) && Array.isArray(inner) && inner.length === 0)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === 'data' && inner === null) return []
      if (key === 'metadata' || key === 'data') return [[key, inner]]
      return isDefault(key, inner) ? [] : [[key, canonical(inner)]]
    }),
  )
}

describe('the codecs of the SDK', () => {
  it('leave a valid 1.0 item unchanged', () => {
    const seen = { valid: 0, invalid: 0 }
    fc.assert(
      fc.property(damaged('1.0'), (value) => {
        const isValid = validateA2aEvent('1.0', value).length === 0
        seen[isValid ? 'valid' : 'invalid']++
        if (isValid)
          expect(canonical(StreamResponse.toJSON(StreamResponse.fromJSON(value)))).toEqual(canonical(value))
      }),
      { numRuns: runs(2500) },
    )
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(200)
  })

  it('translate a valid 0.3 item to a valid 1.0 item', () => {
    const seen = { valid: 0, invalid: 0 }
    fc.assert(
      fc.property(damaged('0.3'), (value) => {
        const isValid = validateA2aEvent('0.3', value).length === 0
        seen[isValid ? 'valid' : 'invalid']++
        if (!isValid) return
        const translated = StreamResponse.toJSON(
          legacyPushNotificationToV1StreamResponse(structuredClone(value)),
        )
        const issues = validateA2aEvent('1.0', translated).filter(({ path }) => !isOnlyOldIssue(path))
        expect(issues).toEqual([])
      }),
      { numRuns: runs(2500) },
    )
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(200)
  })

  it('only refuse invalid 0.3 items', () => {
    fc.assert(
      fc.property(damaged('0.3'), (value) => {
        try {
          legacyPushNotificationToV1StreamResponse(structuredClone(value))
        } catch {
          expect(validateA2aEvent('0.3', value)).not.toEqual([])
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})

/** What 0.3 allows and 1.0 does not: any form of time, the state `unknown`, authentication without a message. */
function isOnlyOldIssue(path: string): boolean {
  return /\/status\/(timestamp|state|message)$/.test(path)
}

describe.each(versions)('a stream of %s', (version) => {
  const ids = { contextId: 'c', taskId: 't', timestamp: '2026-03-04T05:06:07.080Z' }
  const event = (kind: string, fields: object): ContextAnyEvent =>
    ({ kind, ...ids, ...fields }) as unknown as ContextAnyEvent
  const [task, working, text, more, last, done] = runToA2a(
    [
      event('task-created', { initiator: 'user' }),
      event('task-status', { status: 'working', message: 'Busy' }),
      event('content-delta', { delta: 'a', index: 0 }),
      event('content-delta', { delta: 'b', index: 1 }),
      event('content-complete', { content: 'ab' }),
      event('task-complete', {}),
    ],
    { version },
  ).out
  const [, input, again] = runToA2a(
    [
      event('input-required', {
        inputId: 'i',
        inputType: 'custom',
        prompt: '?',
        timestamp: '2026-03-04T05:07:00Z',
      }),
      event('input-received', { inputId: 'i', providedBy: 'user' }),
    ],
    { version },
    'open',
  ).out
  const [otherTask, otherWorking] = runToA2a(
    [
      event('task-created', { initiator: 'user', taskId: 't2' }),
      event('task-status', { status: 'working', taskId: 't2' }),
    ],
    { version },
    'open',
  ).out
  const [, otherContext] = runToA2a(
    [event('task-status', { status: 'working', contextId: 'c2' })],
    { version },
    'open',
  ).out
  const [, otherMessage] = runToA2a(
    [event('task-status', { status: 'working', message: 'Other' })],
    { version },
    'open',
  ).out
  const parts = [version === '0.3' ? { kind: 'text', text: 'x' } : { text: 'x' }]
  const message =
    version === '0.3'
      ? { kind: 'message', messageId: 'm', role: 'agent', parts, taskId: 't', contextId: 'c' }
      : { message: { messageId: 'm', role: 'ROLE_AGENT', parts, taskId: 't', contextId: 'c' } }

  it.each<[string, readonly unknown[]]>([
    ['is valid from start to end', [task, working, text, more, last, done]],
    ['may be truncated', [task, working, text]],
    ['may be empty', []],
    ['may be one message', [message]],
    ['may be followed by another after an input', [task, working, input, again, text, more, last, done]],
  ])('%s', (_, items) => {
    expect(validateA2aStream(version, items)).toEqual([])
  })

  it.each<[string, readonly unknown[], string]>([
    ['starts with its task', [working], '/0'],
    ['has its task only once', [task, working, task], '/2'],
    ['has no message beside its task', [task, message], '/1'],
    ['has nothing beside its message', [message, working], '/1'],
    ['ends when input is required', [task, input, working], '/2'],
    ['ends with its task', [task, done, working], '/2'],
    ['belongs to one task', [task, otherWorking], '/1'],
    ['belongs to one task, also after an input', [task, input, otherTask], '/2'],
    ['belongs to one context', [task, otherContext], '/1'],
    ['appends only to existing artifacts', [task, more], '/1'],
    ['does not change a complete artifact', [task, text, last, more], '/3'],
    [
      'does not change a complete artifact, also after an input',
      [task, text, last, input, again, more],
      '/5',
    ],
    ['does not return to submitted', [task, working, input, task], '/3'],
    ['has a different id for each message', [task, working, otherMessage], '/2'],
    ['contains only items', [task, { x: 1 }], version === '0.3' ? '/1/kind' : '/1'],
  ])('%s', (_, items, path) => {
    expect(validateA2aStream(version, items).map((issue) => issue.path)).toContain(path)
  })
})
