/** Decoding by a vocabulary: objects whose field `kind` selects their shape. */

import type { DecodeResult } from '../core/decode-result.ts'
import { isFields } from './predicates.ts'
import { read } from './read.ts'
import type { Shape, ShapeFields } from './shape.ts'

/** The kinds of a vocabulary. */
export interface Vocabulary {
  /** The shape of a known kind, without its field `kind`; `undefined` if it is not known. */
  readonly shapeOf: (kind: string) => Shape | undefined
  /** The shape of a value of any kind. */
  readonly envelope: Shape
}

/**
 * A vocabulary.
 *
 * @param kinds - The fields of each kind besides `kind`.
 * @param common - Further fields of all kinds.
 */
export function vocabularyOf(
  kinds: Readonly<Record<string, ShapeFields>>,
  envelope: ShapeFields,
  common?: ShapeFields,
): Vocabulary {
  const shapes = new Map<string, Shape>()
  return {
    envelope: ['fields', envelope],
    shapeOf(kind) {
      let shape = shapes.get(kind)
      if (shape === undefined && Object.hasOwn(kinds, kind)) {
        shape = ['fields', { ...kinds[kind], ...common }]
        shapes.set(kind, shape)
      }
      return shape
    },
  }
}

/**
 * Decodes a value. Never throws. A known one is the value itself, with its unknown fields; if an optional field is `null`,
 * a copy without that field.
 */
export function decodeBy<T, U>({ shapeOf, envelope }: Vocabulary, value: unknown): DecodeResult<T, U> {
  try {
    const kind = isFields(value) && Object.hasOwn(value, 'kind') ? value.kind : undefined
    const shape = typeof kind === 'string' ? shapeOf(kind) : undefined
    const { issues, value: event } = read(shape ?? envelope, value)
    if (issues.length > 0) return { status: 'invalid', issues, value }
    return shape === undefined
      ? { status: 'unknown', kind: kind as string, event: value as U }
      : { status: 'known', event: event as T }
  } catch {
    const message = 'Reading the value threw an error.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}
