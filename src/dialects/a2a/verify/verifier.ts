/** Verification of a whole stream: the order that servers enforce and clients rely on. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { readVerifierOptions } from '../../../rules/options.ts'
import type { VerifyMode } from '../../../rules/rule.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { type A2aVersion, requireVersion } from '../wire/version.ts'
import { readItem } from './item.ts'
import type { A2aViolation } from './rules.ts'
import { StreamChecker } from './stream-checker.ts'
import { initialStreamState, type StreamState } from './stream-state.ts'
import { validateA2aEvent } from './validate-event.ts'

/** Options of {@link a2aVerifier}. */
export interface A2aVerifierOptions {
  /** The A2A version of the stream. */
  readonly version: A2aVersion
  /** How much is checked. @defaultValue `'standard'` */
  readonly mode?: VerifyMode
  /**
   * The position of the first item in the stream, from 0. If it is not 0, the stream was joined late: a missing task and
   * unknown artifacts are not violations.
   * @defaultValue `0`
   */
  readonly startIndex?: number
}

/**
 * Checks the items of one A2A stream against {@link a2aRules}: each by {@link validateA2aEvent}, and their order. Items
 * are given by themselves, without a JSON-RPC response around them. Never throws on data, and never stops.
 *
 * The streams of one task may follow each other, for example after an input: each ends with an item for which
 * {@link isA2aStreamEnd} is true. A truncated stream is valid. In 0.3 a stream may start with any item.
 *
 * The state is plain JSON and bounded: it holds the 4096 to 8192 most recently used artifacts and messages each.
 *
 * Diagnostics:
 *
 * - `state-evicted`: there were more artifacts or messages than the state holds; from then on, appending to an unknown
 *   artifact is not a violation
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const { push } = run(a2aVerifier({ version: '1.0', mode: 'strict' }))
 * const violations = items.flatMap((item) => push(item))
 * ```
 */
export function a2aVerifier(
  options: A2aVerifierOptions,
): Machine<MachineState<'a2aVerifier'>, unknown, A2aViolation> {
  const { mode, startIndex } = readVerifierOptions(options, ['version'])
  const { version } = options
  requireVersion(version)
  const machine: Machine<StreamState, unknown, A2aViolation> = {
    initial: initialStreamState(startIndex),
    step(state, input) {
      const issues = validateA2aEvent(version, input)
      const item = issues.length === 0 ? readItem(version, input as Fields) : undefined
      const checker = new StreamChecker(state, version, mode, item, input)
      if (item !== undefined) checker.check(item)
      for (const { message, path } of issues) checker.report('invalid-item', message, { path })
      return checker.done()
    },
    end: (state) => ({ state, out: [] }),
  }
  return opaque(machine)
}
