/** Instants: ours have any offset, those of A2A 1.0 are in UTC, those of 0.3 may lack a zone. */
import { isTimestamp } from '../../../validation/predicates.ts'

/** An instant in UTC to the millisecond, such as `2026-01-31T10:30:00.000Z`; `undefined` when it is none. */
export function toUtc(timestamp: string): string | undefined {
  if (timestamp.length === 24 && timestamp.endsWith('Z')) return timestamp
  const instant = Date.parse(timestamp)
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString()
}

/** An instant of A2A as we write them; one without a zone is taken as UTC. */
export function fromA2aTime(timestamp: unknown): string | undefined {
  if (isTimestamp(timestamp)) return timestamp as string
  const zoned = typeof timestamp === 'string' ? `${timestamp}Z` : timestamp
  return isTimestamp(zoned) ? (zoned as string) : undefined
}
