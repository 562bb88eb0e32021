/** Reports the numbers of a message that change when it is parsed. */
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { inexactNumbers, mayBeInexact } from '../json/inexact-numbers.ts'

/** How many numbers of one message are reported. */
const MAX_NUMBERS = 32
const MAX_TEXT = 40

/** Reports the inexact numbers of the data of a message. */
export function reportInexactNumbers(data: string, diagnostics: Diagnostic[]): void {
  if (!mayBeInexact(data)) return
  for (const { path, text } of inexactNumbers(data, MAX_NUMBERS)) {
    const written = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
    diagnostics.push({
      code: 'inexact-number',
      message: `Expected a number that a double can hold, got ${written}, read as ${Number(text)}.`,
      path,
      detail: { text: written },
    })
  }
}

/** The length of `{"kind":"","contextId":"","taskId":"","delta":"","index":,"timestamp":""}`. */
const DELTA_LENGTH = 73
/** The length of `"thoughtId":"",`. */
const THOUGHT_LENGTH = 15

/**
 * Whether the data of a valid event is exactly as long as the text of its fields: then it holds no other fields, and
 * its only number is a valid index. Answers for most deltas, several times as fast as a search for long numbers.
 */
export function isBareDelta(event: ContextAnyEvent, data: string): boolean {
  const { delta } = event as { delta?: unknown }
  if (typeof delta !== 'string') return false
  const { kind, contextId, taskId, timestamp, index, thoughtId } = event as ContextAnyEvent & {
    index: unknown
    thoughtId?: unknown
  }
  // A larger index has spellings that are shorter by as much as another field takes, such as 1e9.
  if (typeof index !== 'number' || index >= 1e7) return false
  const length =
    DELTA_LENGTH + kind.length + contextId.length + taskId.length + delta.length + timestamp.length
  const more = typeof thoughtId === 'string' ? THOUGHT_LENGTH + thoughtId.length : 0
  return data.length === length + more + digitCount(index)
}

function digitCount(index: number): number {
  return index < 10 ? 1 : index < 100 ? 2 : index < 1000 ? 3 : String(index).length
}
