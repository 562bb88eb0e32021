// Every frame type decodes in every accepted form, and encodes back to the same bytes.

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type AnyFrame,
  decodeFrame,
  encodeFrame,
  type FrameVersion,
  frameV1Types,
  frameV2Types,
} from '../../../src/dialects/frames/index.ts'
import { frameV1Schema, frameV1Schemas, frameV2Schema, frameV2Schemas } from '../../../src/zod/index.ts'
import invalid from '../../fixtures/frames/invalid.json' with { type: 'json' }
import known from '../../fixtures/frames/known.json' with { type: 'json' }
import spellings from '../../fixtures/frames/spellings.json' with { type: 'json' }
import unsafe from '../../fixtures/frames/unsafe.json' with { type: 'json' }
import { runs } from '../../support/runs.ts'
import { accepted } from '../../support/zod-arbitrary.ts'

const cases = [
  ...[...known.v1, ...known.documentExample].map((frame) => ({ version: 'v1' as FrameVersion, frame })),
  ...known.v2.map((frame) => ({ version: 'v2' as FrameVersion, frame })),
]
const schemaOfVersion = { v1: frameV1Schema, v2: frameV2Schema }
const schemasOfVersion = { v1: frameV1Schemas, v2: frameV2Schemas }

describe('known frames', () => {
  it('the fixtures cover every type of both versions', () => {
    expect(new Set(known.v1.map(({ type }) => type))).toEqual(new Set(frameV1Types))
    expect(new Set(known.v2.map(({ type }) => type))).toEqual(new Set(frameV2Types))
    expect(Object.keys(frameV1Schemas)).toEqual([...frameV1Types])
    expect(Object.keys(frameV2Schemas)).toEqual([...frameV2Types])
  })

  test.each(cases)('$version $frame.type decodes to the same value', ({ version, frame }) => {
    const decoded = decodeFrame(frame, { version })
    expect(decoded).toEqual({ status: 'known', event: frame })
    expect(decoded.status === 'known' && decoded.event).toBe(frame)
    expect(schemaOfVersion[version].safeParse(frame).success).toBe(true)
  })

  test.each(cases)('$version $frame.type encodes to the same bytes', ({ frame }) => {
    expect(encodeFrame(frame as AnyFrame)).toBe(JSON.stringify(frame))
  })

  test.each(cases)('$version $frame.type encodes in the specified order from any order', ({ frame }) => {
    const shuffled = Object.fromEntries(Object.entries(frame).reverse()) as unknown as AnyFrame
    expect(encodeFrame(shuffled)).toBe(JSON.stringify(frame))
  })
})

describe('older and alternative forms', () => {
  test.each(spellings.cases)('$why', ({ version, read, written }) => {
    const before = structuredClone(read)
    const decoded = decodeFrame(read, { version: version as FrameVersion })
    expect(decoded.status).toBe('known')
    if (decoded.status !== 'known') return
    expect(encodeFrame(decoded.event)).toBe(JSON.stringify(written))
    expect(decodeFrame(written, { version: version as FrameVersion }).status).toBe('known')
    expect(read).toEqual(before)
  })

  test.each(spellings.unknown)('an unknown type stays unchanged: $version $value.type', (one) => {
    const value = JSON.parse(JSON.stringify(one.value)) as AnyFrame
    const decoded = decodeFrame(value, { version: one.version as FrameVersion })
    expect(decoded).toEqual({ status: 'unknown', kind: value.type, event: value })
    expect(encodeFrame(value)).toBe(JSON.stringify(one.value))
  })

  it('keeps a field called __proto__', () => {
    const line =
      '{"id":"e","session_id":"s","timestamp_ms":1,"seq":0,"type":"session_ended","reason":"x","__proto__":{"a":1}}'
    const decoded = decodeFrame(JSON.parse(line), { version: 'v1' })
    expect(decoded.status === 'known' && encodeFrame(decoded.event)).toBe(line)
  })
})

describe('invalid frames', () => {
  test.each(invalid.cases)('$why', ({ version, value, issues }) => {
    const decoded = decodeFrame(value, { version: version as FrameVersion })
    expect(decoded.status).toBe('invalid')
    if (decoded.status !== 'invalid') return
    expect(decoded.issues.map(({ code, path }) => ({ code, path }))).toEqual(expect.arrayContaining(issues))
    for (const { message } of decoded.issues) expect(message).not.toBe('')
    expect(decoded.value).toBe(value)
  })

  test.each(unsafe.cases)('64-bit integers: $why', ({ version, text, path }) => {
    const decoded = decodeFrame(JSON.parse(text), { version: version as FrameVersion })
    if (path === null) {
      expect(decoded.status === 'known' && encodeFrame(decoded.event)).toBe(text)
    } else {
      expect(decoded.status).toBe('invalid')
      const issues = decoded.status === 'invalid' ? decoded.issues : []
      expect(issues.map((issue) => issue.path)).toEqual([path])
    }
  })

  it('never throws, even if the value does', () => {
    const throwing = {
      get type(): string {
        throw new Error('no')
      },
    }
    for (const version of ['v1', 'v2'] as const) {
      expect(decodeFrame(throwing, { version })).toMatchObject({ issues: [{ code: 'unreadable' }] })
      fc.assert(
        fc.property(fc.anything(), (value) => {
          expect(decodeFrame(value, { version }).status).toBe('invalid')
        }),
        { numRuns: runs(500) },
      )
    }
  })

  it('throws for an unknown version, and for encoding an invalid frame', () => {
    expect(() => decodeFrame({}, { version: 'v3' as 'v2' })).toThrow(TypeError)
    expect(() => encodeFrame({ type: 'session_ended' })).toThrow(TypeError)
    const frame = {
      id: 'e',
      session_id: 's',
      timestamp_ms: 1,
      seq: 2 ** 53,
      type: 'session_ended',
      reason: '',
    }
    expect(() => encodeFrame(frame as AnyFrame)).toThrow(/seq/)
  })
})

describe.each(['v1', 'v2'] as const)('version %s', (version) => {
  const frame = fc
    .constantFrom(...Object.values(schemasOfVersion[version]))
    .chain((schema) => accepted(schema) as fc.Arbitrary<AnyFrame>)

  it('decodes what it encodes', () => {
    fc.assert(
      fc.property(frame, (value) => {
        const text = encodeFrame(value)
        const again = decodeFrame(JSON.parse(text), { version })
        expect(again.status).toBe('known')
        expect(again.status === 'known' && encodeFrame(again.event)).toBe(text)
      }),
      { numRuns: runs(500) },
    )
  })

  it('encodes every field', () => {
    fc.assert(
      fc.property(frame, (value) => {
        const written = JSON.parse(encodeFrame(value)) as Record<string, unknown>
        const without = (_key: string, field: unknown): unknown => field ?? undefined
        expect(written).toMatchObject(JSON.parse(JSON.stringify(value, without)) as object)
      }),
      { numRuns: runs(500) },
    )
  })
})
