// An event without a time gets that of an event before: this is reported, once for the stream.

import fc from 'fast-check'
import { run } from 'turnstream'
import { type AgUiEvent, fromAgUi } from 'turnstream/ag-ui'
import { expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'

const events = [
  { type: 'RUN_STARTED', threadId: 'c', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'a' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', threadId: 'c', runId: 'r' },
]

it.each([
  ['without a clock', {}],
  ['with a clock that is behind', { now: () => 0 }],
])('are reported once if any event lacks its own, %s', (_, options) => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (stated) => {
      const codes: string[] = []
      const { push } = run(fromAgUi(options), { onDiagnostic: ({ code }) => codes.push(code) })
      for (const [i, event] of events.entries()) {
        const isStated = i === 0 || stated[i - 1] === true
        push({ ...event, ...(isStated && { timestamp: 1000 + i }) } as AgUiEvent)
      }
      expect(codes).toEqual(stated.every(Boolean) ? [] : ['inferred:timestamp'])
    }),
    { numRuns: runs(30) },
  )
})
