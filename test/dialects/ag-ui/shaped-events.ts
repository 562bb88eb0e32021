/** Generates events that have the form of a type and nothing more: few ids, in any order, each field there or not. */
import fc from 'fast-check'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/index.ts'
import { eventShapes } from '../../../src/dialects/ag-ui/wire/shapes.generated.ts'
import type { Shape, ShapeFields } from '../../../src/validation/shape.ts'

/** Texts that are unlike each other, so that one that is lost is missed. */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.uuid().map((id) => `text ${id}`) },
  fc.constantFrom('', '{"a":1}', '[1]'),
)
const id = fc.constantFrom('a', 'b', 'c')
const object = fc.dictionary(fc.constantFrom('agentId', 'input', 'name', 'k', 'a/b'), text, {
  maxKeys: 2,
  noNullPrototype: true,
})

const place = fc.constantFrom('/x', '/y')
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: place, value: text }),
  fc.record({ op: fc.constantFrom('move', 'copy'), path: place, from: place }),
  fc.record({ op: fc.constant('remove'), path: place }),
)

function valuesOf(shape: Shape, name: string): fc.Arbitrary<unknown> {
  if (shape === 'text') return /id$/i.test(name) ? id : text
  if (shape === 'boolean') return fc.boolean()
  if (shape === 'any') return fc.oneof(text, object)
  switch (shape[0]) {
    case 'maybe':
      return fc.option(valuesOf(shape[1], name), { nil: undefined })
    case 'of':
      return fc.constantFrom(...shape.slice(1))
    case 'list':
      return fc.array(valuesOf(shape[1], name.replace(/Ids$/, 'Id')), {
        // An interrupt has one at least.
        minLength: name === 'interrupts' ? 1 : 0,
        maxLength: 2,
      })
    case 'int':
      return fc.integer({ min: 0, max: 2 ** 40 })
    case 'or':
      return fc.oneof(...shape[1].map((each) => valuesOf(each, name)))
    case 'by':
      return fc.oneof(
        ...Object.entries(shape[2]).map(([tag, inner]) =>
          (isEmpty(inner) ? fc.constant({}) : valuesOf(inner, name)).map((value) => ({
            [shape[1]]: tag,
            ...(value as object),
          })),
        ),
      )
    case 'fields':
      if (isEmpty(shape)) return object
      return 'op' in shape[1] ? operation : fieldsOf(shape[1])
    default:
      throw new TypeError(`Expected a shape of AG-UI, got ${JSON.stringify(shape)}.`)
  }
}

/** Whether a shape names no fields: any are accepted. */
function isEmpty(shape: Shape): boolean {
  return shape[0] === 'fields' && Object.keys(shape[1]).length === 0
}

function fieldsOf(fields: ShapeFields): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, valuesOf(shape, name)])),
  )
}

const kinds = Object.entries(eventShapes).map(([type, fields]) =>
  fieldsOf(fields).map((event) => JSON.parse(JSON.stringify({ type, ...event })) as AgUiEvent),
)

/** Streams of such events, each of few types, so that events meet that are about the same item. */
export const shapedEvents: fc.Arbitrary<AgUiEvent[]> = fc
  .tuple(fc.nat(kinds.length - 1), fc.subarray(kinds, { maxLength: 4 }))
  .chain(([at, others]) =>
    fc.array(fc.oneof(...kinds.slice(at, at + 4), ...others), { minLength: 1, maxLength: 12 }),
  )
