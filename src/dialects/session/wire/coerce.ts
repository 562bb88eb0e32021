/** Coercion of untrusted values. */

import { type Fields, isFields } from '../../../validation/predicates.ts'

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

/** An object; an empty one for anything else. */
export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The number that a string of at most 15 digits stands for; `undefined` for anything else. */
export function parseDigits(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** The ids of the tasks of a plan, which are objects or ids; `null` if there is no list. */
export function taskIdsOf({ tasks }: Fields): string[] | null {
  return Array.isArray(tasks) ? tasks.map((task: unknown) => textOf(asFields(task).id ?? task)) : null
}
