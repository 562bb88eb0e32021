/** What the bytes of a recording are. */

/** The encoding of a text in UTF-16, by its byte order mark or its zero bytes. `undefined` for other bytes. */
export function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  return isLittle ? 'utf-16le' : undefined
}

const compressions: Readonly<Record<string, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  zip: [0x50, 0x4b, 0x03, 0x04],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
}

/** How bytes are compressed. `undefined` if they are not. */
export function compressionOf(bytes: Uint8Array): string | undefined {
  return Object.keys(compressions).find((name) => compressions[name]?.every((byte, i) => bytes[i] === byte))
}

/** Whether a text has replacement characters that its bytes do not have: they were no UTF-8. */
export function hasInvalidUtf8(text: string, rest: readonly number[], bytes: Uint8Array): boolean {
  let count = 0
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', at + 1)) count++
  if (count === 0) return false
  const all = [...rest, ...bytes.subarray(0, 3)]
  for (let i = 0; i < rest.length; i++) if (isReplacement(all, i)) count--
  for (let i = bytes.indexOf(0xef); i !== -1; i = bytes.indexOf(0xef, i + 1))
    if (isReplacement(bytes, i)) count--
  return count > 0
}

/** Whether the bytes from a position are those of U+FFFD. */
function isReplacement(bytes: ArrayLike<number>, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd
}

/** Bytes cut after each end of a line. */
export function* byteLines(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 10 && bytes[at] !== 13) continue
    yield bytes.subarray(start, at + 1)
    start = at + 1
  }
  if (start < bytes.length) yield bytes.subarray(start)
}
