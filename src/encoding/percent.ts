/** Any text as plain ASCII without separators, and back. For ids made of several texts. */

/** Unreserved characters of RFC 3986: what stands for itself. */
const RESERVED = /[^A-Za-z0-9\-._~]/gu
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g
/** Half a surrogate pair, as three bytes: UTF-8 has no form for it, but JSON texts may hold one. */
const HALF_PAIR = /%ED%([AB][0-9A-F])%([89AB][0-9A-F])/gi

/** Writes every character but letters, digits and `-._~` as percent-encoded UTF-8. Never throws. */
export function percentEncode(text: string): string {
  return text.replace(RESERVED, (character) => {
    const code = character.charCodeAt(0)
    if (character.length === 1 && code >= 0xd800 && code <= 0xdfff) {
      return `%ED%${hex(0x80 | ((code >> 6) & 0x3f))}%${hex(0x80 | (code & 0x3f))}`
    }
    // Leaves five characters alone that do not stand for themselves here.
    return encodeURIComponent(character).replace(/[!'()*]/, (rest) => `%${hex(rest.charCodeAt(0))}`)
  })
}

/** Reads what {@link percentEncode} writes; `undefined` when an escape is none. Never throws. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    const decoded = text.replace(ESCAPES, decodeRun)
    // A percent sign that begins no escape.
    return /%(?![0-9A-Fa-f]{2})/.test(text) ? undefined : decoded
  } catch {
    return undefined
  }
}

/** Decodes a run of escapes around half pairs, which the platform refuses. */
function decodeRun(run: string): string {
  let decoded = ''
  let at = 0
  for (const match of run.matchAll(HALF_PAIR)) {
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
