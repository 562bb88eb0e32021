/** Bytes to text, wherever the bytes are cut. */

const settings = { ignoreBOM: true }
const decoder: TextDecoder = /* @__PURE__ */ new TextDecoder('utf-8', settings)
/** Only ever given what leaves it nothing to remember: all streams share it. */
const streaming: TextDecoder = /* @__PURE__ */ new TextDecoder('utf-8', settings)

/** Whether the last chunk held more than ASCII: a guess at which way of decoding the next is faster. */
let isWide = false

/** Decodes bytes, all of them. On Node 20 and 22 each way is faster for one kind of text. */
function decode(bytes: Uint8Array): string {
  // Before a character that is not finished may be another that never will be.
  const isWhole = unfinished(bytes) === 0
  const text = isWide && isWhole ? streaming.decode(bytes, { stream: true }) : decoder.decode(bytes)
  isWide = text.length !== bytes.length
  return text
}

/** Text, and the bytes of a character whose end has not come yet (at most three). */
export interface DecodedBytes {
  readonly text: string
  readonly rest: readonly number[]
}

/**
 * Decodes UTF-8. Joined over all chunks the text is the same as decoding all bytes at once, also
 * for invalid bytes, which become U+FFFD.
 *
 * A `TextDecoder` kept in streaming mode would do the same, but its state could not be stored.
 *
 * @param rest - What the chunk before left over.
 */
export function decodeUtf8(rest: readonly number[], chunk: Uint8Array): DecodedBytes {
  let bytes = chunk
  if (rest.length > 0) {
    bytes = new Uint8Array(rest.length + chunk.length)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
  }
  const cut = bytes.length - unfinished(bytes)
  if (cut === bytes.length) return { text: decode(bytes), rest: [] }
  return { text: decode(bytes.subarray(0, cut)), rest: Array.from(bytes.subarray(cut)) }
}

/**
 * How many bytes at the end begin a character that is longer than that.
 *
 * Cutting before a lead byte is exact even when the sequence turns out to be invalid: a lead byte
 * ends whatever came before it.
 */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0x80 && byte < 0xc0) continue
    const length = byte >= 0xf5 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}
