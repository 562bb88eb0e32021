// Strict and lenient mode accept what they should; repairs list every deviation; nothing throws or is lost.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSessionEvent, sessionEventNames } from '../../../src/dialects/session/index.ts'
import { jsonValue } from '../../support/json.ts'
import { runs } from '../../support/runs.ts'
import { documented, refused, repaired } from './cases.ts'

describe('the lenient mode', () => {
  it.each(repaired)('decodes $name', ({ input: { value }, expected, strict = false }) => {
    const before = structuredClone(value)
    const decoded = decodeSessionEvent(value, { mode: 'lenient' })
    if (decoded.status !== 'known') throw new Error(JSON.stringify(decoded))
    expect(decoded.repairs.map(({ code, path }) => ({ code, path }))).toEqual(expected.repairs)
    expect(decoded.event).toEqual(expected.event)
    const isCopy = JSON.stringify(expected.event) !== JSON.stringify(value)
    if (!isCopy) expect(decoded.event).toBe(value)
    expect(value).toEqual(before)
    expect(decodeSessionEvent(value).status === 'known').toBe(strict)
  })

  it.each(repaired)('loses nothing of $name', ({ input: { value } }) => {
    const decoded = decodeSessionEvent(value, { mode: 'lenient' })
    expect(leaves(decoded.status === 'known' && decoded.event)).toEqual(expect.arrayContaining(leaves(value)))
  })

  it.each(refused)('rejects $name', ({ input: { value }, paths }) => {
    const decoded = decodeSessionEvent(value, { mode: 'lenient' })
    expect(decoded).toMatchObject({ status: 'invalid', value })
    expect(decoded.status === 'invalid' && decoded.issues.map((issue) => issue.path)).toEqual(paths)
  })

  it('repairs nothing in events that strict mode accepts', () => {
    for (const { event } of documented) {
      expect(decodeSessionEvent(event, { mode: 'lenient' })).toEqual({
        status: 'known',
        event,
        repairs: [],
      })
    }
  })
})

/** All leaf values besides null and the event name. */
function leaves(value: unknown): string[] {
  if (typeof value !== 'object') return [String(value)]
  if (value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === 'event' ? [] : leaves(inner)))
}

describe('an unknown event', () => {
  it('is returned unchanged in either mode', () => {
    const value = {
      seq: 3,
      event: 'agent.sang',
      timestamp: '2026-03-04T05:06:07Z',
      content: null,
      tune: ['la'],
    }
    const text = JSON.stringify(value)
    for (const mode of ['strict', 'lenient'] as const) {
      const decoded = decodeSessionEvent(value, { mode } as { mode: 'lenient' })
      expect(decoded).toMatchObject({ status: 'unknown', kind: 'agent.sang' })
      expect(decoded.status === 'unknown' && decoded.event).toBe(value)
    }
    expect(JSON.stringify(value)).toBe(text)
  })

  it('has a direction, by its prefix', () => {
    expect(decodeSessionEvent({ event: 'user.sang' }, { direction: 'client' }).status).toBe('unknown')
    expect(decodeSessionEvent({ event: 'user.sang' }, { direction: 'server' }).status).toBe('invalid')
  })

  it('may have the name of an object member', () => {
    for (const event of ['__proto__', 'constructor', 'toString', 'x.constructor']) {
      expect(decodeSessionEvent({ event }, { mode: 'lenient' }).status).toBe('unknown')
    }
  })
})

it.each(['x', '.', 'x.', '..x'])('a name of a million times %j is an unknown event', (text) => {
  const value = { event: text.repeat(1e6) }
  const { status } = decodeSessionEvent(value, { mode: 'lenient' })
  expect(status).toBe('unknown')
})

describe('a heartbeat', () => {
  const client = { event: 'system.heartbeat', metadata: { seq: 4 } }
  it.each([
    ['client', 'known'],
    ['server', 'invalid'],
  ] as const)('without uptime from a %s is %s', (direction, status) => {
    expect(decodeSessionEvent(client, { direction } as { direction: 'client' }).status).toBe(status)
  })
})

describe('any value', () => {
  const options = fc.record(
    { mode: fc.constantFrom('strict', 'lenient'), direction: fc.constantFrom('client', 'server') },
    { requiredKeys: [] },
  )
  const hostile = fc.record({
    event: fc.constantFrom(...sessionEventNames, 'x.plan.start', '__proto__'),
    content: jsonValue({ maxDepth: 3 }),
    metadata: jsonValue({ maxDepth: 3 }),
    signed_state: jsonValue({ maxDepth: 1 }),
  })

  it('decodes without throwing or mutation', () => {
    fc.assert(
      fc.property(fc.oneof(jsonValue(), hostile), options, (value, how) => {
        const before = structuredClone(value)
        const { status } = decodeSessionEvent(value, how as { mode: 'lenient' })
        expect(['known', 'unknown', 'invalid']).toContain(status)
        expect(value).toEqual(before)
      }),
      { numRuns: runs(500) },
    )
  })

  it('is unreadable if it throws when read', () => {
    const value = {
      get event(): string {
        throw new Error('no')
      },
    }
    expect(decodeSessionEvent(value)).toMatchObject({ status: 'invalid', issues: [{ code: 'unreadable' }] })
  })
})
