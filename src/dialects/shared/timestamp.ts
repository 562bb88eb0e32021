/** Timestamps of other formats: with an offset, in UTC, or without a time zone. */

import { isTimestamp } from '../../validation/predicates.ts'

/**
 * A timestamp in UTC with milliseconds, such as `2026-01-31T10:30:00.000Z`; `undefined` if it is not a date.
 */
export function toUtc(timestamp: string): string | undefined {
  if (isInUtc(timestamp)) return timestamp
  const milliseconds = Date.parse(timestamp)
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString()
}

/** Whether an RFC 3339 timestamp is before another one. */
export function isBefore(timestamp: string, other: string): boolean {
  // Of equal format, with milliseconds in UTC, their order is that of their texts.
  if (isInUtc(timestamp) && isInUtc(other)) return timestamp < other
  return Date.parse(timestamp) < Date.parse(other)
}

/** An RFC 3339 timestamp; one without a time zone is read as UTC. `undefined` if it is neither. */
export function parseTimestamp(timestamp: unknown): string | undefined {
  if (isTimestamp(timestamp)) return timestamp as string
  const zoned = typeof timestamp === 'string' ? `${timestamp}Z` : timestamp
  return isTimestamp(zoned) ? (zoned as string) : undefined
}

/** Whether a timestamp is in UTC, with milliseconds. */
function isInUtc(timestamp: string): boolean {
  return timestamp.length === 24 && timestamp.endsWith('Z')
}
