// Proves that every reader accepts other spellings of the same event: instants with another zone, nulls for absent
// fields.

import fc from 'fast-check'
import { decodeEvent } from 'turnstream'
import { decodeAgentEvent, decodeToolEvent } from 'turnstream/agent-event'
import { decodeFrame } from 'turnstream/frames'
import { decodeSessionEvent } from 'turnstream/session'
import { describe, expect, it } from 'vitest'
import { agentEventSchemas, toolEventSchemas } from '../src/dialects/agent-event/wire/schemas.ts'
import { frameV1Schemas, frameV2Schemas } from '../src/dialects/frames/wire/schemas/index.ts'
import { sessionEventSchemas } from '../src/dialects/session/wire/schemas/index.ts'
import { decodeAnyEvent } from '../src/events/decode.ts'
import { contextEventSchemas, eventSchemas } from '../src/events/records/schemas.ts'
import { runFromA2a, runToA2a, versions } from './dialects/a2a/support.ts'
import { legalStreams } from './support/legal-streams.ts'
import { choices, respell, respellInstant } from './support/respell.ts'
import { runs } from './support/runs.ts'
import { accepted } from './support/zod-arbitrary.ts'

type Decode = (value: unknown) => { readonly status: string; readonly event?: unknown }

const readers: readonly (readonly [name: string, schemas: object, decode: Decode])[] = [
  ['decodeEvent', contextEventSchemas, decodeEvent],
  ['decodeAnyEvent', eventSchemas, decodeAnyEvent],
  ['decodeAgentEvent', agentEventSchemas, decodeAgentEvent],
  ['decodeToolEvent', toolEventSchemas, decodeToolEvent],
  ['decodeFrame in version 1', frameV1Schemas, (value) => decodeFrame(value, { version: 'v1' })],
  ['decodeFrame in version 2', frameV2Schemas, (value) => decodeFrame(value, { version: 'v2' })],
  ['decodeSessionEvent', sessionEventSchemas, (value) => decodeSessionEvent(value, { mode: 'lenient' })],
]

const numbers = fc.array(fc.nat(), { minLength: 1, maxLength: 20 })

describe.each(readers)('%s', (_name, schemas, decode) => {
  it.each(Object.entries(schemas))('reads every spelling of %s', (_kind, schema) => {
    fc.assert(
      fc.property(accepted(schema), numbers, (value, numbers) => {
        fc.pre(decode(value).status === 'known')
        const spelled = respell(schema, value, choices(numbers), 'instants')
        const withNulls = respell(schema, spelled, choices(numbers), 'nulls')
        expect(decode(spelled)).toMatchObject({ status: 'known', event: spelled })
        expect(decode(withNulls)).toMatchObject({ status: 'known', event: spelled })
      }),
      { numRuns: runs(50) },
    )
  })
})

// A2A 1.0 requires UTC of a sender, so its validator does not accept all of these; a reader does.
describe.each(versions)('fromA2a', (version) => {
  it(`reads the same from every spelling of the instants of A2A ${version}`, () => {
    fc.assert(
      fc.property(legalStreams({ maxChoices: 20 }), numbers, (events, numbers) => {
        const items = runToA2a(events, { version }).out
        const choose = choices(numbers)
        const spelled = withInstants(items, (text) => respellInstant(text, choose))
        const read = (list: readonly unknown[]): unknown => {
          const { out, diagnostics } = runFromA2a(list)
          return withInstants({ out, diagnostics }, (text) => new Date(text).toISOString())
        }
        expect(read(spelled)).toEqual(read(items))
      }),
      { numRuns: runs(50) },
    )
  })
})

/** A JSON value with another text for each of its timestamps. */
function withInstants<T>(value: T, change: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    key === 'timestamp' && typeof inner === 'string' ? change(inner) : inner,
  ) as T
}

it('a spelling is the same instant', () => {
  const instant = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, numbers, (instant, numbers) => {
      const spelled = respellInstant(instant.toISOString(), choices(numbers))
      expect(Date.parse(spelled)).toBe(instant.getTime())
    }),
  )
})
