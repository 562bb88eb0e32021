/** The property of every violation of every verifier: its values are those of the event. */
import { expect } from 'vitest'

/** What the violations of all verifiers have in common. */
export interface AnyViolation {
  readonly rule: string
  readonly message: string
  readonly eventIndex: number
  readonly path?: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/** A message that states the value that a field should have, or its bound. */
const STATED = /^Expected (\S+)(?: of at (?:most|least)| [<>]=)?(?: [a-z]+_[a-z_]+)? ("[^"]*"|\d+)[, ]/

/** Checks that the rules of a verifier have unique names, and summaries that stand alone. */
export function expectRules(rules: readonly { rule: string; id: string; summary: string }[]): void {
  expect(new Set(rules.map(({ rule }) => rule)).size).toBe(rules.length)
  expect(rules.filter(({ id }) => !/^[A-Z]+\d{2,3}$/.test(id))).toEqual([])
  expect(rules.filter(({ summary }) => !/^\S.*\w.*\.$/.test(summary))).toEqual([])
}

/**
 * Checks that `actual` is the value at the path of each violation, that a value stated in the message is `expected`,
 * and that the violation is gone once it is written there.
 *
 * @param derived - The rules whose values are computed from more than the field, such as a length or a stage.
 * @param startIndex - The position of the first event.
 */
export function expectViolationLaw<E>(
  verify: (events: readonly E[]) => readonly AnyViolation[],
  events: readonly E[],
  derived: readonly string[] = [],
  startIndex: number = 0,
): void {
  for (const violation of verify(events)) {
    const { rule, eventIndex, path, expected, actual } = violation
    const event = events[eventIndex - startIndex]
    // Expected seq 4, got 7.
    const [, field, stated] = STATED.exec(violation.message) ?? []
    if (stated !== undefined && path?.endsWith(`/${field}`)) {
      expect(violation).toMatchObject({ expected: JSON.parse(stated) })
    }
    if (path === undefined || event === undefined || derived.includes(rule)) continue
    if (actual !== undefined)
      expect({ violation, at: valueAt(event, path) ?? null }).toEqual({ violation, at: actual })
    if (expected === undefined) continue
    const mended = events.with(eventIndex - startIndex, withValueAt(event, path, expected))
    // What is written may be wrong for another reason: then something else is expected, or the value is as expected.
    const isSame = (other: AnyViolation): boolean =>
      other.rule === rule &&
      other.eventIndex === eventIndex &&
      other.path === path &&
      other.expected === expected &&
      other.actual !== expected
    expect({ violation, left: verify(mended).filter(isSame) }).toEqual({ violation, left: [] })
  }
}

function tokensOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAt(value: unknown, path: string): unknown {
  return tokensOf(path).reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | undefined)?.[key],
    value,
  )
}

function withValueAt<E>(event: E, path: string, value: unknown): E {
  const copy = structuredClone(event)
  const tokens = tokensOf(path)
  const last = tokens.pop()
  if (last === undefined) return value as E
  let holder = copy as Record<string, unknown>
  for (const token of tokens) {
    holder[token] ??= {}
    holder = holder[token] as Record<string, unknown>
  }
  holder[last] = value
  return copy
}
