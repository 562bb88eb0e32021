/** The messages of the binary event stream of AWS (`application/vnd.amazon.eventstream`). */

/** The lengths and their checksum, before the headers. */
const PRELUDE = 12
/** The checksum after the payload. */
const CHECKSUM = 4
const SHORTEST = PRELUDE + CHECKSUM
/** No message is longer, by the specification: 16 MiB of payload and 128 KiB of headers. */
const LONGEST = 2 ** 24 + 2 ** 17 + SHORTEST

/** A message that begins at a position of some bytes. */
export type AwsMessage =
  /** More bytes are needed. */
  | { readonly status: 'incomplete' }
  /** The lengths are wrong: what follows cannot be read. */
  | {
      readonly status: 'broken'
      readonly code: 'invalid-checksum' | 'invalid-message'
      readonly fault: string
    }
  | {
      readonly status: 'read'
      readonly length: number
      /** Those that are text, as all of Bedrock are. */
      readonly headers: ReadonlyMap<string, string>
      readonly payload: Uint8Array
      /** Whether the checksum is right. */
      readonly isIntact: boolean
    }

/** Reads the message at the start of some bytes. */
export function awsMessage(bytes: Uint8Array): AwsMessage {
  if (bytes.length < PRELUDE) return { status: 'incomplete' }
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [length, headersLength] = [view.getUint32(0), view.getUint32(4)]
  if (length < SHORTEST || length > LONGEST || headersLength > length - SHORTEST) {
    const fault = `Expected a message of ${SHORTEST} to ${LONGEST} bytes with its headers, got one of ${length} with ${headersLength} of headers; the rest cannot be read.`
    return { status: 'broken', code: 'invalid-message', fault }
  }
  if (crc32(bytes.subarray(0, PRELUDE - CHECKSUM)) !== view.getUint32(PRELUDE - CHECKSUM)) {
    const fault =
      'Expected lengths that fit their checksum, got some that were changed; the rest cannot be read.'
    return { status: 'broken', code: 'invalid-checksum', fault }
  }
  if (bytes.length < length) return { status: 'incomplete' }
  const end = length - CHECKSUM
  const headersEnd = PRELUDE + headersLength
  return {
    status: 'read',
    length,
    headers: textHeaders(bytes.subarray(PRELUDE, headersEnd)),
    payload: bytes.subarray(headersEnd, end),
    isIntact: crc32(bytes.subarray(0, end)) === view.getUint32(end),
  }
}

/** How many bytes the value of a header has, by its type. Of those that are not listed, the value states it. */
const sizes: ReadonlyMap<number, number> = /* @__PURE__ */ new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
])
/** The type of a header that is text. */
const TEXT = 7

function textHeaders(bytes: Uint8Array): Map<string, string> {
  const decoder = new TextDecoder()
  const headers = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const nameEnd = at + 1 + (bytes[at] ?? 0)
    const type = bytes[nameEnd] ?? 0
    const size = sizes.get(type)
    const start = nameEnd + (size === undefined ? 3 : 1)
    const end = start + (size ?? (bytes[nameEnd + 1] ?? 0) * 256 + (bytes[nameEnd + 2] ?? 0))
    if (type === TEXT) {
      headers.set(decoder.decode(bytes.subarray(at + 1, nameEnd)), decoder.decode(bytes.subarray(start, end)))
    }
    at = end
  }
  return headers
}

const POLYNOMIAL = 0xedb88320

const table: Uint32Array = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  return value
})

/** The checksum CRC-32 of ISO 3309, as an unsigned integer. */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 255] ?? 0)
  return ~sum >>> 0
}
