// Proves that changes of a schema are classified as patch, minor or major.
import { describe, expect, test } from 'vitest'
import { changes, type Level, levelOf } from '../../scripts/schemas/compat.ts'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'

const before: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://example.com/1.0/events.schema.json',
  title: 'Event',
  oneOf: [{ $ref: '#/$defs/Opened' }, { $ref: '#/$defs/Moved' }],
  $defs: {
    Opened: {
      title: 'Opened',
      description: 'A door was opened.',
      type: 'object',
      properties: {
        kind: { type: 'string', const: 'opened' },
        door: { type: 'string', minLength: 1 },
        by: { type: 'string', enum: ['hand', 'motor'] },
        note: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        counts: { type: 'object', additionalProperties: { type: 'number' } },
      },
      required: ['kind', 'door'],
      additionalProperties: true,
    },
    Moved: {
      title: 'Moved',
      type: 'object',
      properties: {
        kind: { type: 'string', const: 'moved' },
        to: { $ref: '#/$defs/Place' },
        at: { type: 'string', format: 'date-time' },
        step: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        shape: { oneOf: [{ $ref: '#/$defs/Place' }] },
      },
      required: ['kind', 'to'],
      additionalProperties: true,
    },
    Place: {
      title: 'Place',
      type: 'object',
      properties: { x: { type: 'number' } },
      required: ['x'],
      additionalProperties: true,
    },
  },
}

type Definition = JsonSchema & { properties: Record<string, JsonSchema>; required: string[] }
type Change = (defs: Record<'Opened' | 'Moved' | 'Place', Definition>, root: JsonSchema) => unknown

const closed: JsonSchema = {
  type: 'object',
  properties: { kind: { type: 'string', const: 'closed' } },
  required: ['kind'],
  additionalProperties: true,
}

const cases: Record<Level | 'none', [what: string, change: Change][]> = {
  none: [
    ['nothing', () => {}],
    ['the order of required fields', ({ Opened }) => Opened.required.reverse()],
    ['the order of enum members', ({ Opened }) => Opened.properties.by?.enum?.reverse()],
    ['the order of events', (_, root) => root.oneOf?.reverse()],
    ['the order of keywords', ({ Place }) => Object.assign(Place, { type: Place.type })],
  ],
  patch: [
    ['a description', ({ Opened }) => Object.assign(Opened, { description: 'Somebody opened a door.' })],
    ['a new description', ({ Place }) => Object.assign(Place, { description: 'Where.' })],
    ['examples', ({ Place }) => Object.assign(Place.properties.x ?? {}, { examples: [1] })],
    ['the version in the address', (_, root) => Object.assign(root, { $id: 'https://example.com/1.1/x' })],
    ['the title of the union', (_, root) => Object.assign(root, { title: 'AnyEvent' })],
  ],
  minor: [
    ['a new optional field', ({ Opened }) => Object.assign(Opened.properties, { width: { type: 'number' } })],
    [
      'a new optional field deep inside',
      ({ Place }) => Object.assign(Place.properties, { y: { type: 'number' } }),
    ],
    [
      'a new event',
      (defs, root) => {
        Object.assign(defs, { Closed: closed })
        root.oneOf?.push({ $ref: '#/$defs/Closed' })
      },
    ],
    ['an unused definition', (defs) => Object.assign(defs, { Spare: { type: 'string' } })],
  ],
  major: [
    [
      'a new required field',
      ({ Opened }) => {
        Object.assign(Opened.properties, { width: { type: 'number' } })
        Opened.required.push('width')
      },
    ],
    ['a field that becomes required', ({ Opened }) => Opened.required.push('note')],
    ['a field no longer required', ({ Opened }) => Opened.required.pop()],
    ['a removed field', ({ Opened }) => delete Opened.properties.note],
    [
      'a type widened',
      ({ Opened }) => Object.assign(Opened.properties.note ?? {}, { type: ['string', 'null'] }),
    ],
    ['a type narrowed', ({ Place }) => Object.assign(Place.properties.x ?? {}, { type: 'integer' })],
    ['a removed type', ({ Place }) => delete Place.properties.x?.type],
    ['another const', ({ Opened }) => Object.assign(Opened.properties.kind ?? {}, { const: 'open' })],
    ['an added enum member', ({ Opened }) => Opened.properties.by?.enum?.push('wind')],
    ['a removed enum member', ({ Opened }) => Opened.properties.by?.enum?.pop()],
    ['an enum opened', ({ Opened }) => delete Opened.properties.by?.enum],
    ['a bound changed', ({ Moved }) => Object.assign(Moved.properties.step ?? {}, { minimum: 1 })],
    ['a removed bound', ({ Moved }) => delete Moved.properties.step?.maximum],
    ['a length changed', ({ Opened }) => Object.assign(Opened.properties.door ?? {}, { minLength: 2 })],
    ['a removed format', ({ Moved }) => delete Moved.properties.at?.format],
    ['a new pattern', ({ Opened }) => Object.assign(Opened.properties.note ?? {}, { pattern: '^a' })],
    [
      'an item of another type',
      ({ Opened }) => Object.assign(Opened.properties.tags ?? {}, { items: { type: 'number' } }),
    ],
    ['items of any type', ({ Opened }) => delete Opened.properties.tags?.items],
    [
      'values of another type',
      ({ Opened }) =>
        Object.assign(Opened.properties.counts ?? {}, { additionalProperties: { type: 'string' } }),
    ],
    ['an object closed', ({ Place }) => Object.assign(Place, { additionalProperties: false })],
    ['a removed event', (_, root) => root.oneOf?.pop()],
    [
      'a definition renamed',
      (defs, root) => {
        Object.assign(defs, { Shifted: defs.Moved })
        Reflect.deleteProperty(defs, 'Moved')
        root.oneOf?.splice(1, 1, { $ref: '#/$defs/Shifted' })
      },
    ],
    [
      'another definition referred to',
      ({ Moved }) => Object.assign(Moved.properties.to ?? {}, { $ref: '#/$defs/Opened' }),
    ],
    [
      'a member more in a union inside an event',
      ({ Moved }) => Moved.properties.shape?.oneOf?.push({ $ref: '#/$defs/Opened' }),
    ],
  ],
}

describe.each(Object.entries(cases))('%s', (level, list) => {
  test.each(list)('%s', (_, change) => {
    const after = structuredClone(before)
    change(after.$defs as Parameters<Change>[0], after)
    expect(levelOf(changes(before, after))).toBe(level === 'none' ? undefined : level)
  })
})

test('reports the highest level, and every change with its location', () => {
  const after = structuredClone(before)
  const { Opened, Place } = after.$defs as Parameters<Change>[0]
  Opened.description = 'Open.'
  Object.assign(Place.properties, { y: { type: 'number' } })
  Place.required.pop()
  const list = changes(before, after)
  expect(list.map(({ level, path }) => [level, path])).toEqual([
    ['patch', '/$defs/Opened/description'],
    ['minor', '/$defs/Place/properties/y'],
    ['major', '/$defs/Place/required'],
  ])
  expect(levelOf(list)).toBe('major')
})
