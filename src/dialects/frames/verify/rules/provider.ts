/** Rules of provider events. */

import { defineRule, ERROR_LENIENT_WARN, type Rules } from '../../../../rules/rule.ts'
import type { ProviderEventFrame } from '../../wire/types.generated.ts'
import type { FrameContext } from '../context.ts'
import type { ProviderRuleName } from '../rule-names.ts'

export const providerRules: Rules<ProviderRuleName> = {
  'provider-events': defineRule(
    'F10',
    'stated',
    ERROR_LENIENT_WARN,
    'No provider event is missing, and each has the fields of its status.',
  ),
}

export interface WithProvider {
  /** The `sequence_number` of the last provider event. `null` if it had none. */
  readonly providerSequence: number | null
}

export function checkProviderEvent(
  context: FrameContext<WithProvider>,
  { status, data = null, raw = null, errors }: ProviderEventFrame,
): void {
  const report = (message: string, path: string, expected?: unknown): void =>
    context.report('provider-events', message, { path, ...(expected !== undefined && { expected }) })
  const isEvent = status === 'event'
  // A transport failure is an event with errors and without data.
  if (isEvent && data === null && errors.length === 0) {
    report('Expected data or errors with status "event", got neither.', '/data')
  }
  if (!isEvent && data !== null) report(`Expected no data with status "${status}", got some.`, '/data')
  if (status === 'invalid_json' && raw === null) {
    report('Expected the raw text with status "invalid_json", got none.', '/raw')
  }
  if (status === 'invalid_json' && errors.length === 0) {
    report('Expected errors with status "invalid_json", got none.', '/errors')
  }

  // Providers that number their events use this field.
  const number = isEvent ? (data as { sequence_number?: unknown } | null)?.sequence_number : undefined
  const before = context.stream.providerSequence
  const sequence = Number.isSafeInteger(number) ? (number as number) : null
  context.stream.providerSequence = sequence
  if (before !== null && sequence !== null && sequence > before + 1 && !context.stream.hasGap) {
    const message = `Expected sequence_number ${before + 1}, got ${sequence}.`
    report(message, '/data/sequence_number', before + 1)
  }
}
