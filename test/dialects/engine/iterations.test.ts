// Proves the laws of every writer, of texts and thoughts whose events state different model responses, some of which are discarded.
import fc from 'fast-check'
import { describe, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { eventOf } from '../../support/event-of.ts'
import { runs } from '../../support/runs.ts'
import { formats } from '../formats.ts'
import { expectWriterLaws } from '../writer-laws.ts'

const iteration = fc.constantFrom(undefined, 0, 1)
const content = fc.constantFrom('', 'a', 'ab')

const change = fc.oneof(
  fc.record({ kind: fc.constant('content-delta'), delta: content, index: fc.nat(2), iteration }),
  fc.record({ kind: fc.constantFrom('content-replace', 'content-complete'), content, iteration }),
  fc.record({ kind: fc.constant('iteration-reset'), iteration: fc.constantFrom(0, 1) }),
)

const revised: fc.Arbitrary<readonly ContextAnyEvent[]> = fc
  .array(change, { minLength: 2, maxLength: 6 })
  .map((changes) =>
    JSON.parse(
      JSON.stringify(
        [...changes, { kind: 'task-status', status: 'completed' }].map((each, i) =>
          eventOf({ ...each, timestamp: new Date(i).toISOString() } as never),
        ),
      ),
    ),
  )

describe.each(formats)('$name', (format) => {
  it('writes what is revised', () =>
    fc.assert(
      fc.asyncProperty(revised, (events) => expectWriterLaws(format, events)),
      { numRuns: runs(300) },
    ))
})
