/** Incremental UTF-8 decoding with a state that can be stored. */

const settings = { ignoreBOM: true }
const decoder: TextDecoder = /* @__PURE__ */ new TextDecoder('utf-8', settings)
/** Shared by all streams: it only receives complete characters, so it never holds state. */
const streaming: TextDecoder = /* @__PURE__ */ new TextDecoder('utf-8', settings)

/** Predicts which decoder is faster for the next chunk. */
let lastChunkWasNonAscii = false

/** Decodes all bytes. On Node 20 and 22 the streaming decoder is faster for non-ASCII text, the other for ASCII. */
function decode(bytes: Uint8Array, isWhole: boolean): string {
  const text =
    lastChunkWasNonAscii && isWhole ? streaming.decode(bytes, { stream: true }) : decoder.decode(bytes)
  lastChunkWasNonAscii = text.length !== bytes.length
  return text
}

/** The result of decoding one chunk. */
export interface DecodedBytes {
  readonly text: string
  /** The bytes of the incomplete character at the end of the chunk: at most three. */
  readonly rest: readonly number[]
}

/**
 * Decodes one chunk of UTF-8. The concatenated results equal decoding all bytes at once; invalid bytes
 * become U+FFFD.
 *
 * A streaming `TextDecoder` does the same, but its state cannot be stored.
 *
 * @param rest - `rest` of the previous result; empty for the first chunk.
 */
export function decodeUtf8(rest: readonly number[], chunk: Uint8Array): DecodedBytes {
  let bytes = chunk
  if (rest.length > 0) {
    bytes = new Uint8Array(rest.length + chunk.length)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
  }
  const cut = bytes.length - incompleteLength(bytes)
  if (cut === bytes.length) return { text: decode(bytes, true), rest: [] }
  const before = bytes.subarray(0, cut)
  // The bytes before an incomplete character may end with another incomplete one.
  return { text: decode(before, incompleteLength(before) === 0), rest: Array.from(bytes.subarray(cut)) }
}

/**
 * The number of bytes of an incomplete character at the end.
 *
 * Cutting before a lead byte is exact even if the sequence turns out to be invalid, because a lead byte
 * terminates any sequence before it.
 */
function incompleteLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0x80 && byte < 0xc0) continue
    const length = byte >= 0xf5 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}
