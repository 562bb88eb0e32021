/** Arbitrary JSON values, as a parser gives them. */
import fc from 'fast-check'

/**
 * Values that JSON keeps: `-0` is not among them, since `JSON.stringify(-0)` is `0`.
 *
 * Tests use this instead of `fc.jsonValue`, which generates `-0`, so that a round trip through text is the
 * identity.
 */
export function jsonValue(constraints?: fc.JsonSharedConstraints): fc.Arbitrary<fc.JsonValue> {
  return fc.jsonValue(constraints).map((value) => JSON.parse(JSON.stringify(value)) as fc.JsonValue)
}

/** A finite number from `min` to `max` that JSON keeps. */
export function jsonNumber(min: number, max: number): fc.Arbitrary<number> {
  return fc.double({ min, max, noNaN: true }).map((value) => value + 0)
}
