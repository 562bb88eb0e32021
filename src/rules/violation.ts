/** Violations of rules, and the workspace in which the checks of one event report them. */

import { type BoundedMap, boundedSet } from '../core/bounded-map/bounded-map.ts'
import type { Diagnostic, Step } from '../core/machine.ts'
import { readPointer } from '../encoding/pointer.ts'
import type { Rules, VerifyMode } from './rule.ts'

/** An event, or the end of a stream, that breaks a rule. */
export interface Violation<Name extends string = string> {
  /** The rule that is broken. */
  rule: Name
  /** The severity in the verifier's mode. */
  severity: 'error' | 'warn'
  /** Human-readable, in English. May change in any release. */
  message: string
  /**
   * Position of the event in the stream, counted from `startIndex`. For a violation found at the end of the
   * stream, the position after the last event.
   */
  eventIndex: number
  /** Position of the earlier event that this one contradicts. Omitted if there is none, or it is not stored. */
  relatedEventIndex?: number
  /** Omitted if the event has no valid `contextId`, or the violation concerns the whole stream. */
  contextId?: string
  /** Omitted if the event has no valid `taskId`, or the violation concerns the whole stream. */
  taskId?: string
  /** JSON Pointer to the field that breaks the rule. Omitted for the whole event and the end of the stream. */
  path?: string
  /** The expected value. Omitted if more than one value would be right. */
  expected?: unknown
  /** The value found. Omitted if there is none. */
  actual?: unknown
}

/** What a violation adds to its rule and its message. */
export type ViolationDetails<V extends Violation> = Partial<Omit<V, 'rule' | 'severity' | 'message'>>

const noDiagnostics: readonly Diagnostic[] = []

type Details<V extends Violation> = ViolationDetails<V> & { readonly severity?: 'warn' }

/** Collects the violations of one event. */
export class ViolationReporter<Name extends string, V extends Violation<Name> = Violation<Name>> {
  readonly violations: V[] = []
  #diagnostics: readonly Diagnostic[] = noDiagnostics
  readonly #rules: Rules<Name>
  readonly #mode: VerifyMode
  readonly #place: ViolationDetails<V> | undefined
  readonly #valueAt: ((path: string) => unknown) | undefined

  /**
   * @param place - What all violations of the event have in common: at least its `eventIndex`. Omitted: a subclass
   * overrides {@link place}, for events of which there are so many that an object for each takes long.
   * @param valueAt - Reads what violations with a `path` state as `actual`. Omitted: the checks state it.
   */
  constructor(
    rules: Rules<Name>,
    mode: VerifyMode,
    place?: ViolationDetails<V>,
    valueAt?: (path: string) => unknown,
  ) {
    this.#rules = rules
    this.#mode = mode
    this.#place = place
    this.#valueAt = valueAt
  }

  /** Whether violations state the value in the event itself, whatever a check read of it. */
  get hasInput(): boolean {
    return this.#valueAt !== undefined
  }

  /** What all violations of the event have in common. */
  protected place(): ViolationDetails<V> | undefined {
    return this.#place
  }

  /** Whether violations of a rule are reported in the verifier's mode. */
  isEnabled(rule: Name): boolean {
    return this.#rules[rule].severity[this.#mode] !== 'off'
  }

  /**
   * Reports a violation with the severity of its rule in the verifier's mode; not at all if that is `off`.
   *
   * @param details - Where and what. `severity` lowers that of the rule.
   */
  report(rule: Name, message: string, details: Details<V> = {}): void {
    const severity = this.#rules[rule].severity[this.#mode]
    if (severity === 'off') return
    const { path } = details as ViolationDetails<Violation>
    const actual = path === undefined ? undefined : this.#valueAt?.(path)
    this.violations.push({
      rule,
      severity,
      message,
      ...this.place(),
      ...(actual !== undefined && { actual }),
      ...details,
    } as unknown as V)
  }

  /**
   * Sets an entry of a bounded map of a state. Returns whether others were evicted for it, which is reported.
   *
   * @param state - A copy, which is changed.
   * @param name - The map, which is also its name in the report.
   */
  store<Field extends string, T>(
    state: { [K in Field]: BoundedMap<T> },
    name: Field,
    key: string,
    value: T,
    generationSize?: number,
  ): boolean {
    const { map, hasEvicted } = boundedSet<T>(state[name], key, value, generationSize)
    state[name] = map
    if (hasEvicted) {
      const message = `Too many ${name}: evicted the least recently used.`
      this.diagnostic('state-evicted', message)
    }
    return hasEvicted
  }

  /** Reports a diagnostic. */
  diagnostic(code: string, message: string): void {
    this.#diagnostics = [...this.#diagnostics, { code, message }]
  }

  /** The step of a verifier to a state. */
  stepTo<State>(state: State): Step<State, V> {
    const { violations: out } = this
    return this.#diagnostics.length === 0 ? { state, out } : { state, out, diagnostics: this.#diagnostics }
  }
}

/** Reads the values of an event by the paths of violations. `undefined` at the end of the stream. */
export function valuesOf(input: unknown): ((path: string) => unknown) | undefined {
  return input === undefined ? undefined : (path) => readPointer(input, path)
}
