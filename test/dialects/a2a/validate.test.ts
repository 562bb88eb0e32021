// Proves that the validator reports invalid items, and agrees with the codecs of the SDK on damaged ones.

import { StreamResponse } from '@a2a-js/sdk'
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateA2aEvent } from '../../../src/dialects/a2a/index.ts'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { casesOf } from '../../support/conformance.ts'
import { jsonValue } from '../../support/json.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { runToA2a, versions } from './support.ts'

const invalid = casesOf<{ version: A2aVersion; value: unknown }, unknown, { path: string }>(
  'formats/a2a-validate',
)

describe.each(versions)('an item of %s', (version) => {
  it.each(invalid.filter(({ input }) => input.version === version))(
    'is invalid: $name',
    ({ input, path }) => {
      const issues = validateA2aEvent(version, input.value)
      expect(issues.map((issue) => issue.path)).toContain(path)
      for (const { code, message } of issues) expect([code, message]).not.toContain('')
    },
  )

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

  it('names a field that it must not have, in a message as well', () => {
    const value =
      version === '0.3'
        ? {
            kind: 'message',
            messageId: 'm',
            role: 'agent',
            parts: [{ kind: 'text', text: 'x', lang: 'en' }],
            priority: 1,
          }
        : { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x', lang: 'en' }], priority: 1 } }
    const messages = validateA2aEvent(version, value).map(({ message }) => message)
    expect(messages.join()).toMatch(/"priority"/)
    expect(messages.join()).toMatch(/"lang"/)
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

it.each([
  ['0000-01-01T00:00:00Z', false],
  ['0001-01-01T00:00:00Z', true],
  ['2026-03-04T05:06:07.123456789Z', true],
  ['2026-03-04T05:06:07.1234567890Z', false],
])('the time %s is valid in 1.0: %s', (timestamp, isValid) => {
  const task = { id: 't', status: { state: 'TASK_STATE_WORKING', timestamp } }
  const paths = validateA2aEvent('1.0', { task }).map(({ path }) => path)
  expect(paths).toEqual(isValid ? [] : ['/task/status/timestamp'])
})

describe('the codecs of the SDK', () => {
  it('leave a valid 1.0 item unchanged', () => {
    const seen = { valid: 0, invalid: 0 }
    const numRuns = runs(2500)
    fc.assert(
      fc.property(damaged('1.0'), (value) => {
        const isValid = validateA2aEvent('1.0', value).length === 0
        seen[isValid ? 'valid' : 'invalid']++
        if (isValid)
          expect(canonical(StreamResponse.toJSON(StreamResponse.fromJSON(value)))).toEqual(canonical(value))
      }),
      { numRuns },
    )
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(numRuns / 15)
  })

  it('translate a valid 0.3 item to a valid 1.0 item', () => {
    const seen = { valid: 0, invalid: 0 }
    const numRuns = runs(2500)
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
      { numRuns },
    )
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(numRuns / 15)
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
