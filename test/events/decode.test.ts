// Proves that decoding distinguishes known, unknown and invalid values, loses nothing and never throws.

import fc from 'fast-check'
import { type ContextAnyEvent, decodeEvent, eventKinds, isSafeAuthUrl } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { decodeAnyEvent, isKnownEvent } from '../../src/events/decode.ts'
import { contextEventSchemas, eventSchemas } from '../../src/events/records/schemas.ts'
import { runs } from '../support/runs.ts'
import { accepted, damaged, json } from '../support/zod-arbitrary.ts'

const ids = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00Z' }
const delta = { kind: 'content-delta', ...ids, delta: 'Hi', index: 0 }

const anyKnown = fc.oneof(...Object.values(contextEventSchemas).map((schema) => accepted(schema)))

it('reads names and addresses of millions of words, and refuses those with an empty one', () => {
  const words = 'a.'.repeat(2_500_000)
  const custom = { kind: 'custom', ...ids, data: 1 }
  expect(decodeEvent({ ...custom, name: `${words}b` }).status).toBe('known')
  expect(decodeEvent({ ...custom, name: words })).toMatchObject({
    status: 'invalid',
    issues: [{ path: '/name' }],
  })
  expect(isSafeAuthUrl(`${words}b:/x`)).toBe(true)
  expect(isSafeAuthUrl(`${words}.b:/x`)).toBe(false)
})

