/** SSE streams and ways to cut them, for property tests. */
import fc from 'fast-check'

/** Text made of the elements of the SSE grammar. */
export const streamText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('data', 'event', 'id', 'retry', ':', ': ', 'x', '5', ' ', '\ufeff'),
      },
      { weight: 5, arbitrary: fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\n\r\n') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(`retry: ${'0'.repeat(20)}5\n`, `id: a\0${'b'.repeat(20)}\n`, 'idx: a\n'),
      },
      { weight: 2, arbitrary: fc.constantFrom('é', '東', '🦊', '\0', '\u2028', 'data: ok\n\n', 'id: 7\n') },
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

/** Where to cut, as fractions of the length. */
export const cuts: fc.Arbitrary<number[]> = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  maxLength: 12,
})

const positions = (length: number, at: readonly number[]): number[] =>
  [0, ...at.map((share) => Math.round(share * length)), length].sort((a, b) => a - b)

/** Cuts a text at these fractions of its length. Chunks may be empty, and may split a surrogate pair. */
export function cutText(text: string, at: readonly number[]): string[] {
  const all = positions(text.length, at)
  return all.slice(1).map((end, i) => text.slice(all[i], end))
}

/** Cuts bytes at these fractions of their length. */
export function cutBytes(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const all = positions(bytes.length, at)
  return all.slice(1).map((end, i) => bytes.subarray(all[i], end))
}

/** A text as UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
