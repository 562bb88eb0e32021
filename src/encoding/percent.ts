/** Percent-encoding: any text as ASCII without separators. For ids that are composed of several texts. */

import { isWellFormed } from './surrogates.ts'

/** Everything but the unreserved characters of RFC 3986. */
const RESERVED = /[^A-Za-z0-9\-._~]/gu
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g
/** An unpaired surrogate as three bytes (WTF-8): UTF-8 cannot encode it, but JSON strings may contain one. */
const UNPAIRED_SURROGATE = /%ED%([AB][0-9A-F])%([89AB][0-9A-F])/gi

/** Encodes every character but letters, digits and `-._~` as percent-encoded UTF-8. Never throws. */
export function percentEncode(text: string): string {
  return text.replace(RESERVED, (character) => {
    if (!isWellFormed(character)) {
      const code = character.charCodeAt(0)
      return `%ED%${hex((code >> 6) - 0x2c0)}%${hex(0x80 | (code & 0x3f))}`
    }
    // `encodeURIComponent` leaves five reserved characters as they are.
    return encodeURIComponent(character).replace(/[!'()*]/, (rest) => `%${hex(rest.charCodeAt(0))}`)
  })
}

/** Decodes the output of {@link percentEncode}; `undefined` if an escape is malformed. Never throws. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    const decoded = text.replace(ESCAPES, decodeRun)
    // A percent sign without two hexadecimal digits.
    return /%(?![0-9A-Fa-f]{2})/.test(text) ? undefined : decoded
  } catch {
    return undefined
  }
}

/** Decodes adjacent escapes. Unpaired surrogates are decoded here, because `decodeURIComponent` rejects them. */
function decodeRun(run: string): string {
  let decoded = ''
  let at = 0
  for (const match of run.matchAll(UNPAIRED_SURROGATE)) {
    const high = Number.parseInt(match[1] ?? '', 16)
    const low = Number.parseInt(match[2] ?? '', 16)
    decoded += decodeURIComponent(run.slice(at, match.index))
    decoded += String.fromCharCode(0xd000 | ((high & 0x3f) << 6) | (low & 0x3f))
    at = match.index + match[0].length
  }
  return decoded + decodeURIComponent(run.slice(at))
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}
