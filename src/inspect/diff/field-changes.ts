/** The fields in which two values differ. */
import { isFields } from '../../validation/predicates.ts'

/** A field that differs. `undefined`: that side has none. */
export interface FieldChange {
  /** Names and positions with dots in between. */
  readonly path: string
  readonly a: unknown
  readonly b: unknown
}

export function fieldChanges(a: unknown, b: unknown, path = ''): FieldChange[] {
  const isList = Array.isArray(a)
  if (isList === Array.isArray(b) && isContainer(a) && isContainer(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
      fieldChanges(own(a, name), own(b, name), path === '' ? name : `${path}.${name}`),
    )
  }
  return a === b ? [] : [{ path, a, b }]
}

type Container = Readonly<Record<string, unknown>>

function isContainer(value: unknown): value is Container {
  return isFields(value) || Array.isArray(value)
}

function own(value: Container, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
