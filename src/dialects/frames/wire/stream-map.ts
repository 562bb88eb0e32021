/** A bounded map of stream states, cheap to update while one stream advances. */
import type { StepBuilder } from '../../../core/step-builder.ts'

/**
 * The states of many streams. The stream that advanced last is kept apart, so that a step copies the
 * others only if another stream advances.
 */
export interface StreamMap<S> {
  /** The stream that advanced last. Omitted before the first frame. */
  readonly last?: { readonly key: string; readonly stream: S }
  /** The other streams, least recently advanced first: up to 1024, of which at most 64 have ended. */
  readonly others: Readonly<Record<string, S>>
}

/** Above this number, ended streams are evicted: every further one slows down each update. */
const MAX_WITH_ENDED = 64

/** Above this number, the least recently advanced stream is evicted. */
const MAX_STREAMS = 1024

/** The state of a stream. Keys must not be numeric, nor members of every object. */
export function getStream<S>({ last, others }: StreamMap<S>, key: string): S | undefined {
  return last?.key === key ? last.stream : others[key]
}

/** All streams, least recently advanced first. */
export function streamEntries<S>({ last, others }: StreamMap<S>): (readonly [string, S])[] {
  const entries = Object.entries(others)
  return last === undefined ? entries : [...entries, [last.key, last.stream]]
}

/** Replaces or adds a stream. Reports `too-many-streams` if it evicts one that has not ended. */
export function setStream<S extends { readonly phase: string }>(
  { last, others }: StreamMap<S>,
  key: string,
  stream: S,
  builder: Pick<StepBuilder<never, never>, 'diagnostic'>,
): StreamMap<S> {
  const current = { key, stream }
  if (last === undefined || last.key === key) return { last: current, others }
  const rest: Record<string, S> = { ...others }
  delete rest[key]
  rest[last.key] = last.stream
  const keys = Object.keys(rest)
  const ended =
    keys.length > MAX_WITH_ENDED ? keys.find((other) => rest[other]?.phase === 'ended') : undefined
  const evicted = ended ?? (keys.length > MAX_STREAMS ? keys[0] : undefined)
  if (evicted !== undefined) delete rest[evicted]
  if (evicted !== ended) {
    const message = `More than ${MAX_STREAMS} streams are open; evicted the least recent one.`
    builder.diagnostic('too-many-streams', message, { detail: evicted })
  }
  return { last: current, others: rest }
}
