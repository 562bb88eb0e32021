/** Saying what gets lost between this dialect and the core vocabulary. */

import type { Issue } from '../../../core/decoded.ts'
import type { Note, Step } from '../../../core/machine.ts'
import { toPointer } from '../../../validation/issues.ts'

/** A step, with notes only when there are any. */
export function stepTo<State, Out>(
  state: State,
  out: readonly Out[],
  notes: readonly Note[],
): Step<State, Out> {
  return notes.length === 0 ? { state, out } : { state, out, notes }
}

/** A whole event or frame that is left out. */
export function dropped(name: string, message: string): Note {
  return { code: `dropped:${name}`, message }
}

/** A field that is not said, or not said exactly. */
export function lossy(field: string, message: string, detail?: unknown): Note {
  const note = { code: `lossy:${field}`, message, path: toPointer([field]) }
  return detail === undefined ? note : { ...note, detail }
}

/** A value that is left out because it is nothing that can be read. */
export function invalidNote(what: 'event' | 'frame', issues: readonly Issue[]): Note {
  const [first] = issues
  return {
    code: `invalid-${what}`,
    message: `Left out, as it is no valid ${what}. ${first?.message ?? ''}`.trimEnd(),
    path: first?.path ?? '',
    detail: issues,
  }
}
