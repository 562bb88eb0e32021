/** Saying what gets lost between this dialect and the core vocabulary. */
import type { Decoded, Issue } from '../../../core/decoded.ts'
import type { Note, Step } from '../../../core/machine.ts'
import { toPointer } from '../../../validation/issues.ts'

/** More would not help anybody, and a hostile event could have millions of fields. */
const MAX_NOTES = 32

/** A step, with notes only when there are any. */
export function stepTo<State, Out>(
  state: State,
  out: readonly Out[],
  notes: readonly Note[],
): Step<State, Out> {
  return notes.length === 0 ? { state, out } : { state, out, notes }
}

/** An event that is left out. */
export function dropped(name: string, message: string, detail?: unknown): Note {
  const note = { code: `dropped:${name}`, message }
  return detail === undefined ? note : { ...note, detail }
}

/** A field that is not told, or not told exactly. */
export function lossy(field: string, message: string, path: string = toPointer([field])): Note {
  return { code: `lossy:${field}`, message, path }
}

/** A set of fields that is empty. */
const none: ReadonlySet<string> = new Set()

/**
 * Adds a note for each field of an event, or of its metadata, that is not told. `besides` are fields
 * that nobody would miss.
 */
export function noteUntold(
  notes: Note[],
  event: object,
  told: readonly string[],
  { besides = none, inMetadata = [] }: { besides?: ReadonlySet<string>; inMetadata?: readonly string[] } = {},
): void {
  const most = notes.length + MAX_NOTES
  const message = 'The other vocabulary has no word for this field.'
  for (const field of Object.keys(event)) {
    if (besides.has(field) || told.includes(field) || notes.length >= most) continue
    const value = (event as Record<string, unknown>)[field]
    if (value === undefined) continue
    if (field !== 'metadata') {
      notes.push(lossy(field, message))
      continue
    }
    for (const [key, inner] of Object.entries(value as object)) {
      if (inner === undefined || inMetadata.includes(key) || notes.length >= most) continue
      notes.push(lossy('metadata', message, toPointer(['metadata', key])))
    }
  }
}

/** A value that is no event. */
export function invalid(issues: readonly Issue[]): Note {
  const [first] = issues
  return {
    code: 'invalid-event',
    message: `Left out, as it is no valid event. ${first?.message ?? ''}`.trimEnd(),
    path: first?.path ?? '',
    detail: issues,
  }
}

/** A value that is no event of the vocabulary it is read in. */
export function notKnown(decoded: Exclude<Decoded<unknown, unknown>, { status: 'known' }>): Note {
  return decoded.status === 'invalid'
    ? invalid(decoded.issues)
    : dropped(decoded.kind, 'Left out, as its kind is not known.')
}
