/** Comparing what an implementation gives with what is expected. */
import { toPointer } from '../../encoding/pointer.ts'

/** One place where two JSON values differ. */
export interface Difference {
  /** JSON Pointer to the place. */
  readonly path: string
  /** The expected value. Omitted if there should be none. */
  readonly expected?: unknown
  /** The value found. Omitted if there is none. */
  readonly actual?: unknown
}

/** More differences of one case are not listed. */
const MOST = 3

/** Where two JSON values differ, at most three places. Empty if they are equal. */
export function differences(expected: unknown, actual: unknown): Difference[] {
  const found: Difference[] = []
  collect(expected, actual, [], found)
  return found
}

function collect(
  expected: unknown,
  actual: unknown,
  path: readonly (string | number)[],
  found: Difference[],
): void {
  if (found.length >= MOST || expected === actual) return
  if (!isComposite(expected) || !isComposite(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    found.push({ path: toPointer(path), expected, actual })
    return
  }
  for (const name in expected) {
    const inner = [...path, name]
    if (!Object.hasOwn(actual, name)) found.push({ path: toPointer(inner), expected: expected[name] })
    else collect(expected[name], actual[name], inner, found)
    if (found.length >= MOST) return
  }
  // Without a list of them: the command may answer with a great many.
  for (const name in actual) {
    if (Object.hasOwn(expected, name)) continue
    found.push({ path: toPointer([...path, name]), actual: actual[name] })
    if (found.length >= MOST) return
  }
}

function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** A difference as a line of text. */
export function describeDifference({ path, ...difference }: Difference): string {
  const expected = 'expected' in difference ? shortened(difference.expected) : 'nothing'
  const actual = 'actual' in difference ? shortened(difference.actual) : 'nothing'
  return `${path === '' ? 'the output' : path}: expected ${expected}, got ${actual}`
}

/** Longer values are cut off. */
const LONGEST = 120

function shortened(value: unknown): string {
  const text = textOf(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing'
  } catch {
    // The stack overflows.
    return 'a value that is nested too deeply'
  }
}
