// Proves that every kind is listed once, as external or internal, and that the guards agree.

import fc from 'fast-check'
import { eventKinds } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { externalKinds, internalKinds } from '../../src/events/kinds.generated.ts'
import { isInternal } from '../../src/events/kinds.ts'
import {
  anyEventSchema,
  contextAnyEventSchema,
  contextEventSchemas,
  eventSchemas,
} from '../../src/events/records/schemas.ts'
import { accepts } from '../support/accepts.ts'
import { runs } from '../support/runs.ts'
import { accepted, damaged } from '../support/zod-arbitrary.ts'

describe('the kinds', () => {
  it('are those of the schemas', () => {
    expect([...eventKinds].sort()).toEqual(Object.keys(eventSchemas).sort())
    expect([...eventKinds].sort()).toEqual(Object.keys(contextEventSchemas).sort())
  })

  it('are external or internal', () => {
    expect([...externalKinds, ...internalKinds]).toEqual([...eventKinds])
    for (const kind of eventKinds) {
      const hasPrefix = kind.startsWith('internal:')
      expect((internalKinds as readonly string[]).includes(kind)).toBe(hasPrefix)
      expect(isInternal({ kind })).toBe(hasPrefix)
    }
    expect([isInternal({ kind: 'internal:later' }), isInternal({ kind: 'later' })]).toEqual([true, false])
  })
})

describe.each([
  ['without context', anyEventSchema, eventSchemas],
  ['with context', contextAnyEventSchema, contextEventSchemas],
] as const)('the schema of any event %s', (_, any, each) => {
  const event = fc.oneof(...Object.values(each).map((schema) => accepted(schema)))

  it('accepts what the schema of the kind accepts', () => {
    fc.assert(
      fc.property(fc.oneof(event, damaged(event)), (value) => {
        const { kind } = (value ?? {}) as { kind?: keyof typeof each }
        const schema = typeof kind === 'string' && Object.hasOwn(each, kind) ? each[kind] : undefined
        expect(accepts(any, value)).toBe(schema !== undefined && accepts(schema, value))
      }),
      { numRuns: runs(500) },
    )
  })
})
