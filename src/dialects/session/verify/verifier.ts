/** Verifies a session. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireInteger, requireObject, requireOneOf } from '../../../core/require.ts'
import type { SessionDirection } from '../wire/names.ts'
import { CheckContext, violationOf } from './check-context.ts'
import { checkAttempt } from './check-counts.ts'
import { eventChecks } from './check-events.ts'
import { checkConnection, checkDelivery, checkEnvelope, checkPayload, checkStage } from './check-session.ts'
import type { SessionViolation } from './rules.ts'
import { isCounter, noAnswer, type SessionVerifierState } from './state.ts'

/** Options of {@link sessionVerifier}. */
export interface SessionVerifierOptions {
  /**
   * `strict` verifies all rules. `lenient` verifies what real servers comply with: it skips the rules
   * marked `strictOnly`, and solving may start once per task.
   *
   * @defaultValue `'strict'`
   */
  readonly mode?: 'strict' | 'lenient'
  /** The side that sends all events of the stream. Omitted: the stream has both sides. */
  readonly direction?: SessionDirection
  /**
   * Position of the first event that will be passed: an integer from 0. Above 0 the session counts as
   * open, and what ends may have started before.
   *
   * @defaultValue 0
   */
  readonly startIndex?: number
}

/** The input of {@link sessionVerifier}: any event of either side, decoded or not. */
export interface VerifiedEvent {
  /** The name of the event. */
  readonly event: string
}

/**
 * Verifies a session against {@link sessionRules}, event by event. The outputs are violations. After a
 * violation the verifier continues as if the event were legal, so that one mistake is reported once.
 *
 * The end reports what was left open.
 *
 * Diagnostics: `state-evicted` if more than 1024 items are open at once; `detail` names the oldest, which
 * is no longer tracked.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const verifier = run(sessionVerifier())
 * for (const event of events) for (const { rule, path } of verifier.push(event)) console.warn(rule, path)
 * ```
 *
 * @see docs/spec/event-payloads.md
 */
export function sessionVerifier(
  options: SessionVerifierOptions = {},
): Machine<MachineState<'sessionVerifier'>, { readonly event: string }, SessionViolation> {
  requireObject('options', options)
  const { mode = 'strict', direction, startIndex = 0 } = options
  requireOneOf('mode', mode, ['strict', 'lenient'])
  if (direction !== undefined) requireOneOf('direction', direction, ['client', 'server'])
  requireInteger('startIndex', startIndex, 0)
  const machine: Machine<SessionVerifierState, VerifiedEvent, SessionViolation> = {
    initial: {
      eventIndex: startIndex,
      phase: startIndex > 0 ? 'open' : 'new',
      stage: 'idle',
      tasks: null,
      answer: noAnswer,
      open: {},
      highest: -1,
      acked: -1,
      requests: [],
    },
    step(state, event) {
      const context = new CheckContext(state, event, options)
      checkEnvelope(context, direction)
      checkConnection(context)
      checkPayload(context)
      checkDelivery(context)
      checkStage(context)
      checkAttempt(context)
      if (Object.hasOwn(eventChecks, context.name)) eventChecks[context.name]?.(context)
      return context.done()
    },
    end(state) {
      const { eventIndex } = state
      const open = Object.keys(state.open).filter((key) => !isCounter(key))
      const out = open.map((actual) =>
        violationOf('left-open', `Expected an end of ${actual} before the end of the session.`, {
          eventIndex,
          actual,
        }),
      )
      return { state: { ...state, open: {} }, out }
    },
  }
  return opaque(machine)
}
