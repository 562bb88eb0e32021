// Proves that the generated tables and shapes are those of the records and schemas, and what they hold for each kind.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { shapeOf } from '../../scripts/describe-schema.ts'
import { kindTables } from '../../scripts/generate-kinds.ts'
import type { EventKind } from '../../src/events/event.ts'
import type { BackpressureRule, NumberedSeries, Redaction, Series } from '../../src/events/kind.ts'
import { kindBackpressure, kindRedactions, kindSeries, seriesEnds } from '../../src/events/kinds.generated.ts'
import { eventKinds } from '../../src/events/kinds.ts'
import {
  contextEnvelopeSchema,
  contextEventSchemas,
  contextSchema,
  envelopeSchema,
  eventSchemas,
} from '../../src/events/records/schemas.ts'
import * as shapes from '../../src/events/shapes.generated.ts'

it('the tables of kinds are those of the records', () => {
  const file = new URL('../../src/events/kinds.generated.ts', import.meta.url)
  // Its first line says what it is written from.
  expect(readFileSync(file, 'utf8').replace(/^.*\n/, '')).toBe(kindTables())
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
  ['envelope with context', contextEnvelopeSchema, { ...shapes.envelopeShape, ...shapes.contextShape }],
] as const)('the %s has the shape of its schema', (_, schema, shape) => {
  expect(shapeOf(schema)).toStrictEqual(['fields', shape])
})

interface Handling {
  readonly series?: NumberedSeries
  readonly ends?: Series
  readonly backpressure?: BackpressureRule
  readonly redaction?: Redaction
}

const content = { name: 'content', key: 'contentId' }
const args = { name: 'arguments', key: 'toolCallId' }
const artifact = { name: 'artifact', key: 'artifactId', until: 'complete' }
const thought = { name: 'thought', key: 'thoughtId' }
const append = { merge: 'append' } as const
const replace = { merge: 'replace' } as const
const everyone = ['user', 'coordinator', 'parent', 'observer'] as const
const errorDetails = { removed: { '/error/details': ['user', 'observer'] } } as const

/** Written by hand: who sees what, and what may be merged, must not change with the records alone. */
const handling: Readonly<Record<string, Handling>> = {
  'task-created': {},
  'task-status': { redaction: errorDetails },
  'task-complete': {},
  'content-delta': { series: content, backpressure: append },
  'content-complete': { ends: content },
  'tool-start': {
    ends: args,
    redaction: {
      removed: {
        '/arguments': ['observer'],
        '/metadata/toolArgs': ['observer'],
        '/metadata/signature': everyone,
      },
    },
  },
  'tool-arguments-delta': { series: args, backpressure: append, redaction: { hidden: ['observer'] } },
  'tool-progress': {
    backpressure: replace,
    redaction: { removed: { '/metadata/chunk': ['observer'], '/metadata/data': ['observer'] } },
  },
  'tool-complete': {
    ends: args,
    redaction: { removed: { '/result': ['observer'], '/metadata/output': ['observer'] } },
  },
  'input-required': {
    redaction: {
      removed: { '/options': ['observer'], '/schema': ['observer'], '/metadata/toolCall': ['observer'] },
    },
  },
  'input-received': {
    redaction: { removed: { '/userId': ['observer'], '/metadata/callDigest': ['parent', 'observer'] } },
  },
  'input-canceled': {},
  'auth-required': { redaction: { removed: { '/authUrl': ['coordinator', 'parent', 'observer'] } } },
  'auth-completed': { redaction: { hidden: ['observer'] } },
  'auth-failed': {},
  'file-write': { series: artifact, backpressure: append },
  'data-write': { backpressure: replace },
  'dataset-write': { series: artifact, backpressure: append },
  'artifact-delta': { backpressure: append },
  'subtask-created': {},
  'thought-delta': { series: thought, backpressure: { merge: 'append', drop: true } },
  'thought-stream': {
    series: { name: 'thoughts' },
    ends: thought,
    backpressure: { drop: true },
    redaction: { removed: { '/metadata/alternatives': everyone, '/metadata/signature': everyone } },
  },
  'task-error': { redaction: errorDetails },
  custom: {},
  'internal:checkpoint': {},
}

it.each(Object.entries(handling))(
  '%s is numbered, merged and redacted as its readers rely on',
  (name, expected) => {
    const kind = name as EventKind
    expect({
      series: kindSeries[kind],
      ends: seriesEnds[kind],
      backpressure: kindBackpressure[kind],
      redaction: kindRedactions[kind],
    }).toEqual({
      series: undefined,
      ends: undefined,
      backpressure: undefined,
      redaction: undefined,
      ...expected,
    })
  },
)
