/** Rules of provider events. */
import type { ProviderEventFrame } from '../wire/session-types.ts'
import type { Report } from './report.ts'
import type { VerifiedStream } from './state.ts'

/** Checks a `provider_event` frame. Returns the stream after it. */
export function checkProviderEvent(
  stream: VerifiedStream,
  { status, data = null, raw = null, errors }: ProviderEventFrame,
  report: Report,
): VerifiedStream {
  const rule = 'provider-events'
  const isEvent = status === 'event'
  // A transport failure is an event with errors and without data.
  if (isEvent && data === null && errors.length === 0) {
    report(rule, 'Expected data or errors with status "event", got neither.', '/data')
  }
  if (!isEvent && data !== null) report(rule, `Expected no data with status "${status}".`, '/data')
  if (status === 'invalid_json' && raw === null) {
    report(rule, 'Expected the raw text with status "invalid_json", got none.', '/raw')
  }
  if (status === 'invalid_json' && errors.length === 0) {
    report(rule, 'Expected errors with status "invalid_json", got none.', '/errors')
  }

  // Providers that number their events use this field.
  const number = isEvent ? (data as { sequence_number?: unknown } | null)?.sequence_number : undefined
  const { providerSequence: before, ...details } = stream.details
  if (!Number.isSafeInteger(number)) return before === undefined ? stream : { ...stream, details }
  const providerSequence = number as number
  if (before !== undefined && providerSequence > before + 1 && !stream.hasGap) {
    const message = `Expected sequence_number ${before + 1}, got ${providerSequence}.`
    report(rule, message, '/data/sequence_number', { expected: before + 1 })
  }
  return { ...stream, details: { ...details, providerSequence } }
}
