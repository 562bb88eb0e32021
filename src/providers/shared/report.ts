/** Reports of what a reader does not know: each type and field once. */

import type { JsonValue } from '../../core/json-value.ts'
import { describeValue } from '../../core/require.ts'
import { toPointer } from '../../encoding/pointer.ts'
import { cleanJson } from '../../json/sanitize.ts'
import { isCount } from '../../validation/predicates.ts'
import { type Fields, isFields } from './fields.ts'
import type { ModelWriter } from './model-writer.ts'
import { MAX_REPORTED } from './state.ts'

/** Reports a chunk, a part of one or an item of a type that the reader does not know. */
export function reportType(writer: ModelWriter, type: unknown, path: string): void {
  const name = typeof type === 'string' ? type.slice(0, 64) : typeof type
  if (!isFirst(writer, `type ${path} ${name}`)) return
  const given = type === undefined || type === '' ? 'none' : name
  writer.diagnostic('unknown-type', `Expected a known type of chunk, part or item, got ${given}.`, {
    path,
    detail: { type: name },
  })
}

/** Reports a chunk of another API than that of the reader. */
export function reportForeign(writer: ModelWriter, api: string, other: string): void {
  if (!isFirst(writer, `api ${other}`)) return
  writer.diagnostic('unknown-type', `Expected a chunk of ${api}, got one of ${other}.`, {
    path: '',
    detail: { type: other },
  })
}

/** Reports the fields that the reader does not know and that have a value. */
export function reportFields(
  writer: ModelWriter,
  fields: Fields,
  known: ReadonlySet<string>,
  path: string,
): void {
  for (const name in fields) {
    if (known.has(name) || isEmpty(fields[name])) continue
    const field = name.slice(0, 64)
    if (!isFirst(writer, `field ${path} ${field}`)) continue
    writer.diagnostic('unknown-field', `Expected a known field, got ${field}; its value is dropped.`, {
      path: path + toPointer([field]),
    })
  }
}

/** Reports something that has no equivalent, once. */
export function reportDropped(writer: ModelWriter, what: string, message: string): void {
  if (isFirst(writer, `dropped ${what}`)) writer.dropped(what, 'no-equivalent', message)
}

/** A copy of a value that every reader takes: those of providers may be nested without bounds. */
export function cleaned(writer: ModelWriter, value: unknown, field: string): JsonValue {
  let isChanged = false
  const json = cleanJson(value, () => {
    isChanged = true
  })
  if (isChanged) writer.lossy(field, 'Expected a JSON value of at most 64 levels; dropped the rest.')
  return json ?? null
}

/** Reports the numbers of tokens that are no counts. */
export function reportCounts(writer: ModelWriter, usage: Fields, depth = 0): void {
  for (const name in usage) {
    const value = usage[name]
    if (isFields(value) && depth === 0) reportCounts(writer, value, 1)
    if (!/(.tokens|tokencount)$/i.test(name) || value == null || isCount(value)) continue
    const field = name.slice(0, 64)
    if (!isFirst(writer, `count ${field}`)) continue
    writer.dropped(
      'usage',
      'invalid-content',
      `Expected an integer from 0 as ${field}, got ${typeof value === 'string' ? 'a text' : describeValue(value)}.`,
    )
  }
}

function isEmpty(value: unknown): boolean {
  return value == null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Whether something is reported for the first time. Stores that it was. */
export function isFirst({ state }: ModelWriter, name: string): boolean {
  if (state.reported.length >= MAX_REPORTED || state.reported.includes(name)) return false
  state.reported = [...state.reported, name]
  return true
}
