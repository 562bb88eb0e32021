/**
 * Base64 (RFC 4648, section 4), whole and in chunks.
 *
 * Each chunk of a file is encoded by itself. The concatenation of encoded chunks is Base64 of the file only
 * if every chunk but the last encodes to whole groups of four characters.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4648#section-4
 */

/** The text without its padding, which fills the last group of four characters. */
function unpadded(text: string): string {
  return text.length % 4 === 0 ? text.replace(/==?$/, '') : text
}

/** Whether a text is Base64, with or without padding. */
export function isBase64(text: string): boolean {
  const digits = unpadded(text)
  return digits.length % 4 !== 1 && !/[^A-Za-z\d+/]/.test(digits)
}

/** The number of bytes a Base64 text encodes. */
export function base64Size(text: string): number {
  return Math.floor((unpadded(text).length * 3) / 4)
}

/** Whether other Base64 can be appended to a text: it is Base64 of whole groups, without padding. */
export function isJoinable(text: string): boolean {
  return text.length % 4 === 0 && !text.endsWith('=') && isBase64(text)
}

/** Decodes Base64 with or without padding; `undefined` if the text is not Base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  return isBase64(text) ? bytesOf(atob(text)) : undefined
}

/** The bytes that a text has as its characters. A loop: `Uint8Array.from` takes several times as long. */
function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** More arguments of a call may overflow the stack. */
const MAX_ARGUMENTS = 8192

/** Encodes bytes as Base64, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS)
    binary += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS))
  return btoa(binary)
}

/** Base64 that is still growing. */
export interface Base64Pieces {
  /** Whole groups, without padding. */
  readonly base64: string
  /** Base64 of the one or two bytes that do not fill a group. Omitted if there are none. */
  readonly rest?: string
}

/** Appends the bytes of one more chunk; `undefined` if the chunk is not Base64. */
export function appendBase64({ base64, rest }: Base64Pieces, chunk: string): Base64Pieces | undefined {
  if (rest === undefined && isJoinable(chunk)) return { base64: base64 + chunk }
  const bytes = fromBase64(chunk)
  if (bytes === undefined) return undefined
  const pending = fromBase64(rest ?? '') ?? new Uint8Array()
  const all = new Uint8Array(pending.length + bytes.length)
  all.set(pending)
  all.set(bytes, pending.length)
  const whole = all.length - (all.length % 3)
  const groups = base64 + toBase64(all.subarray(0, whole))
  return whole === all.length ? { base64: groups } : { base64: groups, rest: toBase64(all.subarray(whole)) }
}

/**
 * Rewrites Base64 as A2A requires it: standard alphabet, padded, no white space, unused bits zero. Accepts
 * the URL-safe alphabet and missing padding; `undefined` if the text is not Base64.
 */
export function canonicalBase64(text: string): string | undefined {
  try {
    return btoa(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

/** Whether two texts encode the same bits, the unused ones of the last group included. */
export function isSameBase64(text: string, canonical: string): boolean {
  return text === canonical || digitsOf(text) === digitsOf(canonical)
}

function digitsOf(text: string): string {
  return text
    .replace(/[\s=]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
}

/** Encodes the UTF-8 bytes of a text. */
export function textToBase64(text: string): string {
  return toBase64(new TextEncoder().encode(text))
}

/** Decodes Base64 of UTF-8 text; `undefined` if it is not Base64 or not UTF-8. */
export function base64ToText(base64: string): string | undefined {
  try {
    // A byte order mark is part of the file.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(atob(base64)))
  } catch {
    return undefined
  }
}
