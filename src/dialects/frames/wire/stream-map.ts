/** Remembering many streams, not without bounds, and one of them cheaply. */
import type { Diagnostic } from '../../../core/machine.ts'

/**
 * What is remembered of many streams. The one that moved last is kept by itself, so that a step
 * copies the others only where streams take turns.
 */
export interface Streams<S> {
  /** The stream that moved last. Absent: there is none yet. */
  readonly last?: { readonly key: string; readonly stream: S }
  /** The others: up to 1024, and beyond 64 only those that go on. The one that moved last is last. */
  readonly others: Readonly<Record<string, S>>
}

/** Beyond so many, streams that ended are forgotten: each makes every change of streams slower. */
const FEW = 64

/** Beyond so many, the one that did not move for longest is forgotten. */
const MANY = 1024

/** The stream of a name. It must not be a number, nor a name that all objects have. */
export function streamIn<S>({ last, others }: Streams<S>, key: string): S | undefined {
  return last?.key === key ? last.stream : others[key]
}

/** All streams, the one that moved last at the end. */
export function allStreams<S>({ last, others }: Streams<S>): (readonly [string, S])[] {
  const entries = Object.entries(others)
  return last === undefined ? entries : [...entries, [last.key, last.stream]]
}

/** The streams with one of them replaced. Diagnostics when one is forgotten that has not ended. */
export function withStream<S extends { readonly phase: string }>(
  { last, others }: Streams<S>,
  key: string,
  stream: S,
  diagnostics: Diagnostic[],
): Streams<S> {
  const moved = { key, stream }
  if (last === undefined || last.key === key) return { last: moved, others }
  const rest: Record<string, S> = { ...others }
  delete rest[key]
  rest[last.key] = last.stream
  const keys = Object.keys(rest)
  const ended = keys.length > FEW ? keys.find((other) => rest[other]?.phase === 'ended') : undefined
  const forgotten = ended ?? (keys.length > MANY ? keys[0] : undefined)
  if (forgotten !== undefined) delete rest[forgotten]
  if (forgotten !== ended) {
    const message = `More than ${MANY} streams go on at once; one is forgotten.`
    diagnostics.push({ code: 'too-many-streams', message, detail: forgotten })
  }
  return { last: moved, others: rest }
}
