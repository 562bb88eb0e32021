/** Timestamps of other formats: with an offset, in UTC, or without a time zone. */

import { isTimestamp } from '../../validation/predicates.ts'

/** Whether an RFC 3339 timestamp is before another one. */
export function isBefore(timestamp: string, other: string): boolean {
  // Of equal format in UTC, their order is that of their texts.
  if (timestamp.length === other.length && timestamp.endsWith('Z') && other.endsWith('Z')) {
    return timestamp < other
  }
  return Date.parse(timestamp) < Date.parse(other)
}

/** An RFC 3339 timestamp; one without a time zone is read as UTC. `undefined` if it is neither. */
export function parseTimestamp(timestamp: unknown): string | undefined {
  if (isTimestamp(timestamp)) return timestamp as string
  const zoned = typeof timestamp === 'string' ? `${timestamp}Z` : timestamp
  return isTimestamp(zoned) ? (zoned as string) : undefined
}
