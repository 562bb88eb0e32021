/** Arbitraries of JSON values as a parser returns them. */
import fc from 'fast-check'

/**
 * Values that JSON preserves. Excludes `-0`, because `JSON.stringify(-0)` is `0`.
 *
 * Tests use this instead of `fc.jsonValue`, which generates `-0`, so that a round trip through text is the
 * identity.
 */
export function jsonValue(constraints?: fc.JsonSharedConstraints): fc.Arbitrary<fc.JsonValue> {
  return fc.jsonValue(constraints).map((value) => JSON.parse(JSON.stringify(value)) as fc.JsonValue)
}

/** A finite number from `min` to `max` that JSON preserves. */
export function jsonNumber(min: number, max: number): fc.Arbitrary<number> {
  return fc.double({ min, max, noNaN: true }).map((value) => value + 0)
}
