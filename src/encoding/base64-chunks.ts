/**
 * Base64 (RFC 4648, section 4) in pieces: each chunk of a file is encoded by itself, and joined they
 * are not the Base64 of the file unless all but the last end with a whole group.
 */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The six bits of each letter, by its code; 255 for what is no letter. */
const bitsOf: Uint8Array = new Uint8Array(128).fill(255)
for (let i = 0; i < LETTERS.length; i++) bitsOf[LETTERS.charCodeAt(i)] = i

/** How many characters of a text say something: all but the padding. -1 when it is not Base64. */
function lengthOf(text: string): number {
  let length = text.length
  if (length % 4 === 0 && text.endsWith('=')) length -= text.endsWith('==') ? 2 : 1
  if (length % 4 === 1) return -1
  for (let i = 0; i < length; i++) if ((bitsOf[text.charCodeAt(i)] ?? 255) === 255) return -1
  return length
}

/** Whether a text is Base64, with or without padding at its end. */
export function isBase64(text: string): boolean {
  return lengthOf(text) !== -1
}

/** How many bytes a text that is Base64 stands for. */
export function base64Size(text: string): number {
  return Math.floor((lengthOf(text) * 3) / 4)
}

/** Whether a text is Base64 that more can be joined to: whole groups without padding. */
export function isJoinable(text: string): boolean {
  return text.length % 4 === 0 && !text.endsWith('=') && isBase64(text)
}

/** The bytes of a text; `undefined` when it is not Base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const length = lengthOf(text)
  if (length === -1) return undefined
  const bytes = new Uint8Array(Math.floor((length * 3) / 4))
  let at = 0
  let held = 0
  for (let i = 0; i < length; i++) {
    held = (held << 6) | (bitsOf[text.charCodeAt(i)] ?? 0)
    if (i % 4 === 0) continue
    bytes[at++] = (held >>> (6 - 2 * (i % 4))) & 255
  }
  return bytes
}

/** Bytes as Base64, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  const whole = bytes.length - (bytes.length % 3)
  for (let i = 0; i < whole; i += 3) text += groupOf(bytes[i], bytes[i + 1], bytes[i + 2])
  if (whole === bytes.length) return text
  const known = bytes.length - whole + 1
  return (
    text +
    groupOf(bytes[whole], bytes[whole + 1], 0)
      .slice(0, known)
      .padEnd(4, '=')
  )
}

function groupOf(a = 0, b = 0, c = 0): string {
  const last = ((b & 15) << 2) | (c >>> 6)
  return letter(a >>> 2) + letter(((a & 3) << 4) | (b >>> 4)) + letter(last) + letter(c & 63)
}

function letter(bits: number): string {
  return LETTERS.charAt(bits)
}

/** Bytes as Base64: whole groups, and apart from them what does not make a group. */
export interface Base64Pieces {
  readonly base64: string
  readonly rest?: string
}

/** What there is with one more chunk; `undefined` when the chunk is not Base64. */
export function withChunk({ base64, rest }: Base64Pieces, chunk: string): Base64Pieces | undefined {
  if (rest === undefined && isJoinable(chunk)) return { base64: base64 + chunk }
  const bytes = fromBase64(chunk)
  if (bytes === undefined) return undefined
  const held = fromBase64(rest ?? '') ?? new Uint8Array()
  const all = new Uint8Array(held.length + bytes.length)
  all.set(held)
  all.set(bytes, held.length)
  const whole = all.length - (all.length % 3)
  const groups = base64 + toBase64(all.subarray(0, whole))
  return whole === all.length ? { base64: groups } : { base64: groups, rest: toBase64(all.subarray(whole)) }
}
