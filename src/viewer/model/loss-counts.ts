/** What is lost or inferred, by code. */

/** More codes are counted together: a hostile recording may cause any number of them. */
const MAX_CODES = 256
const OTHERS = 'other'

/** Counts diagnostics. */
export class LossCounts {
  readonly #byCode: Map<string, number>

  /** @param before - What was lost before: it is counted as well. */
  constructor(before?: LossCounts) {
    this.#byCode = new Map(before?.byCode)
  }

  /** How often each code was reported. */
  get byCode(): ReadonlyMap<string, number> {
    return this.#byCode
  }

  add(code: string): void {
    const key = this.#byCode.has(code) || this.#byCode.size < MAX_CODES ? code : OTHERS
    this.#byCode.set(key, (this.#byCode.get(key) ?? 0) + 1)
  }
}

/** Whether something is lost. Values that were inferred are no loss. */
export function hasLoss(byCode: ReadonlyMap<string, number>): boolean {
  return [...byCode.keys()].some((code) => !code.startsWith('inferred:'))
}