describe('a known event', () => {
  it('is returned as it is', () => {
    fc.assert(
      fc.property(anyKnown, (event) => {
        const decoded = decodeEvent(event)
        expect(decoded.status).toBe('known')
        expect((decoded as { event: unknown }).event).toBe(event)
      }),
      { numRuns: runs(500) },
    )
  })

  it('re-encodes to the same bytes, with unknown fields and in the same order', () => {
    fc.assert(
      fc.property(anyKnown, (event) => {
        const bytes = JSON.stringify(event)
        const decoded = decodeEvent(JSON.parse(bytes))
        expect(decoded.status).toBe('known')
        expect(JSON.stringify((decoded as { event: unknown }).event)).toBe(bytes)
      }),
      { numRuns: runs(500) },
    )
  })

  it.each(eventKinds.map((kind) => [kind] as const))('%s is also known without context', (kind) => {
    fc.assert(
      fc.property(accepted(eventSchemas[kind]), (event) => {
        expect(decodeAnyEvent(event)).toEqual({ status: 'known', event })
      }),
      { numRuns: runs(20) },
    )
  })

  it('is never decoded as an unknown kind, however it is damaged', () => {
    fc.assert(
      fc.property(damaged(anyKnown), (event) => {
        fc.pre((eventKinds as readonly unknown[]).includes((event as { kind?: unknown } | null)?.kind))
        expect(decodeEvent(event).status).not.toBe('unknown')
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('isKnownEvent', () => {
  it('accepts the plain objects that decode to themselves', () => {
    const unknown = { kind: 'later', ...ids }
    fc.assert(
      fc.property(fc.oneof(anyKnown, damaged(anyKnown), fc.constant(unknown), fc.anything()), (value) => {
        const decoded = decodeEvent(value)
        const isPlain =
          value !== null && [null, Object.prototype].includes(Object.getPrototypeOf(Object(value)))
        const isKnown = decoded.status === 'known' && decoded.event === value
        expect(isKnownEvent(value)).toBe(isPlain && isKnown)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('null on an optional field', () => {
  it('is stripped, on a copy', () => {
    const event = { ...delta, parentTaskId: null, indexEnd: null, extra: null }
    const decoded = decodeEvent(event)
    expect(decoded).toEqual({ status: 'known', event: { ...delta, extra: null } })
    expect(event.parentTaskId).toBeNull()
  })

  it('is stripped in nested objects, arrays and members of a union', () => {
    const patch = { op: 'add', path: '/a', value: null, from: null }
    const event = {
      kind: 'artifact-delta',
      ...ids,
      artifactId: 'a',
      baseVersion: 1,
      version: 2,
      change: { type: 'json-patch', patch: [patch] },
    }
    expect(decodeEvent(event)).toEqual({
      status: 'known',
      event: { ...event, change: { type: 'json-patch', patch: [{ op: 'add', path: '/a', value: null }] } },
    })
    const status = { kind: 'task-status', ...ids, status: 'working', metadata: { reason: null, own: null } }
    expect(decodeEvent(status)).toEqual({ status: 'known', event: { ...status, metadata: { own: null } } })
  })

  it('is kept where any value is allowed', () => {
    const event = {
      kind: 'tool-complete',
      ...ids,
      toolCallId: 'c',
      toolName: 't',
      success: true,
      result: null,
    }
    expect((decodeEvent(event) as { event: unknown }).event).toBe(event)
    const unknown = { kind: 'later', ...ids, field: null }
    expect((decodeEvent(unknown) as { event: unknown }).event).toBe(unknown)
  })

  it('is invalid for a required field', () => {
    expect(decodeEvent({ ...delta, delta: null, parentTaskId: null })).toMatchObject({
      status: 'invalid',
      issues: [{ code: 'invalid-type', path: '/delta' }],
    })
  })

  it('keeps own __proto__ fields on the copy', () => {
    const event = JSON.parse(
      `{"__proto__":{"polluted":true},${JSON.stringify({ ...delta, path: null }).slice(1)}`,
    )
    const decoded = decodeEvent(event) as { event: ContextAnyEvent & { polluted?: boolean } }
    expect(decoded.event.polluted).toBeUndefined()
    expect(Object.getPrototypeOf(decoded.event)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('an unknown kind', () => {
  it('is unknown in a valid envelope, and returned as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.string({ minLength: 1 }), (fields, kind) => {
        fc.pre(!(eventKinds as readonly string[]).includes(kind))
        const event = { ...fields, ...ids, kind }
        const decoded = decodeEvent(event)
        expect(decoded).toMatchObject({ status: 'unknown', kind })
        expect((decoded as { event: unknown }).event).toBe(event)
      }),
      { numRuns: runs(300) },
    )
  })

  it('is invalid in a broken envelope', () => {
    expect(decodeEvent({ kind: 'later', contextId: '', taskId: 7 })).toEqual({
      status: 'invalid',
      value: { kind: 'later', contextId: '', taskId: 7 },
      issues: [
        { code: 'missing', path: '/timestamp', message: 'Missing: expected a string.' },
        { code: 'out-of-range', path: '/contextId', message: 'Expected a non-empty string, got "".' },
        { code: 'invalid-type', path: '/taskId', message: 'Expected a string, got 7.' },
      ],
    })
    expect(decodeAnyEvent({ kind: 'later' }).status).toBe('invalid')
    expect(decodeAnyEvent({ kind: 'later', timestamp: ids.timestamp }).status).toBe('unknown')
  })
})

describe('issues of an invalid value', () => {
  const tool = { ...ids, toolCallId: 'c', toolName: 't' }
  const write = { ...ids, artifactId: 'a', data: '', index: 0, complete: true }
  const dataset = { kind: 'dataset-write', ...ids, artifactId: 'a', index: 0, complete: true }
  it.each([
    ['null', null, 'invalid-type', ''],
    ['text', 'content-delta', 'invalid-type', ''],
    ['an array', [delta], 'invalid-type', ''],
    ['no kind', ids, 'missing', '/kind'],
    ['a kind that is not a string', { ...delta, kind: 7 }, 'invalid-type', '/kind'],
    ['an empty kind', { ...delta, kind: '' }, 'out-of-range', '/kind'],
    ['a missing field', { kind: 'content-delta', ...ids, index: 0 }, 'missing', '/delta'],
    ['a wrong type', { ...delta, delta: 7 }, 'invalid-type', '/delta'],
    ['a negative index', { ...delta, index: -1 }, 'out-of-range', '/index'],
    ['a fractional index', { ...delta, index: 1.5 }, 'invalid-type', '/index'],
    ['an index over 2^53-1', { ...delta, index: 2 ** 53 }, 'out-of-range', '/index'],
    ['no zone', { ...delta, timestamp: '2026-01-31T10:30:00' }, 'invalid-format', '/timestamp'],
    ['an invalid date', { ...delta, timestamp: '2026-02-30T10:30:00Z' }, 'invalid-format', '/timestamp'],
    ['an empty id', { ...delta, taskId: '' }, 'out-of-range', '/taskId'],
    ['an empty id in a path', { ...delta, path: ['a', ''] }, 'out-of-range', '/path/1'],
    ['an unknown enum member', { kind: 'task-status', ...ids, status: 'done' }, 'invalid-value', '/status'],
    ['progress over 1', { kind: 'tool-progress', ...tool, progress: 1.1 }, 'out-of-range', '/progress'],
    ['arguments as text', { kind: 'tool-start', ...tool, arguments: '{}' }, 'invalid-type', '/arguments'],
    ['arguments as an array', { kind: 'tool-start', ...tool, arguments: [] }, 'invalid-type', '/arguments'],
    ['a bad digest', { kind: 'file-write', ...write, digest: 'md5:1' }, 'invalid-format', '/digest'],
    [
      'a wrong error inside',
      { kind: 'task-error', ...ids, error: { code: 'x', message: 'y', retry: 'maybe' } },
      'invalid-value',
      '/error/retry',
    ],
    [
      'well-known metadata of a wrong type',
      { kind: 'tool-start', ...tool, arguments: {}, metadata: { concurrent: 'yes' } },
      'invalid-type',
      '/metadata/concurrent',
    ],
    ['a missing member of an enum', { kind: 'task-status', ...ids }, 'missing', '/status'],
    [
      'a missing union member',
      { kind: 'artifact-delta', ...ids, artifactId: 'a', baseVersion: 0, version: 1 },
      'missing',
      '/change',
    ],
    [
      'a change of an unknown type',
      {
        kind: 'artifact-delta',
        ...ids,
        artifactId: 'a',
        baseVersion: 0,
        version: 1,
        change: { type: 'diff' },
      },
      'invalid-value',
      '/change/type',
    ],
    [
      'an invalid row',
      { kind: 'dataset-write', ...ids, artifactId: 'a', index: 0, complete: true, rows: [{}, 7] },
      'invalid-type',
      '/rows/1',
    ],
  ])('%s', (_name, value, code, path) => {
    const decoded = decodeEvent(value)
    expect(decoded).toMatchObject({ status: 'invalid', value })
    expect((decoded as { issues: unknown[] }).issues).toContainEqual(expect.objectContaining({ code, path }))
  })

  it('escapes JSON pointers', () => {
    const event = { kind: 'task-status', ...ids, status: 'failed', error: { 'a/b~c': 1 } }
    const decoded = decodeEvent(event)
    expect((decoded as { issues: { path: string }[] }).issues.map((issue) => issue.path)).toEqual([
      '/error/code',
      '/error/message',
      '/error/retry',
    ])
  })

  it('lists at most 32', () => {
    const decoded = decodeEvent({ ...dataset, rows: new Array(3_000_000).fill(1) })
    expect(decoded).toMatchObject({
      status: 'invalid',
      issues: { length: 32, 0: { code: 'invalid-type', path: '/rows/0' } },
    })
  })

  const patched = { kind: 'artifact-delta', ...ids, artifactId: 'a', baseVersion: 0, version: 1 }
  it.each<[path: string, good: unknown, around: (list: unknown) => unknown]>([
    ['/rows', {}, (rows) => ({ ...dataset, rows })],
    ['/path', 'agent', (path) => ({ ...delta, path })],
    ['/artifacts', 'a', (artifacts) => ({ kind: 'task-complete', ...ids, artifacts })],
    [
      '/change/patch',
      { op: 'remove', path: '' },
      (patch) => ({ ...patched, change: { type: 'json-patch', patch } }),
    ],
  ])('visit no more of %s than they take', (path, good, around) => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 200 }), (faults) => {
        const items = [...faults, ...new Array<boolean>(500).fill(true)]
        let last = -1
        const list: unknown[] = []
        items.forEach((isFault, i) => {
          Object.defineProperty(list, i, {
            enumerable: true,
            get: () => {
              last = Math.max(last, i)
              return isFault ? 7 : good
            },
          })
        })
        const expected = items.flatMap((isFault, i) => (isFault ? [i] : [])).slice(0, 32)
        const decoded = decodeEvent(around(list)) as { issues: { path: string }[] }
        expect(decoded.issues.map((issue) => issue.path)).toEqual(expected.map((i) => `${path}/${i}`))
        expect(last).toBe(expected.at(-1))
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('inherited fields', () => {
  it('do not count, at any depth', () => {
    fc.assert(
      fc.property(anyKnown, (event) => {
        expect(decodeEvent(Object.create(event as object))).toMatchObject({
          status: 'invalid',
          issues: { 0: { code: 'missing', path: '/kind' } },
        })
        const { kind, ...fields } = event as Record<string, unknown>
        const bare = Object.assign(Object.create(fields), { kind })
        expect(decodeEvent(bare)).toMatchObject({ status: 'invalid' })
      }),
      { numRuns: runs(200) },
    )
    const error = { code: 'x', message: 'y', retry: 'terminal' }
    expect(decodeEvent({ kind: 'task-error', ...ids, error: Object.create(error) })).toMatchObject({
      status: 'invalid',
      issues: [{ path: '/error/code' }, { path: '/error/message' }, { path: '/error/retry' }],
    })
  })

  it('of an unknown kind do not count either', () => {
    expect(decodeEvent(Object.create({ kind: 'later', ...ids })).status).toBe('invalid')
  })

  it('leave an object of a class known if its own fields are valid', () => {
    class Delta {
      kind = 'content-delta'
      contextId = 'ctx-1'
      taskId = 'task-1'
      timestamp = ids.timestamp
      delta = 'Hi'
      index = 0
      get length(): number {
        return this.delta.length
      }
    }
    const event = new Delta()
    expect((decodeEvent(event) as { event: unknown }).event).toBe(event)
  })
})

describe('hostile values', () => {
  const deep = (levels: number): unknown => {
    let value: unknown = 'bottom'
    for (let i = 0; i < levels; i++) value = { a: [value] }
    return value
  }

  it('never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), damaged(anyKnown)), (value) => {
        expect(['known', 'unknown', 'invalid']).toContain(decodeEvent(value).status)
        expect(['known', 'unknown', 'invalid']).toContain(decodeAnyEvent(value).status)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('may be nested to any depth', () => {
    const nested = deep(100_000)
    expect(decodeEvent({ ...delta, metadata: nested, other: nested }).status).toBe('known')
    expect(decodeEvent({ kind: 'later', ...ids, nested }).status).toBe('unknown')
    expect(decodeEvent({ ...delta, delta: nested }).status).toBe('invalid')
  })

  it('may throw when read', () => {
    const trap = new Proxy(delta, {
      get() {
        throw new Error('no')
      },
    })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const value of [trap, proxy]) {
      expect(decodeEvent(value)).toMatchObject({
        status: 'invalid',
        issues: [{ code: 'unreadable', path: '' }],
      })
    }
  })
})
