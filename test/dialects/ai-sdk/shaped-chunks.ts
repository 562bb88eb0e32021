/** Generates chunks that have the form of a type and nothing more: few ids, in any order, with any value where any may be. */
import fc from 'fast-check'
import type { UiMessageChunk } from '../../../src/dialects/ai-sdk/index.ts'
import { chunkShapes, dataShape } from '../../../src/dialects/ai-sdk/wire/shapes.ts'
import type { Shape, ShapeFields } from '../../../src/validation/shape.ts'
import { jsonValue } from '../../support/json.ts'

const names = ['openai', 'turnstream', 'metadata', 'signature', 'models'] as const
const any = jsonValue({ maxDepth: 2 })

/** An object whose members have the names that readers look for, and any value. */
const members = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(fc.constant(null), any, fc.dictionary(fc.constantFrom(...names), any)),
  { maxKeys: 3, noNullPrototype: true },
)

function valueFor(shape: Shape): fc.Arbitrary<unknown> {
  if (shape === 'text') return fc.constantFrom('a', 'a', 'b', '', 'text:0', '{"a":')
  if (shape === 'boolean') return fc.boolean()
  if (shape === 'any') return fc.oneof(any, members)
  switch (shape[0]) {
    case 'maybe':
      return fc.option(valueFor(shape[1]), { nil: undefined })
    case 'of':
      return fc.constantFrom(...shape.slice(1))
    case 'list':
      return fc.array(valueFor(shape[1]), { maxLength: 2 })
    default:
      return members
  }
}

const chunkOf = (type: string, fields: ShapeFields): fc.Arbitrary<UiMessageChunk> =>
  fc
    .record(Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, valueFor(shape)])))
    .map((chunk) => JSON.parse(JSON.stringify({ type, ...chunk })) as UiMessageChunk)

const dataTypes = ['input', 'auth', 'error', 'subtask', 'tool-progress', 'file', 'x']

const kinds = [
  ...Object.entries(chunkShapes).map(([type, fields]) => chunkOf(type, fields)),
  ...dataTypes.map((name) => chunkOf(`data-${name}`, dataShape)),
]

/** Streams of such chunks, each of few types, so that chunks meet that are about the same part. */
export const shapedChunks: fc.Arbitrary<UiMessageChunk[]> = fc
  .tuple(fc.nat(kinds.length - 1), fc.subarray(kinds, { maxLength: 3 }))
  .chain(([at, others]) =>
    fc.array(fc.oneof(...kinds.slice(at, at + 3), ...others), { minLength: 2, maxLength: 12 }),
  )
