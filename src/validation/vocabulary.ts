/** Decoding by a vocabulary: objects whose field `kind` selects their shape. */

import type { DecodeResult } from '../core/decode-result.ts'
import { compile } from './compile.ts'
import { isFields } from './predicates.ts'
import { readBy } from './read.ts'
import type { Check } from './report.ts'
import type { ShapeFields } from './shape.ts'

/** The kinds of a vocabulary. */
export interface Vocabulary {
  /** The check of the fields of a known kind besides `kind`, compiled once; `undefined` if the kind is not known. */
  readonly checkOf: (kind: string) => Check | undefined
  /** The check of a value of any kind. */
  readonly envelope: Check
}

/**
 * A vocabulary.
 *
 * @param kinds - The fields of each kind besides `kind`.
 * @param common - Further fields of all kinds, and of the envelope.
 */
export function vocabularyOf(
  kinds: Readonly<Record<string, ShapeFields>>,
  envelope: ShapeFields,
  common?: ShapeFields,
): Vocabulary {
  const checks = new Map<string, Check>()
  return {
    envelope: compile(['fields', { ...envelope, ...common }]),
    checkOf(kind) {
      let check = checks.get(kind)
      if (check === undefined && Object.hasOwn(kinds, kind)) {
        check = compile(['fields', { ...kinds[kind], ...common }])
        checks.set(kind, check)
      }
      return check
    },
  }
}

/**
 * Decodes a value. Never throws. A known one is the value itself, with its unknown fields; if an optional field is `null`,
 * a copy without that field.
 */
export function decodeBy<T, U>({ checkOf, envelope }: Vocabulary, value: unknown): DecodeResult<T, U> {
  try {
    const kind = isFields(value) && Object.hasOwn(value, 'kind') ? value.kind : undefined
    const check = typeof kind === 'string' ? checkOf(kind) : undefined
    const { issues, value: event } = readBy(check ?? envelope, value)
    if (issues.length > 0) return { status: 'invalid', issues, value }
    return check === undefined
      ? { status: 'unknown', kind: kind as string, event: value as U }
      : { status: 'known', event: event as T }
  } catch {
    const message = 'Reading the value threw an error.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}
