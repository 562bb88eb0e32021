/** The findings of a recording: listed up to a number, and counted. */

import type { Finding, Severity } from '../check/finding.ts'

/** More findings are only counted. */
const MAX_LISTED = 1000
/** More rules and codes are counted as `other`: a hostile recording may cause any number of them. */
const MAX_RULES = 256

/** Collects findings, each of bounded size. */
export class FindingList {
  readonly listed: Finding[] = []
  readonly bySeverity: Record<Severity, number> = { error: 0, warn: 0, info: 0 }
  readonly #byRule = new Map<string, number>()

  add(finding: Finding): void {
    this.bySeverity[finding.severity]++
    const name = finding.rule ?? finding.code ?? ''
    const key = this.#byRule.has(name) || this.#byRule.size < MAX_RULES ? name : 'other'
    this.#byRule.set(key, (this.#byRule.get(key) ?? 0) + 1)
    if (this.listed.length < MAX_LISTED) this.listed.push(finding)
  }

  get byRule(): Record<string, number> {
    return Object.fromEntries(this.#byRule)
  }
}
