/** The findings of a recording: listed up to a number, and counted. */

import type { Finding, Severity } from '../check/finding.ts'

/** More findings are only counted. */
const MAX_LISTED = 1000
/** More rules and codes are counted as `other`: a hostile recording may cause any number of them. */
const MAX_RULES = 256
/** Longer values are not kept. */
const LONGEST = 1000

/** Collects findings. */
export class FindingList {
  readonly listed: Finding[] = []
  readonly bySeverity: Record<Severity, number> = { error: 0, warn: 0, info: 0 }
  readonly #byRule = new Map<string, number>()

  add(finding: Finding): void {
    this.bySeverity[finding.severity]++
    const name = finding.rule ?? finding.code ?? ''
    const key = this.#byRule.has(name) || this.#byRule.size < MAX_RULES ? name : 'other'
    this.#byRule.set(key, (this.#byRule.get(key) ?? 0) + 1)
    if (this.listed.length < MAX_LISTED) this.listed.push(short(finding))
  }

  get byRule(): Record<string, number> {
    return Object.fromEntries(this.#byRule)
  }
}

/** Without values that are long: a finding may hold all of a value that is 64 Mi long. */
function short(finding: Finding): Finding {
  const { expected, actual, ...rest } = finding
  const message = rest.message.length > LONGEST ? `${rest.message.slice(0, LONGEST)}…` : rest.message
  return {
    ...rest,
    message,
    ...('expected' in finding && isShort(expected) && { expected }),
    ...('actual' in finding && isShort(actual) && { actual }),
  }
}

function isShort(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length <= LONGEST
}
