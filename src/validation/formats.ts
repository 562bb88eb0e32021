/** Formats of strings that a regular expression expresses badly or slowly. */

import { isBase64 } from '../encoding/base64.ts'
import type { TextFormat } from './shape.ts'
import { isTimestamp } from './timestamp.ts'

/** `z.base64()`: standard Base64 with padding. */
export const base64: TextFormat = {
  test: (text) => text.length % 4 === 0 && isBase64(text),
  toString: () => 'Base64 with padding',
}

/** The names of `custom` events: words joined by dots. Repeats no group, for which engines overflow if a text is long. */
export const dottedName: RegExp = /^(?!.*\.(\.|$))[A-Za-z][\w-]*\.[\w.-]*$/

/** `z.iso.datetime()`: an RFC 3339 date-time in UTC. */
export const utcInstant: TextFormat = {
  test: (text) => text.endsWith('Z') && isTimestamp(text),
  toString: () => 'RFC 3339 in UTC, such as 2026-01-31T10:30:00Z',
}

/** `z.iso.datetime({ offset: true, local: true })`: a date-time whose zone may be missing, then its seconds too. */
export const localInstant: TextFormat = {
  test: (text) => isTimestamp(text) || isTimestamp(`${text}Z`) || isTimestamp(`${text}:00Z`),
  toString: () => 'RFC 3339 with or without time zone',
}
