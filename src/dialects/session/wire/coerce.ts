/** Reading single values of a peer, whatever they are. */
import { type Fields, isFields } from '../../../validation/predicates.ts'

/**
 * A text, number or flag as text; `''` for anything else. An object of a peer cannot be turned into
 * text by force: its own `toString` may be no function.
 */
export function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** A number; not a number for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
}

/** An object; an empty one for anything else. */
export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The ids of the tasks of a plan, each an object or its id alone; `null` when there is no list of them. */
export function taskIdsOf({ tasks }: Fields): string[] | null {
  return Array.isArray(tasks) ? tasks.map((task: unknown) => wordOf(asFields(task).id ?? task)) : null
}
