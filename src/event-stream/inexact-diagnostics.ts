/** Reports the numbers of a message that change when it is parsed. */
import type { Diagnostic } from '../core/machine.ts'
import { inexactNumbers, mayBeInexact } from '../json/inexact-numbers.ts'

/** How many numbers of one message are reported. */
const MAX_NUMBERS = 32
const MAX_TEXT = 40

/** Reports the inexact numbers of the data of a message. */
export function reportInexactNumbers(data: string, report: (diagnostic: Diagnostic) => void): void {
  if (!mayBeInexact(data)) return
  for (const { path, text } of inexactNumbers(data, MAX_NUMBERS)) {
    const written = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
    report({
      code: 'inexact-number',
      message: `Expected a number that a double can hold, got ${written}, read as ${Number(text)}.`,
      path,
      detail: { text: written },
    })
  }
}
