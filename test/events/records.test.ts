// Proves that the generated tables, shapes and lists are those of the records and schemas.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { shapeOf } from '../../scripts/describe-schema.ts'
import { kindTables } from '../../scripts/generate-kinds.ts'
import { eventKinds } from '../../src/events/kinds.ts'
import {
  contextEnvelopeSchema,
  contextEventSchemas,
  contextSchema,
  envelopeSchema,
  eventSchemas,
} from '../../src/events/schemas.ts'
import * as shapes from '../../src/events/shapes.generated.ts'

it('the tables of kinds are those of the records', () => {
  const file = new URL('../../src/events/kinds.generated.ts', import.meta.url)
  expect(kindTables()).toBe(readFileSync(file, 'utf8'))
})

it.each([...eventKinds])('%s has the shape of its schema', (kind) => {
  const own = shapes.eventShapes[kind]
  expect(shapeOf(eventSchemas[kind])).toStrictEqual(['fields', { kind: ['of', kind], ...own }])
  expect(shapeOf(contextEventSchemas[kind])).toStrictEqual([
    'fields',
    { kind: ['of', kind], ...own, ...shapes.contextShape },
  ])
})

it.each([
  ['context', contextSchema, shapes.contextShape],
  ['envelope', envelopeSchema, shapes.envelopeShape],
  ['envelope with context', contextEnvelopeSchema, shapes.contextEnvelopeShape],
] as const)('the %s has the shape of its schema', (_, schema, shape) => {
  expect(shapeOf(schema)).toStrictEqual(['fields', shape])
})
