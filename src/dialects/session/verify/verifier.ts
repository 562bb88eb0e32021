/** Verifies a session. */

import { boundedGet, boundedSet, boundedValues } from '../../../core/bounded-map/bounded-map.ts'
import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireOneOf } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { readVerifierOptions } from '../../../rules/options.ts'
import type { VerifyMode } from '../../../rules/rule.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { readNamed, textOf } from '../wire/coerce.ts'
import type { SessionDirection } from '../wire/names.ts'
import { checkConnection, checkDelivery, checkEnvelope, checkPayload } from './connection.ts'
import { CheckContext, type CheckSettings, type Checks } from './context.ts'
import { endedItems, pairChecks } from './pair.ts'
import { checkAttempt, checkStage, roundChecks } from './round.ts'
import type { SessionViolation } from './rule-names.ts'
import { ruleMeta } from './rules.ts'
import { initialState, newRound, type SessionVerifierState } from './state.ts'

/** Options of {@link sessionVerifier}. */
export interface SessionVerifierOptions {
  /**
   * How much is checked. `lenient` accepts what real servers send: their spelling, several tasks at once, and runs that
   * end without a pipeline.
   *
   * @defaultValue `'standard'`
   */
  readonly mode?: VerifyMode
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

const checks: readonly Checks[] = [roundChecks, pairChecks]

/**
 * Verifies the sessions of a connection against {@link sessionRules}, event by event. The outputs are violations. After
 * a violation the verifier continues as if the event were legal, so that one mistake is reported once. Never throws on
 * data.
 *
 * The end reports what was left open.
 *
 * The state is plain JSON and bounded: it holds the 4096 to 8192 most recently used sessions and open items.
 *
 * Diagnostics:
 *
 * - `state-evicted`: there were more of them; from then on, an end without a start is no violation
 * - `invalid-event`: the input has no event name
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
  const { mode, startIndex } = readVerifierOptions(options, ['direction'])
  const { direction } = options
  if (direction !== undefined) requireOneOf('direction', direction, ['client', 'server'])
  const isJoinedLate = startIndex > 0
  const settings: CheckSettings = { rules: ruleMeta, mode, direction, isJoinedLate }
  const phase = isJoinedLate ? 'open' : 'new'
  const machine: Machine<SessionVerifierState, { readonly event: string }, SessionViolation> = {
    initial: { ...initialState, eventIndex: startIndex, isConnected: isJoinedLate },
    step(state, input) {
      const builder = new StepBuilder<SessionVerifierState, SessionViolation>(state)
      const event = readNamed(builder, input)
      builder.update({ eventIndex: state.eventIndex + 1 })
      if (event === undefined) return builder.done()
      const session = textOf(fieldsOf(event).session_id) || state.session
      const round = boundedGet(state.sessions, session) ?? { ...newRound, phase }
      const context = new CheckContext(state, round, event, session, settings)
      checkEnvelope(context)
      checkConnection(context)
      checkPayload(context)
      checkDelivery(context)
      checkStage(context)
      checkAttempt(context)
      for (const table of checks) {
        if (Object.hasOwn(table, context.name)) table[context.name]?.(context)
      }
      context.state.sessions = boundedSet(state.sessions, session, context.round).map
      context.state.eventIndex++
      return context.stepTo(context.state)
    },
    end(state) {
      const open = [...boundedValues(state.open)].filter(({ type }) => endedItems.has(type))
      const out = open
        .sort((a, b) => a.eventIndex - b.eventIndex)
        .flatMap(({ type, id, session, eventIndex }) => {
          const context = new CheckContext(state, newRound, { event: '' }, session, settings)
          const actual = `${type} ${id}`
          const message = `Expected an end of ${actual} before the end of the session, got none.`
          context.report('left-open', message, { actual, relatedEventIndex: eventIndex })
          return context.violations
        })
      return { state: { ...state, open: initialState.open }, out }
    },
  }
  return opaque(machine)
}
