/** Verifies streams of AG-UI. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { describeValue, optional, requireBoolean } from '../../../core/require.ts'
import { readVerifierOptions } from '../../../rules/options.ts'
import type { VerifyMode } from '../../../rules/rule.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { decodeAgUiEvent } from '../wire/decode.ts'
import type { AgUiEvent, AgUiPatch, UnknownAgUiEvent } from '../wire/types/index.ts'
import { checkItem, endCallChunk, isItemEvent } from './check-item.ts'
import { checkPlace, checkStreamEnd } from './check-run.ts'
import { checkCustom, checkDelta, checkRaw, checkSnapshot, readMessages } from './check-state.ts'
import { AgUiContext, type AgUiViolation } from './context.ts'
import { type AgUiVerifierState, initialState } from './state.ts'

/** Options of {@link agUiVerifier}. */
export interface AgUiVerifierOptions {
  /**
   * How much is checked: {@link agUiRules} has the severity of each rule by mode.
   *
   * @defaultValue `'standard'`
   */
  readonly mode?: VerifyMode
  /**
   * The `eventIndex` of the first event. Above 0, the stream was joined late: earlier events are unknown.
   *
   * @defaultValue 0
   */
  readonly startIndex?: number
  /**
   * Whether the server declares shared state, so that its streams have a snapshot of it.
   *
   * @defaultValue `false`
   */
  readonly sharedState?: boolean
}

/**
 * Checks a stream of AG-UI events against {@link agUiRules}. Never throws on data and never stops: the host decides
 * what to do about a violation. Rules about the connection are listed, but need the bytes, which it does not see.
 *
 * Diagnostics: `state-evicted` if the stream has more ids than are stored; from then on, unknown ones are not
 * violations.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const { push, end } = run(agUiVerifier({ mode: 'strict' }))
 * const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
 * ```
 */
export function agUiVerifier(
  options: AgUiVerifierOptions = {},
): Machine<MachineState<'agUiVerifier'>, AgUiEvent | UnknownAgUiEvent, AgUiViolation> {
  const { mode, startIndex } = readVerifierOptions(options, ['sharedState'])
  const { sharedState } = options
  optional(requireBoolean, 'sharedState', sharedState)
  const machine: Machine<AgUiVerifierState, AgUiEvent | UnknownAgUiEvent, AgUiViolation> = {
    initial: initialState(startIndex),
    step(state, input) {
      const decoded = decodeAgUiEvent(input)
      const type = decoded.status === 'known' ? decoded.event.type : typeOf(input)
      const context = new AgUiContext(mode, state, input, type)
      if (decoded.status === 'unknown') {
        context.report('known-type', `Expected a type of AG-UI, got ${describeValue(decoded.kind)}.`, {
          path: '/type',
        })
      } else if (decoded.status === 'known') checkEvent(context, decoded.event.type, decoded.event as never)
      else checkMalformed(context, type, input, decoded.issues)
      context.state.nextIndex++
      return context.stepTo(context.state)
    },
    end(state) {
      const context = new AgUiContext(mode, state)
      checkStreamEnd(context)
      if (sharedState === true && !state.hasSnapshot) {
        context.report(
          'state-established',
          'Expected a STATE_SNAPSHOT, as the server shares state, got none.',
        )
      }
      if (!state.hasTimestamp && state.nextIndex > startIndex) {
        context.report('timestamps', 'Expected a timestamp in at least one event, got none.')
      }
      return context.stepTo(context.state)
    },
  }
  return opaque(machine)
}

/** The type of any value; `undefined` if it has none. */
function typeOf(input: unknown): string | undefined {
  try {
    return isFields(input) && typeof input.type === 'string' ? input.type : undefined
  } catch {
    return undefined
  }
}

/** Reports what is wrong with an event, and checks the rest of it. */
function checkMalformed(
  context: AgUiContext,
  type: string | undefined,
  input: unknown,
  issues: readonly { readonly path: string; readonly message: string }[],
): void {
  if (!isFields(input)) {
    context.report('payload-json', `Expected JSON of an object, got ${describeValue(input)}.`)
    return
  }
  for (const { path, message } of issues) {
    const isPatch = type === 'STATE_DELTA' && path.startsWith('/delta/')
    context.report(isPatch ? 'delta-is-patch' : 'well-formed', message, { path })
  }
  if (type !== undefined && !issues.some(({ path }) => path === '/type' || path === ''))
    checkEvent(context, type, input)
}

function checkEvent(context: AgUiContext, type: string, event: Fields): void {
  if (typeof event.timestamp === 'number') context.state.hasTimestamp = true
  if (!type.startsWith('TOOL_CALL_CHUNK')) endCallChunk(context)
  const { chunks } = context.state
  if (!type.endsWith('_CHUNK') && (chunks.text !== null || chunks.reasoning !== null)) {
    context.state.chunks = { ...chunks, text: null, reasoning: null }
  }
  if (!checkPlace(context, type, event)) return
  if (isItemEvent(type)) checkItem(context, type, event)
  else if (type === 'STATE_SNAPSHOT') checkSnapshot(context, event)
  else if (type === 'STATE_DELTA') {
    if (isPatch(event.delta)) checkDelta(context, event.delta)
  } else if (type === 'MESSAGES_SNAPSHOT') readMessages(context, event)
  else if (type === 'RAW') checkRaw(context, event)
  else if (type === 'CUSTOM') checkCustom(context, event)
}

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test']

function isPatch(delta: unknown): delta is AgUiPatch {
  return (
    Array.isArray(delta) && delta.every((each) => isFields(each) && OPERATIONS.includes(each.op as string))
  )
}
