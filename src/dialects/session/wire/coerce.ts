/** Coercion of untrusted values. */

import type { Issue } from '../../../core/decode-result.ts'
import { describeValue } from '../../../core/require.ts'
import type { StepBuilder } from '../../../core/step-builder.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'

/**
 * A string, number or boolean as text; `''` for anything else. Objects are not converted: their
 * `toString` may not be a function.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** A number; NaN for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
}

/** The number that a string of at most 15 digits stands for; `undefined` for anything else. */
export function parseDigits(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** The ids of the tasks of a plan, which are objects or ids; `null` if there is no list. */
export function taskIdsOf({ tasks }: Fields): string[] | null {
  return Array.isArray(tasks) ? tasks.map((task: unknown) => textOf(fieldsOf(task).id ?? task)) : null
}

/** The input if it is an event with a name; otherwise `undefined`, and it is reported as `invalid-event`. */
export function readNamed<E extends { readonly event: string }>(
  builder: StepBuilder<unknown, unknown>,
  input: E,
): E | undefined {
  const issue = unnamedIssue(input)
  if (issue === undefined) return input
  builder.invalid([issue])
  return undefined
}

/** The issue of a value that is no event with a name. */
export function unnamedIssue(value: unknown): Issue | undefined {
  if (isFields(value) && typeof value.event === 'string') return undefined
  const [path, actual] = isFields(value) ? ['/event', value.event] : ['', value]
  const message = `Expected an event with a name, got ${describeValue(actual)}.`
  return { code: 'invalid-type', path, message }
}
