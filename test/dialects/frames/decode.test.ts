// Every frame type decodes in every accepted form, and encodes back to the same bytes.

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type AnyFrame, decodeFrame, encodeFrame } from '../../../src/dialects/frames/index.ts'
import {
  frameV1Schema,
  frameV1Schemas,
  frameV2Schema,
  frameV2Schemas,
} from '../../../src/dialects/frames/wire/schemas/index.ts'
import type { FrameVersion } from '../../../src/dialects/frames/wire/types.ts'
import { frameV1Types, frameV2Types } from '../../../src/dialects/frames/wire/types.ts'
import { casesOf } from '../../support/conformance.ts'
import { runs } from '../../support/runs.ts'
import { accepted } from '../../support/zod-arbitrary.ts'

interface Input {
  readonly version: FrameVersion
  readonly value?: unknown
  readonly text?: string
}
type Expected =
  | { readonly status: 'known' | 'unknown'; readonly json: string }
  | { readonly status: 'invalid'; readonly issue: object }

/** All issues of a value with several. */
interface More {
  readonly issues?: readonly object[]
}

const all = casesOf<Input, Expected, More>('formats/frames-decode/cases').map(
  ({ name, input, expected, issues = [] }) => ({
    name,
    version: input.version,
    value: input.text === undefined ? input.value : (JSON.parse(input.text) as unknown),
    expected,
    issues,
  }),
)
/** The frames whose JSON is that of the input. */
const cases = all.flatMap(({ version, value, expected }) =>
  expected.status === 'known' && expected.json === JSON.stringify(value)
    ? { version, frame: value as AnyFrame }
    : [],
)
const schemaOfVersion = { v1: frameV1Schema, v2: frameV2Schema }
const schemasOfVersion = { v1: frameV1Schemas, v2: frameV2Schemas }

describe('known frames', () => {
  it('the cases cover every type of both versions', () => {
    const typesOf = (version: FrameVersion) =>
      new Set(cases.filter((each) => each.version === version).map(({ frame }) => frame.type))
    expect(typesOf('v1')).toEqual(new Set(frameV1Types))
    expect(typesOf('v2')).toEqual(new Set(frameV2Types))
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

describe('a frame', () => {
  test.each(all)('$name', ({ version, value, expected, issues: several }) => {
    const before = structuredClone(value)
    const decoded = decodeFrame(value, { version })
    expect(value).toEqual(before)
    expect(decoded.status).toBe(expected.status)
    if (decoded.status === 'invalid' || expected.status === 'invalid') {
      if (decoded.status !== 'invalid') return
      const issues = decoded.issues.map(({ code, path }) => ({ code, path }))
      expect(issues[0]).toEqual('issue' in expected && expected.issue)
      expect(issues).toEqual(expect.arrayContaining([...several]))
      for (const { message } of decoded.issues) expect(message).not.toBe('')
      expect(decoded.value).toBe(value)
    } else {
      expect(encodeFrame(decoded.event)).toBe(expected.json)
      expect(decodeFrame(JSON.parse(expected.json), { version }).status).toBe(decoded.status)
    }
  })

  it('keeps a field called __proto__', () => {
    const line =
      '{"id":"e","session_id":"s","timestamp_ms":1,"seq":0,"type":"session_ended","reason":"x","__proto__":{"a":1}}'
    const decoded = decodeFrame(JSON.parse(line), { version: 'v1' })
    expect(decoded.status === 'known' && encodeFrame(decoded.event)).toBe(line)
  })
})

describe('invalid frames', () => {
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
    expect(() => encodeFrame(frame as AnyFrame)).toThrow(
      /^Expected a valid frame of version v1\. \/seq \S.*\.$/,
    )
    expect(() => encodeFrame({ ...frame, id: 7 } as never)).toThrow(/\. \/id \S.*\. \/seq \S.*\.$/)
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
