/** Remembering many streams, and not without bounds. */
import type { Note } from '../../machine.ts'

/** How many streams are remembered. */
export const MAX_STREAMS = 1024

/**
 * The streams with one of them replaced. Where there would be too many, one that ended is forgotten,
 * or else the oldest, with a note.
 *
 * @param key - Must not be a name that all objects have, nor a number.
 */
export function withStream<S extends { readonly phase: string }>(
  streams: Readonly<Record<string, S>>,
  key: string,
  stream: S,
  notes: Note[],
): Readonly<Record<string, S>> {
  const next = { ...streams, [key]: stream }
  if (key in streams) return next
  const keys = Object.keys(next)
  if (keys.length <= MAX_STREAMS) return next
  const ended = keys.find((other) => other !== key && next[other]?.phase === 'ended')
  const forgotten = ended ?? keys[0] ?? key
  delete next[forgotten]
  if (ended === undefined) {
    const message = `More than ${MAX_STREAMS} streams are open; the oldest is forgotten.`
    notes.push({ code: 'too-many-streams', message, detail: forgotten })
  }
  return next
}
