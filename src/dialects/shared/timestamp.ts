/** Timestamps of other formats: with an offset, in UTC, or without a time zone. */

import { isTimestamp } from '../../validation/predicates.ts'

/**
 * A timestamp in UTC with milliseconds, such as `2026-01-31T10:30:00.000Z`; `undefined` if it is not a date.
 */
export function toUtc(timestamp: string): string | undefined {
  if (timestamp.length === 24 && timestamp.endsWith('Z')) return timestamp
  const milliseconds = Date.parse(timestamp)
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString()
}

/** An RFC 3339 timestamp; one without a time zone is read as UTC. `undefined` if it is neither. */
export function parseTimestamp(timestamp: unknown): string | undefined {
  if (isTimestamp(timestamp)) return timestamp as string
  const zoned = typeof timestamp === 'string' ? `${timestamp}Z` : timestamp
  return isTimestamp(zoned) ? (zoned as string) : undefined
}
