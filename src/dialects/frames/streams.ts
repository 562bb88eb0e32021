/** Remembering many streams, and not without bounds. */
import type { Note } from '../../machine.ts'

/** How many streams are remembered while one of them has ended: more of them make every step slower. */
const FEW = 64

/** How many streams are remembered at all. */
const MANY = 1024

/**
 * The streams with one of them replaced. Beyond 64, those that ended are forgotten, and beyond 1024
 * the oldest, with a note.
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
  const keys = Object.keys(next)
  if (keys.length <= FEW || Object.hasOwn(streams, key)) return next
  const ended = keys.find((other) => other !== key && next[other]?.phase === 'ended')
  const oldest = keys.length > MANY ? keys[0] : undefined
  if (ended !== undefined) delete next[ended]
  else if (oldest !== undefined) {
    delete next[oldest]
    const message = `More than ${MANY} streams are open; the oldest is forgotten.`
    notes.push({ code: 'too-many-streams', message, detail: oldest })
  }
  return next
}
