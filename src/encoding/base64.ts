/**
 * Base64 (RFC 4648, section 4), whole and in chunks.
 *
 * Each chunk of a file is encoded by itself. The concatenation of encoded chunks is Base64 of the file only
 * if every chunk but the last encodes to whole groups of four characters.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4648#section-4
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The value of each character, by its code; 255 for characters outside the alphabet. */
const sextetOf: Uint8Array = /* @__PURE__ */ decodingTable()

function decodingTable(): Uint8Array {
  const table = new Uint8Array(128).fill(255)
  for (let i = 0; i < ALPHABET.length; i++) table[ALPHABET.charCodeAt(i)] = i
  return table
}

/** The number of characters before the padding; -1 if the text is not Base64. */
function unpaddedLength(text: string): number {
  let length = text.length
  if (length % 4 === 0 && text.endsWith('=')) length -= text.endsWith('==') ? 2 : 1
  if (length % 4 === 1) return -1
  for (let i = 0; i < length; i++) if ((sextetOf[text.charCodeAt(i)] ?? 255) === 255) return -1
  return length
}

/** Whether a text is Base64, with or without padding. */
export function isBase64(text: string): boolean {
  return unpaddedLength(text) !== -1
}

/** The number of bytes a Base64 text encodes. */
export function base64Size(text: string): number {
  return Math.floor((unpaddedLength(text) * 3) / 4)
}

/** Whether other Base64 can be appended to a text: it is Base64 of whole groups, without padding. */
export function isJoinable(text: string): boolean {
  return text.length % 4 === 0 && !text.endsWith('=') && isBase64(text)
}

/** Decodes Base64 with or without padding; `undefined` if the text is not Base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const length = unpaddedLength(text)
  if (length === -1) return undefined
  const bytes = new Uint8Array(Math.floor((length * 3) / 4))
  let at = 0
  let bits = 0
  for (let i = 0; i < length; i++) {
    bits = (bits << 6) | (sextetOf[text.charCodeAt(i)] ?? 0)
    if (i % 4 === 0) continue
    bytes[at++] = (bits >>> (6 - 2 * (i % 4))) & 255
  }
  return bytes
}

/** Encodes bytes as Base64, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  const whole = bytes.length - (bytes.length % 3)
  for (let i = 0; i < whole; i += 3) text += encodeGroup(bytes[i], bytes[i + 1], bytes[i + 2])
  if (whole === bytes.length) return text
  const unpadded = bytes.length - whole + 1
  return (
    text +
    encodeGroup(bytes[whole], bytes[whole + 1], 0)
      .slice(0, unpadded)
      .padEnd(4, '=')
  )
}

function encodeGroup(a = 0, b = 0, c = 0): string {
  const third = ((b & 15) << 2) | (c >>> 6)
  return character(a >>> 2) + character(((a & 3) << 4) | (b >>> 4)) + character(third) + character(c & 63)
}

function character(bits: number): string {
  return ALPHABET.charAt(bits)
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
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    // A byte order mark is part of the file.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
